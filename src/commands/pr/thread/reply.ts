import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { commentText } from "../../../app/draft.ts";
import { readIds } from "../../../app/input.ts";
import { orWebPage } from "../../../app/web-instead.ts";
import { many } from "../../../command/args.ts";
import { inputFile, text } from "../../../command/flags.ts";
import { call } from "../../../forge/operation.ts";
import { reviewComment, reviewCommentReply } from "../../../forge/review-comments.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { keepingText } from "../../../prompts/keep-text.ts";
import { list } from "../../../shape/shape.ts";
import { findFlagNumber, pullFlag } from "../find.ts";
import { threadPage } from "../line-threads.ts";
import { pullName } from "../pull.ts";

/** `tongs pr thread reply`: POST a reply to each comment. */
export const reply = defineCommand({
  summary: "Reply to comments on lines of a pull request",
  details: "Prints the URL of each reply.",
  on: "repository",
  needs: [reviewCommentReply],
  effect: "write",
  args: { id: many("comment IDs", { dash: "lines" }) },
  flags: {
    pr: pullFlag,
    body: text("the text of the reply", { short: "b" }),
    bodyFile: inputFile("read the text from a file", { short: "F" }),
  },
  exclusive: [["body", "bodyFile"]],
  exits: { partly: "some replies were sent, some failed" },
  output: list(reviewComment),
  examples: [["Reply to a comment", 'tongs pr thread reply 275 --pr 12 --body "Done."']],
  async run(context) {
    const { args, flags, http, repo, server, system, out } = context;
    const ids = await readIds(args.id, system);
    const { body, typed } = await commentText(context, { what: "Reply" });
    return keepingText(typed, out, async () => {
      const number = await findFlagNumber(flags.pr, context, "comment");
      const reply = async (id: number) => {
        const made = await orWebPage("reply to a comment", threadPage(context, number), context, () =>
          call(http, reviewCommentReply, { repo, index: number, id }, { body }),
        );
        const message = `Replied to comment ${id} of pull request ${pullName(context, number)} ${accountLabel(server)}`;
        return { message, prints: made.html_url, record: made };
      };
      return batch(ids, reply, context);
    });
  },
});
