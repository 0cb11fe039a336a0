import { defineCommand } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { comment as commentRecord } from "../../forge/comments.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { findNumber, pullSelector } from "./find.ts";

/** `tongs pr comment`: POST a comment. */
export const comment = defineCommand({
  summary: "Comment on a pull request",
  details: "Prints the address of the comment.",
  on: "repository",
  effect: "write",
  args: { pr: pullSelector },
  flags: {
    body: text("what to say", { short: "b" }),
    bodyFile: text("the file with what to say; - is stdin", { short: "F", placeholder: "FILE" }),
  },
  exclusive: [["body", "bodyFile"]],
  output: commentRecord,
  examples: [
    ["Say something", 'tongs pr comment 12 --body "Ready when you are."'],
    ["From another program", "make report | tongs pr comment 12 --body-file -"],
  ],
  async run(context) {
    const { forge, repo, server, flags, out, system, prompt } = context;
    const given = await givenText(system, { text: flags.body, file: flags.bodyFile, flag: "--body-file" });
    const body = given ?? (await prompt.editor({ message: "Comment", flag: "--body" }));
    if (body.trim() === "") throw new UsageError("The comment is empty; nothing was sent");
    const number = await findNumber(context.args.pr, context);
    const made = await forge.comments.create(repo, number, body);
    await out.done(`Commented on ${fullName(repo)}#${number} ${accountLabel(server)}`, {
      prints: made.html_url,
      record: made,
    });
  },
});
