import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { editors, explainDenied } from "../../../app/denied.ts";
import { oneIssue } from "../../../app/issue-selector.ts";
import { requireQuota } from "../../../app/quota.ts";
import { many } from "../../../command/args.ts";
import { integer } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { attachment, uploadAttachment } from "../../../forge/attachments.ts";
import { bars } from "../../../output/bars.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { list as listOf } from "../../../shape/shape.ts";
import { fullPath, type Place } from "../../../system/files.ts";
import { sizeText } from "../../../text/format.ts";
import { attachedTo } from "./attached.ts";

/** `tongs issue attachment upload`: POST each file. */
export const upload = defineCommand({
  summary: "Attach files to an issue",
  details: "Prints the URL of each attachment. The server limits size and type.",
  on: "repository",
  effect: "write",
  args: { issue: oneIssue, file: many("files to upload", { names: "input file" }) },
  flags: { comment: integer("attach to this comment instead of the issue", { min: 1, placeholder: "ID" }) },
  output: listOf(attachment),
  exits: { refused: "the quota is used up", partly: "some files were uploaded, some failed" },
  examples: [["Attach two files", "tongs issue attachment upload 12 lamp.png log.txt"]],
  async run(context) {
    const { args, http, out, repo, system, server, options } = context;
    const { target, name } = attachedTo(context);
    const files = await Promise.all([...new Set(args.file)].map((typed) => fileOf(typed, system)));
    await requireQuota(repo.owner, "size:assets:attachments:issues", files, context);
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
      // Gitea refuses one of two at a time.
      { jobs: 1, name: ({ path }) => basename(path) },
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
