import { relative } from "node:path";
import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { existingFlags, onExistingOf } from "../../../app/existing-files.ts";
import { readIds } from "../../../app/input.ts";
import { oneIssue } from "../../../app/issue-selector.ts";
import { defaultLimits } from "../../../archive/limits.ts";
import { any } from "../../../command/args.ts";
import { textOr } from "../../../command/flags.ts";
import { fileNameKey, fileNames } from "../../../download/file-names.ts";
import { saveFile } from "../../../download/save-file.ts";
import { Failure } from "../../../failure/failure.ts";
import { type Attachment, attachment, attachmentDownload, listAttachments } from "../../../forge/attachments.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { bars } from "../../../output/bars.ts";
import { addressText } from "../../../profiles/server.ts";
import { list as listOf, record, string } from "../../../shape/shape.ts";
import { fullPath } from "../../../system/files.ts";
import { sizeText } from "../../../text/format.ts";
import { attachedTo, commentFlag } from "./attached.ts";

/** `tongs issue attachment download`: GET the attachments, then each file from its web page. */
export const download = defineCommand({
  summary: "Download the attachments of an issue",
  details:
    "Without IDs, downloads all of them. Run the same command again to resume an interrupted download. No files are " +
    "written outside DIR. JSON output has the additional field path.",
  besideApi: { uses: "web pages" },
  on: "repository",
  effect: "read",
  asTool: "write",
  usesFiles: true,
  args: { issue: oneIssue, id: any("attachment IDs", { dash: "lines" }) },
  flags: {
    ...commentFlag,
    dir: textOr(".", "directory to download into", { short: "D", names: "output file", placeholder: "DIR" }),
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
    const { args, flags, http, system, server, out, options } = context;
    const { target, name: owner } = attachedTo(context);
    const ids = args.id.length === 0 ? undefined : await readIds(args.id, system);
    const all = await collect(listAttachments(http, target));
    const unknown = (ids ?? []).filter((id) => !all.some((one) => one.id === id));
    if (unknown.length > 0) {
      throw new Failure("not_found", `Attachment ${unknown.join(", ")} not found in ${owner}`);
    }
    const wanted = ids === undefined ? all : all.filter(({ id }) => ids.includes(id));
    if (wanted.length === 0) out.note(`${owner} has no attachments.`);
    const into = fullPath(flags.dir, system);
    const names = fileNames(wanted);
    const onExisting = onExistingOf(flags);
    const progress = await bars({ system, out, quiet: options.quiet });

    const work = async (one: Attachment) => {
      const name = names.get(one.id) ?? String(one.id);
      const about = `${one.name} (${sizeText(one.size ?? 0)}) of ${owner}`;
      if (options.dryRun) return { message: `Would download ${about}` };
      const bar = progress.add(name);
      const source = `${addressText(server.base)} attachment ${one.uuid}`;
      const open = (headers: Readonly<Record<string, string>>) =>
        call(http, attachmentDownload, { uuid: one.uuid }, undefined, { headers });
      const key = fileNameKey(name);
      const { size, created_at: createdAt } = one;
      const file = { open, source, into, fileName: name, key, size, createdAt, onExisting } as const;
      try {
        const { signal, sleep, random } = system;
        const settings = { signal, sleep, random, maxBytes: defaultLimits.size, onProgress: bar.at };
        const { path, existing } = await saveFile(file, settings);
        const shown = relative(system.cwd, path).startsWith("..") ? path : relative(system.cwd, path);
        const message = existing ? `${shown} ${existing}` : `Downloaded ${about} to ${shown}`;
        return { message, prints: shown, record: { ...one, path } };
      } finally {
        bar.end();
      }
    };
    try {
      return await batch(wanted, work, context, { jobs: 4, name: ({ name }) => name });
    } catch (error) {
      if (system.signal.aborted) out.note("What was downloaded is kept. Run the same command again to resume.");
      throw error;
    }
  },
});
