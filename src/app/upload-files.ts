import { stat } from "node:fs/promises";
import { basename } from "node:path";
import pMap from "p-map";
import { diskFailure } from "../failure/disk.ts";
import { Failure, UsageError, unlessFailed } from "../failure/failure.ts";
import { DryRun } from "../http/debug.ts";
import type { FileToUpload } from "../http/file-upload.ts";
import { mayHaveActed } from "../http/no-answer-error.ts";
import { bars } from "../output/bars.ts";
import { asFailure } from "../output/report-failure.ts";
import { fullPath, type Place } from "../system/files.ts";
import type { BaseContext } from "./context.ts";

/** A local file, and its name on the server. */
export interface UploadFile {
  /** As it was typed: `FILE` or `FILE#NAME`. */
  readonly typed: string;
  readonly path: string;
  readonly name: string;
  readonly size: number;
  /** Its content, if it was read from stdin. */
  readonly bytes?: Buffer;
}

/** A file that was not uploaded, and why; or that may have been (`mayHaveActed`). */
export interface FailedUpload {
  readonly file: UploadFile;
  readonly failure: Failure;
}

/** How many files are uploaded at the same time by default. */
export const defaultJobs = 4;

/**
 * Looks up the files to upload, given as `FILE` or `FILE#NAME`. Throws a usage error, before anything is sent, if one does
 * not exist or is not a file, or if two have the same name.
 */
export async function readUploadFiles(typed: readonly string[], system: BaseContext["system"]): Promise<UploadFile[]> {
  const files = await Promise.all(typed.map((one) => uploadFile(one, system)));
  requireNames(files);
  return files;
}

/** Throws a usage error if two files have the same name. */
export function requireNames(files: readonly UploadFile[]): void {
  const seen = new Set<string>();
  for (const { name } of files) {
    if (seen.has(name)) throw new UsageError(`Several files have the name '${name}'`, "Rename one with FILE#NAME.");
    seen.add(name);
  }
}

async function uploadFile(typed: string, system: Place): Promise<UploadFile> {
  const whole = await sizeOf(fullPath(typed, system));
  if (typeof whole === "number") return { typed, path: fullPath(typed, system), name: basename(typed), size: whole };
  const at = typed.lastIndexOf("#");
  const named = at > 0 && at < typed.length - 1 ? await sizeOf(fullPath(typed.slice(0, at), system)) : whole;
  if (typeof named !== "number") throw new UsageError(`Cannot upload ${typed}: ${named}`);
  return { typed, path: fullPath(typed.slice(0, at), system), name: typed.slice(at + 1), size: named };
}

/** The size of a file, or why it cannot be uploaded. */
async function sizeOf(path: string): Promise<number | string> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : "not a regular file";
  } catch (error) {
    const reason = diskFailure(error, path)?.message.replace(/^.*: /, "");
    if (reason === undefined) throw error;
    return reason;
  }
}

/** Uploads files with `send`, several at a time and with progress, and continues after a failure. Returns those that failed. */
export async function uploadFiles(
  files: readonly UploadFile[],
  send: (file: UploadFile, content: FileToUpload) => Promise<unknown>,
  { system, out, options }: Pick<BaseContext, "system" | "out" | "options">,
  jobs = defaultJobs,
): Promise<readonly FailedUpload[]> {
  const progress = await bars({ system, out, quiet: options.quiet });
  const upload = async (file: UploadFile): Promise<FailedUpload | undefined> => {
    const bar = progress.add(file.name);
    try {
      await send(file, { ...file, onProgress: (done) => bar.at(done, file.size) });
      return undefined;
    } catch (error) {
      if (error instanceof DryRun || system.signal.aborted) throw error;
      return { file, failure: asFailure(error) };
    } finally {
      bar.end();
    }
  };
  const results = await pMap(files, upload, { concurrency: jobs });
  return results.filter((result) => result !== undefined);
}

/** The record of an uploaded file. */
interface Stored {
  readonly name: string;
  readonly size?: number | undefined;
}

/**
 * The record of an upload whose answer was lost: the last one of that name and size of `list`, which has what came since. Throws
 * the error if that cannot be read, or if it is another one; a failure that is sure if the file is not there.
 */
export async function findUploaded<T extends Stored>(
  { name, size }: UploadFile,
  error: unknown,
  list: () => Promise<readonly T[]>,
): Promise<T> {
  const there = mayHaveActed(error) ? await unlessFailed(list()) : undefined;
  if (!(error instanceof Failure) || there === undefined) throw error;
  const found = there.findLast((one) => one.name === name && (one.size ?? size) === size);
  if (found !== undefined) return found;
  const { code, message, method, path, request } = error;
  throw new Failure(code, message, { method, path, request, cause: error });
}
