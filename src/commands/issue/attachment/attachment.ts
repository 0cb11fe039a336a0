import { batch } from "../../../app/batch.ts";
import type { RepositoryContext } from "../../../app/context.ts";
import { type Command, defineCommand } from "../../../app/define.ts";
import { editors, orDenied } from "../../../app/denied.ts";
import { dirFlag, downloadFiles, existingFlags, onExistingOf, type WantedFile } from "../../../app/download-files.ts";
import { readIds } from "../../../app/input.ts";
import { issueName, oneIssue } from "../../../app/issue-selector.ts";
import { requireQuota } from "../../../app/quota.ts";
import { resource } from "../../../app/resource.ts";
import { readUploadFiles } from "../../../app/upload-files.ts";
import { repoPage } from "../../../app/web.ts";
import { writeCommand } from "../../../app/write-command.ts";
import { any, many, one } from "../../../command/args.ts";
import { integer, wholeNumber } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import {
  type Attached,
  type Attachment,
  attachment,
  attachmentDownload,
  deleteAttachment,
  issueAttachmentDelete,
  listAttachments,
  renameAttachment,
  uploadAttachment,
} from "../../../forge/attachments.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { bars } from "../../../output/bars.ts";
import { column } from "../../../output/table.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { list as listOf, record, string } from "../../../shape/shape.ts";
import { sizeText } from "../../../text/format.ts";

/** The flag for the attachments of a comment, instead of those of the issue. */
const commentFlag = {
  comment: integer("the attachments of this comment of the issue, instead of the issue's", {
    min: 1,
    placeholder: "ID",
  }),
};

type TargetContext = Pick<RepositoryContext, "repo"> & {
  readonly args: { readonly issue: number };
  readonly flags: { readonly comment: number | undefined };
};

/** What the files are attached to, and its name. */
function attachedTo({ repo, args, flags }: TargetContext): { readonly target: Attached; readonly name: string } {
  const { comment } = flags;
  if (comment === undefined)
    return { target: { of: "issue", repo, id: args.issue }, name: issueName(repo, args.issue) };
  return { target: { of: "comment", repo, id: comment }, name: `comment ${comment} in ${fullName(repo)}` };
}

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
  upload: async () => upload,
  download: async () => download,
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
      const record = await renameAttachment(http, target, id, args.name).catch(
        orDenied(`Cannot rename attachment ${id} of ${name}`, editors),
      );
      return { done: `Renamed attachment ${id} of ${name} to ${record.name}`, record };
    },
    examples: [["Rename an attachment", "tongs issue attachment rename 12 34 night.txt"]],
  }),
  delete: attachments.delete({
    sends: issueAttachmentDelete,
    summary: "Delete attachments of an issue",
    work: ({ id }, { http, place }) =>
      deleteAttachment(http, place.target, id).catch(
        orDenied(`Cannot delete attachment ${id} of ${place.name}`, editors),
      ),
    examples: [["Delete an attachment", "tongs issue attachment delete 12 34 --yes"]],
  }),
};

/** `tongs issue attachment upload`: POST each file. */
const upload = defineCommand({
  summary: "Attach files to an issue",
  details: "Prints the URL of each attachment. The server limits size and type.",
  on: "repository",
  effect: "write",
  args: { issue: oneIssue, file: many("files to upload; FILE#NAME sets the name", { names: "input file" }) },
  flags: { comment: integer("attach to this comment instead of the issue", { min: 1, placeholder: "ID" }) },
  output: listOf(attachment),
  exits: { refused: "the quota is used up", partly: "some files were uploaded, some failed" },
  examples: [["Attach two files", "tongs issue attachment upload 12 lamp.png log.txt"]],
  async run(context) {
    const { args, http, out, repo, system, server, options } = context;
    const { target, name } = attachedTo(context);
    const files = await readUploadFiles([...new Set(args.file)], system);
    await requireQuota(repo.owner, "size:assets:attachments:issues", files, context);
    const progress = await bars({ system, out, quiet: options.quiet });
    return batch(
      files,
      async (file) => {
        const bar = progress.add(file.name);
        try {
          const onProgress = (done: number) => bar.at(done, file.size);
          const made = await uploadAttachment(http, target, file.name, { ...file, onProgress }).catch(
            orDenied(`Cannot attach files to ${name}`, editors),
          );
          const message = `Attached ${made.name} (${sizeText(file.size)}) to ${name} ${accountLabel(server)}`;
          return { message, prints: made.browser_download_url ?? made.id, record: made };
        } finally {
          bar.end();
        }
      },
      context,
      // Gitea refuses one of two at a time.
      { jobs: 1, name: ({ name: file }) => file },
    );
  },
});

/** `tongs issue attachment download`: GET the attachments, then each file from its web page. */
const download = defineCommand({
  summary: "Download the attachments of an issue",
  details:
    "Without IDs, downloads all of them. Files get the time of their attachment. Run the same command again to resume an " +
    "interrupted download: a file of the same size and time is not downloaded again, and any other is left as it is. No " +
    "files are written outside DIR. JSON output has the additional field path.",
  external: { uses: "web pages" },
  on: "repository",
  effect: "read",
  asTool: "write",
  usesFiles: true,
  args: { issue: oneIssue, id: any("attachment IDs", { dash: "lines" }) },
  flags: {
    ...commentFlag,
    dir: dirFlag,
    ...existingFlags,
  },
  exclusive: [["clobber", "skipExisting"]],
  exits: { partly: "some attachments were downloaded, some failed" },
  output: listOf(record({ ...attachment.fields, path: string })),
  examples: [
    ["Download all attachments of an issue", "tongs issue attachment download 12 --dir out"],
    ["Download one", "tongs issue attachment download 12 34"],
  ],
  async run(context) {
    const { args, flags, http, system, out } = context;
    const { target, name: owner } = attachedTo(context);
    const ids = args.id.length === 0 ? undefined : await readIds(args.id, system);
    const all = await collect(listAttachments(http, target));
    const unknown = (ids ?? []).filter((id) => !all.some((one) => one.id === id));
    if (unknown.length > 0) {
      throw new Failure("not_found", `Attachment ${unknown.join(", ")} not found in ${owner}`);
    }
    const wanted = ids === undefined ? all : all.filter(({ id }) => ids.includes(id));
    if (wanted.length === 0) out.note(`${owner} has no attachments.`);
    const files = wanted.map((record): WantedFile => {
      const { id, name, size, uuid, created_at: createdAt } = record;
      const open: WantedFile["open"] = (headers) => call(http, attachmentDownload, { uuid }, undefined, { headers });
      return { id, name, size, createdAt, identity: `attachment ${uuid}`, open, record };
    });
    return downloadFiles(files, { from: owner, dir: flags.dir, onExisting: onExistingOf(flags) }, context);
  },
});
