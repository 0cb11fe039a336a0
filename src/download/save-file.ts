import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { link, lstat, rename, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { OnExisting } from "../archive/move-into-place.ts";
import { pathExists } from "../archive/unpack.ts";
import { hasCode, reportDiskErrors } from "../failure/disk.ts";
import { Failure } from "../failure/failure.ts";
import { createFolders } from "../system/files.ts";
import { lock } from "../system/lock.ts";
import { type DownloadSettings, download, type OpenSource, tooLarge } from "./download.ts";
import { openPart } from "./part.ts";
import { openScratch } from "./scratch.ts";

/** A file to download as it is. */
export interface FileToSave {
  readonly open: OpenSource;
  /** The target folder, as an absolute path. */
  readonly into: string;
  /** The name of the file, made safe. */
  readonly fileName: string;
  /** A key that is equal for names that are the same on some file system. */
  readonly key: string;
  /** Identifies the file: server, ID and time. */
  readonly source: string;
  /** The size in bytes, if it is known: a file of another size is damaged. */
  readonly size: number | undefined;
  /** The SHA-256 in hexadecimal, if it is known: a file with another one is damaged. */
  readonly sha256?: string | undefined;
  /** When the server got the file, if it is known: the modification time here, by which one without a hash is known again. */
  readonly createdAt?: string | null | undefined;
  readonly onExisting: OnExisting;
}

/** The resulting file, and for one that existed and was kept, the words that say so. */
export interface SavedFile {
  readonly path: string;
  readonly existing?: string;
}

/**
 * Downloads a file, checks its size and hash and moves it into place. Resumes an interrupted download. Throws a `too_large`
 * failure for a file over the limit, `busy` while another process downloads to the same place, `exists` if another file exists
 * (the same is one of the known size and hash; without a hash, of the size and time), and `damaged` if the file is another one twice.
 */
export function saveFile(file: FileToSave, settings: DownloadSettings): Promise<SavedFile> {
  return withPathLock(file, () => saveLocked(file, settings));
}

/** Works on a file or folder that no other process works on. Throws a `busy` failure while one does. */
export function withPathLock<T>(
  { into, fileName, key }: Pick<FileToSave, "into" | "fileName" | "key">,
  work: () => Promise<T>,
): Promise<T> {
  return reportDiskErrors(async () => {
    createFolders(into);
    // By device and inode, because the folder may have several paths.
    const { dev, ino } = await stat(into, { bigint: true });
    const locked = await lock(`${dev}:${ino}/${key}`);
    const hint = "Wait until it finishes, or choose another directory with --dir.";
    if (locked === undefined)
      throw new Failure("busy", `Another tongs process is downloading ${fileName} into ${into}`, { hint });
    try {
      return await work();
    } finally {
      locked.release();
    }
  });
}

async function saveLocked(
  { open, into, fileName, key, source, size, sha256, createdAt, onExisting }: FileToSave,
  settings: DownloadSettings,
): Promise<SavedFile> {
  if (size !== undefined && size > settings.maxBytes) throw tooLarge(settings.maxBytes);
  const path = join(into, fileName);
  const created = Date.parse(createdAt ?? "");
  if (await pathExists(path)) {
    if (onExisting === "keep") return { path, existing: "already exists" };
    await refuseUnlessFile(path);
    if (onExisting === "refuse") {
      // One that an earlier run of the command saved.
      const there = await stat(path);
      const isOther = sha256 === undefined && Math.round(there.mtimeMs) !== created;
      if (size === undefined || isOther || (await damage(path, there.size, { size, sha256 }, settings.signal)))
        throw alreadyExists(path);
      return { path, existing: `already exists${sha256 === undefined ? " (same size and time)" : ""}` };
    }
  }
  const scratch = openScratch(into, key, source);
  const part = openPart(scratch.part, source);
  let finished = false;
  try {
    for (let again = false; ; again = true) {
      await download(open, part, settings);
      const { length } = part;
      part.close();
      const problem = await damage(part.path, length, { size, sha256 }, settings.signal);
      if (problem === undefined) break;
      part.remove();
      if (again) throw damaged(fileName, problem);
    }
    if (!Number.isNaN(created)) await utimes(part.path, created / 1000, created / 1000);
    if (onExisting === "overwrite") await rename(part.path, path);
    else await moveToNew(part.path, path);
    finished = true;
  } finally {
    part.close();
    // Keep what was received for the next run.
    if (finished || part.length === 0) scratch.remove();
  }
  return { path };
}

/** Moves a file to a path that must not exist, even if a file was created there meanwhile. */
export async function moveToNew(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    if (hasCode(error, "EEXIST") || (await pathExists(path))) throw alreadyExists(path);
    // The file system has no hard links: a file that is created right now would be replaced.
    await rename(part, path);
  }
}

/**
 * Throws for what a download must not replace: a directory, and a device, FIFO or socket, also behind a symbolic link
 * such as `/dev/stdout`. Renaming a file to `/dev/null` would remove the device.
 */
async function refuseUnlessFile(path: string): Promise<void> {
  const stats = await lstat(path);
  const target = stats.isSymbolicLink() ? await stat(path).catch(() => undefined) : stats;
  if (!stats.isDirectory() && (target === undefined || target.isFile() || target.isDirectory())) return;
  const what = stats.isDirectory() ? "is a directory" : "is not a regular file";
  throw new Failure("exists", `${path} ${what}`, { hint: "Nothing was written. Choose another file." });
}

/** The failure for a file that exists and must not be replaced. */
export function alreadyExists(path: string): Failure {
  return new Failure("exists", `${path} already exists`, {
    hint: "Pass --clobber to replace it, or --skip-existing to keep it.",
  });
}

/** How a file differs from what was announced, if it does. */
async function damage(
  path: string,
  length: number,
  { size, sha256 }: Pick<FileToSave, "size" | "sha256">,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (size !== undefined && length !== size) return wrongLength(length, size);
  if (sha256 === undefined) return undefined;
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, { signal });
  const found = hash.digest("hex");
  return found === sha256.toLowerCase() ? undefined : `its SHA-256 is ${found}, expected ${sha256}`;
}

/** How a file of another length than announced differs, in bytes. */
export function wrongLength(length: number, size: number): string {
  return `received ${length} bytes, expected ${size}`;
}

/** The failure of a file that is not as it was announced, and was not kept. */
export function damaged(fileName: string, problem: string, hint = "Try again later. Nothing was written."): Failure {
  return new Failure("damaged", `${fileName} is damaged: ${problem}`, { hint });
}
