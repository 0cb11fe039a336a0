import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { diskFailure } from "../failure/disk.ts";
import { UsageError } from "../failure/failure.ts";
import { fullPath, type Place } from "../system/files.ts";
import type { BaseContext } from "./context.ts";

/** A local file, and its name on the server. */
export interface UploadFile {
  /** As it was typed: `FILE` or `FILE#NAME`. */
  readonly typed: string;
  readonly path: string;
  readonly name: string;
  readonly size: number;
}

/** How many files are uploaded at the same time by default. */
export const defaultJobs = 4;

/**
 * Looks up the files to upload, given as `FILE` or `FILE#NAME`. Throws a usage error, before anything is sent, if one does
 * not exist or is not a file, or if two have the same name.
 */
export async function readUploadFiles(typed: readonly string[], system: BaseContext["system"]): Promise<UploadFile[]> {
  const files = await Promise.all(typed.map((one) => uploadFile(one, system)));
  const seen = new Set<string>();
  for (const { name } of files) {
    if (seen.has(name)) throw new UsageError(`Several files have the name '${name}'`, "Rename one with FILE#NAME.");
    seen.add(name);
  }
  return files;
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
