import { resolve } from "node:path";
import { displayName } from "../archive/archive-failure.ts";
import { defaultLimits } from "../archive/limits.ts";
import type { OnExisting } from "../archive/move-into-place.ts";
import { type FlagValues, integer, sizeOr, textOr, toggle } from "../command/flags.ts";
import { fileNameKey, fileNames } from "../download/file-names.ts";
import type { FileToSave } from "../download/save-file.ts";
import type { ExitName } from "../failure/exit-codes.ts";
import { bars } from "../output/bars.ts";
import { addressText } from "../profiles/server.ts";
import { fullPath, shownPath } from "../system/files.ts";
import { sizeText } from "../text/format.ts";
import { type BatchItem, batch } from "./batch.ts";
import type { BaseContext, ServerContext } from "./context.ts";

/** The flags of downloads for files that exist; they exclude each other. */
export const existingFlags = {
  clobber: toggle("replace existing files", { aliases: [{ name: "overwrite" }] }),
  skipExisting: toggle("skip files that exist"),
};

/** What is done with files that exist; without a flag, only a complete one is no error. */
export function onExistingOf({ clobber, skipExisting }: FlagValues<typeof existingFlags>): OnExisting {
  return clobber ? "overwrite" : skipExisting ? "keep" : "refuse";
}

/** The flag for the directory of downloads. */
export const dirFlag = textOr(".", "directory to download into", {
  short: "D",
  names: "output file",
  placeholder: "DIR",
});

/** The flags for the number of parallel downloads, and for the size of a file. */
export const limitFlags = {
  jobs: integer("number of parallel downloads (default: 4)", { min: 1, max: 16 }),
  maxSize: sizeOr("16G", defaultLimits.size, "maximum size of a file"),
};

/** A file on the server. */
export interface WantedFile extends Pick<FileToSave, "open" | "size" | "sha256" | "createdAt"> {
  readonly id: number;
  readonly name: string;
  /** What identifies the file on the server, with its time or hash. */
  readonly identity: string;
  /** The record, to which JSON output adds the path. */
  readonly record: object;
}

interface DownloadOptions {
  /** What the files are of, for messages: `release v1.2 of mara/harbor`. */
  readonly from: string;
  readonly dir: string;
  /** The name for a single file, instead of its own. */
  readonly fileName?: string | undefined;
  readonly onExisting: OnExisting;
  readonly maxSize?: number;
  readonly jobs?: number | undefined;
}

/**
 * Downloads files into a directory, several at a time, each under a safe name of its own. Resumes interrupted downloads,
 * continues after a failure, and returns the exit name of the batch.
 */
export async function downloadFiles(
  files: readonly WantedFile[],
  { from, dir, fileName: only, onExisting, maxSize = defaultLimits.size, jobs = 4 }: DownloadOptions,
  context: Pick<BaseContext, "out" | "system" | "options"> & ServerContext,
): Promise<ExitName | undefined> {
  const { system, out, options, server } = context;
  const { signal, sleep, random } = system;
  const { saveFile } = await import("../download/save-file.ts");
  const names = fileNames(files);
  const into = fullPath(dir, system);
  const progress = await bars({ system, out, quiet: options.quiet });
  const work = async ({ id, name, identity, record, ...file }: WantedFile): Promise<BatchItem> => {
    const fileName = only ?? names.get(id) ?? String(id);
    const about = `${displayName(name)}${file.size === undefined ? "" : ` (${sizeText(file.size)})`} of ${from}`;
    const shown = shownPath(resolve(into, fileName), system);
    if (options.dryRun) return { message: `Would download ${about} to ${shown}` };
    const bar = progress.add(displayName(name));
    try {
      const source = `${addressText(server.base)} ${identity}`;
      const { path, existing } = await saveFile(
        { ...file, into, fileName, key: fileNameKey(fileName), source, onExisting },
        { signal, sleep, random, maxBytes: maxSize, onProgress: bar.at },
      );
      const message = existing ? `${shown} ${existing}` : `Downloaded ${about} to ${shown}`;
      return { message, prints: shown, record: { ...record, path } };
    } finally {
      bar.end();
    }
  };
  try {
    return await batch(files, work, context, { jobs, name: ({ name }) => displayName(name) });
  } catch (error) {
    if (signal.aborted) out.note("What was downloaded is kept. Run the same command again to resume.");
    throw error;
  }
}
