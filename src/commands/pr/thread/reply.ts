import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { givenText, readIds } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { text } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { reviewComment, reviewCommentsApi } from "../../../forge/review-comments.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { list } from "../../../shape/shape.ts";
import { findNumber, pullSelector } from "../find.ts";
import { pullName } from "../shared.ts";

/** `tongs pr thread reply`: POST a reply to each comment. */
export const reply = defineCommand({
  summary: "Reply to comments on lines of a pull request",
  details: "Prints the URL of each reply.",
  on: "repository",
  effect: "write",
  args: { id: many("comment IDs; - reads them from stdin, one per line") },
  flags: {
    pr: text("the pull request (default: the current branch's)", { placeholder: "PR", source: "pull" }),
    body: text("the text of the reply", { short: "b" }),
    bodyFile: text("read the text from a file; - reads stdin", { short: "F", placeholder: "FILE" }),
  },
  exclusive: [["body", "bodyFile"]],
  exits: { partly: "some replies were sent, some failed" },
  output: list(reviewComment),
  examples: [["Reply to a comment", 'tongs pr thread reply 275 --pr 12 --body "Done."']],
  async run(context) {
    const { args, flags, http, repo, server, system, prompt } = context;
    const ids = await readIds(args.id, system);
    const given = await givenText(system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
    const body = given ?? (await prompt.editor({ message: "Reply", flag: "--body" }));
    if (body.trim() === "") throw new UsageError("The reply must not be empty");
    const selector = pullSelector.read(flags.pr === undefined ? [] : [flags.pr], "--pr");
    const number = await findNumber(selector, context);
    return batch(
      ids,
      async (id) => {
        const made = await reviewCommentsApi(http).reply(repo, number, id, body);
        const message = `Replied to comment ${id} of pull request ${pullName(context, number)} ${accountLabel(server)}`;
        return { message, prints: made.html_url, record: made };
      },
      context,
    );
  },
});
