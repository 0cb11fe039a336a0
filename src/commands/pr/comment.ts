import { attachDetails, attachFlags, withUploads } from "../../app/attach/attach.ts";
import { postComment } from "../../app/attach/comment.ts";
import { defineCommand } from "../../app/define.ts";
import { inputFile, text } from "../../command/flags.ts";
import { comment as commentRecord } from "../../forge/comments.ts";
import { findNumber, pullSelector } from "./find.ts";
import { orMissingPull, pullName } from "./pull.ts";

/** `tongs pr comment`: POST a comment. */
export const comment = defineCommand({
  summary: "Add a comment to a pull request",
  details: `Prints the URL of the comment. ${attachDetails}`,
  on: "repository",
  effect: "write",
  args: { pr: pullSelector },
  flags: {
    body: text("the text of the comment", { short: "b" }),
    bodyFile: inputFile("read the text from a file", { short: "F" }),
    ...attachFlags,
  },
  exclusive: [["body", "bodyFile"]],
  output: withUploads(commentRecord),
  exits: { partly: "it was added, but a file was not uploaded" },
  examples: [
    ["Add a comment", 'tongs pr comment 12 --body "Ready when you are."'],
    ["Post the output of another program", "make report | tongs pr comment 12 --body-file -"],
    [
      "Attach the output of another program",
      'make log | tongs pr comment 12 --body "Built." --attach - --attach-name log.txt',
    ],
  ],
  async run(context) {
    await postComment(
      context,
      async () => {
        const number = await findNumber(context.args.pr, context);
        return { number, name: `pull request ${pullName(context, number)}` };
      },
      orMissingPull,
    );
  },
});
