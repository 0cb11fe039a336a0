import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { batch } from "../../app/batch.ts";
import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { deleteById } from "../../app/delete-by-id.ts";
import { repoPage } from "../../app/web.ts";
import { many, one } from "../../command/args.ts";
import { integer, wholeNumber } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import {
  type Attached,
  type Attachment,
  attachment,
  deleteAttachment,
  listAttachments,
  renameAttachment,
  uploadAttachment,
} from "../../forge/attachments.ts";
import { bars } from "../../output/bars.ts";
import { column } from "../../output/table.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { list as listOf } from "../../shape/shape.ts";
import { fullPath, type Place } from "../../system/files.ts";
import { sizeText } from "../../text/format.ts";
import { oneIssue } from "./selector.ts";
import { editors, explainDenied, issueName } from "./shared.ts";

const columns = [
  column<Attachment>("ID", "id"),
  column<Attachment>("NAME", "name", { flexible: true }),
  column<Attachment>("SIZE", "size", { as: "size" }),
  column<Attachment>("CREATED", "created_at", { as: "time" }),
  column<Attachment>("URL", "browser_download_url", { style: "link", rank: "optional" }),
];

/** The flag for the attachments of a comment, instead of those of the issue. */
export const commentFlag = {
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
export function attachedTo({ repo, args, flags }: TargetContext): { readonly target: Attached; readonly name: string } {
  const { comment } = flags;
  if (comment === undefined)
    return { target: { of: "issue", repo, id: args.issue }, name: issueName(repo, args.issue) };
  return { target: { of: "comment", repo, id: comment }, name: `comment ${comment} in ${fullName(repo)}` };
}

/** `tongs issue attachment list`: GET the attachments. */
export const list = defineCommand({
  summary: "List the attachments of an issue",
  on: "repository",
  effect: "read",
  lists: ["attachment", "attachments"],
  args: { issue: oneIssue },
  flags: commentFlag,
  output: listOf(attachment),
  examples: [["List the attachments of an issue", "tongs issue attachment list 12"]],
  web: { page: ({ args, repo }) => repoPage(repo, "issues", args.issue) },
  async run(context) {
    await context.out.list(listAttachments(context.http, attachedTo(context).target), columns);
  },
});

/** `tongs issue attachment upload`: POST each file. */
export const upload = defineCommand({
  summary: "Attach files to an issue",
  details: "Prints the URL of each attachment. The server limits size and type.",
  on: "repository",
  effect: "write",
  args: { issue: oneIssue, file: many("files to upload", { names: "input file" }) },
  flags: { comment: integer("attach to this comment instead of the issue", { min: 1, placeholder: "ID" }) },
  output: listOf(attachment),
  exits: { partly: "some files were uploaded, some failed" },
  examples: [["Attach two files", "tongs issue attachment upload 12 lamp.png log.txt"]],
  async run(context) {
    const { args, http, out, system, server, options } = context;
    const { target, name } = attachedTo(context);
    const files = await Promise.all([...new Set(args.file)].map((typed) => fileOf(typed, system)));
    const progress = await bars({ system, out, quiet: options.quiet });
    return batch(
      files,
      async (file) => {
        const bar = progress.add(basename(file.path));
        try {
          const onProgress = (done: number) => bar.at(done, file.size);
          const made = await uploadAttachment(http, target, basename(file.path), { ...file, onProgress }).catch(
            (error: unknown) => {
              throw explainDenied(error, `Cannot attach files to ${name}`, editors);
            },
          );
          const message = `Attached ${made.name} (${sizeText(file.size)}) to ${name} ${accountLabel(server)}`;
          return { message, prints: made.browser_download_url ?? made.id, record: made };
        } finally {
          bar.end();
        }
      },
      context,
      { jobs: 4, name: ({ path }) => basename(path) },
    );
  },
});

/** A file and its size. Throws a usage error if it cannot be read, before anything is sent. */
async function fileOf(typed: string, system: Place): Promise<{ readonly path: string; readonly size: number }> {
  const path = fullPath(typed, system);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) return { path, size: found.size };
  throw new UsageError(`${typed} ${found === undefined ? "does not exist or cannot be read" : "is not a file"}`);
}

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

/** `tongs issue attachment delete`: DELETE each attachment. */
export const remove = defineCommand({
  summary: "Delete attachments of an issue",
  on: "repository",
  effect: "destroy",
  args: { issue: oneIssue, id: many("attachment IDs; - reads them from stdin, one per line") },
  flags: commentFlag,
  exits: { partly: "some attachments were deleted, some failed" },
  examples: [["Delete an attachment", "tongs issue attachment delete 12 34 --yes"]],
  async run(context) {
    const { args, http } = context;
    const { target, name } = attachedTo(context);
    return deleteById(
      {
        ids: args.id,
        noun: "attachment",
        owner: name,
        delete: (id) =>
          deleteAttachment(http, target, id).catch((error: unknown) => {
            throw explainDenied(error, `Cannot delete attachment ${id} of ${name}`, editors);
          }),
      },
      context,
    );
  },
});
