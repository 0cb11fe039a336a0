import { defineCommand } from "../../../app/define.ts";
import { editors, explainDenied } from "../../../app/denied.ts";
import { oneIssue } from "../../../app/issue-selector.ts";
import { one } from "../../../command/args.ts";
import { wholeNumber } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { attachment, renameAttachment } from "../../../forge/attachments.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { attachedTo, commentFlag } from "./attached.ts";

/** `tongs issue attachment rename`: PATCH the name. */
export const rename = defineCommand({
  summary: "Rename an attachment of an issue",
  on: "repository",
  effect: "write",
  args: { issue: oneIssue, id: one("attachment ID"), name: one("new name") },
  flags: commentFlag,
  output: attachment,
  examples: [["Rename an attachment", "tongs issue attachment rename 12 34 night.txt"]],
  async run(context) {
    const { args, http, server, out } = context;
    const { target, name } = attachedTo(context);
    const id = wholeNumber(args.id, "ID", 1);
    if (args.name.trim() === "") throw new UsageError("NAME must not be empty");
    const changed = await renameAttachment(http, target, id, args.name).catch((error: unknown) => {
      throw explainDenied(error, `Cannot rename attachment ${id} of ${name}`, editors);
    });
    const message = `Renamed attachment ${id} of ${name} to ${changed.name} ${accountLabel(server)}`;
    await out.done(message, { record: changed });
  },
});
