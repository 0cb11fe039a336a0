import type { Command } from "../../../app/define.ts";
import { editors, explainDenied } from "../../../app/denied.ts";
import { oneIssue } from "../../../app/issue-selector.ts";
import { resource } from "../../../app/resource.ts";
import { repoPage } from "../../../app/web.ts";
import { writeCommand } from "../../../app/write-command.ts";
import { one } from "../../../command/args.ts";
import { wholeNumber } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { UsageError } from "../../../failure/failure.ts";
import {
  type Attachment,
  attachment,
  deleteAttachment,
  issueAttachmentDelete,
  listAttachments,
  renameAttachment,
} from "../../../forge/attachments.ts";
import { column } from "../../../output/table.ts";
import { attachedTo, commentFlag } from "./attached.ts";

const attachments = resource({
  on: "repository",
  noun: ["attachment", "attachments"],
  a: "an attachment",
  record: attachment,
  argument: { key: "id", one: "attachment ID", many: "attachment IDs", isId: true },
  args: { issue: oneIssue },
  flags: commentFlag,
  place: attachedTo,
  target: () => (id) => ({ id: Number(id) }),
  name: ({ id }: Pick<Attachment, "id">) => `attachment ${id}`,
  where: ({ name }) => name,
});

/** The verbs of `tongs issue attachment`. */
export const verbs: Table<Command> = {
  list: attachments.list({
    summary: "List the attachments of an issue",
    columns: [
      column<Attachment>("ID", "id"),
      column<Attachment>("NAME", "name", { flexible: true }),
      column<Attachment>("SIZE", "size", { as: "size" }),
      column<Attachment>("CREATED", "created_at", { as: "time" }),
      column<Attachment>("URL", "browser_download_url", { style: "link", rank: "optional" }),
    ],
    fetch: ({ http, place }) => listAttachments(http, place.target),
    page: ({ args, repo }) => repoPage(repo, "issues", args.issue),
    examples: [["List the attachments of an issue", "tongs issue attachment list 12"]],
  }),
  upload: () => import("./upload.ts").then((file) => file.upload),
  download: () => import("./download.ts").then((file) => file.download),
  rename: writeCommand({
    summary: "Rename an attachment of an issue",
    on: "repository",
    args: { issue: oneIssue, id: one("attachment ID"), name: one("new name") },
    flags: commentFlag,
    output: attachment,
    async work(context) {
      const { args, http } = context;
      const { target, name } = attachedTo(context);
      const id = wholeNumber(args.id, "ID", 1);
      if (args.name.trim() === "") throw new UsageError("NAME must not be empty");
      const record = await renameAttachment(http, target, id, args.name).catch((error: unknown) => {
        throw explainDenied(error, `Cannot rename attachment ${id} of ${name}`, editors);
      });
      return { done: `Renamed attachment ${id} of ${name} to ${record.name}`, record };
    },
    examples: [["Rename an attachment", "tongs issue attachment rename 12 34 night.txt"]],
  }),
  delete: attachments.each({
    verb: ["delete", "deleted"],
    effect: "destroy",
    sends: issueAttachmentDelete,
    summary: "Delete attachments of an issue",
    work: ({ id }, { http, place }) =>
      deleteAttachment(http, place.target, id).catch((error: unknown) => {
        throw explainDenied(error, `Cannot delete attachment ${id} of ${place.name}`, editors);
      }),
    examples: [["Delete an attachment", "tongs issue attachment delete 12 34 --yes"]],
  }),
};
