import { defineCommand } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { comment as commentRecord, commentsApi } from "../../forge/comments.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { findNumber, pullSelector } from "./find.ts";

/** `tongs pr comment`: POST a comment. */
export const comment = defineCommand({
  summary: "Add a comment to a pull request",
  details: "Prints the URL of the comment.",
  on: "repository",
  effect: "write",
  args: { pr: pullSelector },
  flags: {
    body: text("the text of the comment", { short: "b" }),
    bodyFile: text("read the text from a file; - reads stdin", { short: "F", placeholder: "FILE" }),
  },
  exclusive: [["body", "bodyFile"]],
  output: commentRecord,
  examples: [
    ["Add a comment", 'tongs pr comment 12 --body "Ready when you are."'],
    ["Post the output of another program", "make report | tongs pr comment 12 --body-file -"],
  ],
  async run(context) {
    const { http, repo, server, flags, out, system, prompt } = context;
    const given = await givenText(system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
    const body = given ?? (await prompt.editor({ message: "Comment", flag: "--body" }));
    if (body.trim() === "") throw new UsageError("The comment must not be empty");
    const number = await findNumber(context.args.pr, context);
    const made = await commentsApi(http).create(repo, number, body);
    await out.done(`Commented on pull request ${fullName(repo)}#${number} ${accountLabel(server)}`, {
      prints: made.html_url,
      record: made,
    });
  },
});
