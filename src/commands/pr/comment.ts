import { commentText } from "../../app/comment-text.ts";
import { defineCommand } from "../../app/define.ts";
import { inputFile, text } from "../../command/flags.ts";
import { comment as commentRecord, createComment } from "../../forge/comments.ts";
import { accountLabel } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { findNumber, pullSelector } from "./find.ts";
import { orMissingPull, pullName } from "./pull.ts";

/** `tongs pr comment`: POST a comment. */
export const comment = defineCommand({
  summary: "Add a comment to a pull request",
  details: "Prints the URL of the comment.",
  on: "repository",
  effect: "write",
  args: { pr: pullSelector },
  flags: {
    body: text("the text of the comment", { short: "b" }),
    bodyFile: inputFile("read the text from a file", { short: "F" }),
  },
  exclusive: [["body", "bodyFile"]],
  output: commentRecord,
  examples: [
    ["Add a comment", 'tongs pr comment 12 --body "Ready when you are."'],
    ["Post the output of another program", "make report | tongs pr comment 12 --body-file -"],
  ],
  async run(context) {
    const { http, repo, server, out } = context;
    const { body, typed } = await commentText(context);
    const { number, made } = await keepingText(typed, out, async () => {
      const number = await findNumber(context.args.pr, context);
      return { number, made: await orMissingPull(createComment(http, repo, number, body)) };
    });
    await out.done(`Commented on pull request ${pullName(context, number)} ${accountLabel(server)}`, {
      prints: made.html_url,
      record: made,
    });
  },
});
