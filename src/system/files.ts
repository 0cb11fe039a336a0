import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, statSync, writeSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { hasCode } from "../failure/disk.ts";
import { UsageError } from "../failure/failure.ts";
import type { System } from "./system.ts";

/** The path of a file of the package, from `dist` and from `src`. */
export function packageFile(...parts: readonly string[]): string {
  let top = __dirname;
  while (!existsSync(join(top, "package.json")) && top !== dirname(top)) top = dirname(top);
  return join(top, ...parts);
}

/** What the path of a file that a user named depends on. */
export type Place = Pick<System, "cwd" | "confine">;

/**
 * The absolute path of a file that a user named, which every command uses. The current directory is needed only for a
 * relative one. Throws a usage error if it must not be used: see `System.confine`.
 */
export function fullPath(file: string, system: Place): string {
  if (system.confine !== undefined) return system.confine(file);
  return isAbsolute(file) ? resolve(file) : resolve(system.cwd, file);
}

/**
 * Throws a usage error for a relative path to write to that leads through a symbolic link: a clone can contain one that
 * leads into its own .git. An absolute path is as the user says. With `followsLink`, the path itself may be a link.
 */
export function refuseLinks(typed: string, system: Place, followsLink = false): void {
  // Tools are confined by where a path leads.
  if (system.confine !== undefined || isAbsolute(typed)) return;
  const parts = typed.split(sep === "/" ? "/" : /[\\/]/);
  for (let count = 1; count <= parts.length - (followsLink ? 1 : 0); count += 1) {
    const named = join(...parts.slice(0, count));
    const path = resolve(system.cwd, named);
    const end = followLinks(path);
    if (end === path) continue;
    const message = `'${named}' is a symbolic link; files are not written through it`;
    throw new UsageError(message, `If you trust it, pass where it leads: ${join(end, ...parts.slice(count))}`);
  }
}

/** The path of a file for messages: relative to the current directory if the file is inside it, else absolute. */
export function shownPath(file: string, { cwd }: { readonly cwd: string }): string {
  const from = relative(cwd, file);
  if (from === "") return ".";
  return from === ".." || from.startsWith(`..${sep}`) || isAbsolute(from) ? file : from;
}

/** Resolves symbolic links, also if the target does not exist yet. */
export function followLinks(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  try {
    return realpathSync(path);
  } catch {
    return resolve(dirname(path), readlinkSync(path));
  }
}

/**
 * Creates a folder and the parent folders that are missing; returns the first one that it created, if any. `mkdir` of
 * Node 20 with `recursive` never ends for a path such as /proc/x/y, where no folder can be created.
 */
export function createFolders(folder: string, mode = 0o777): string | undefined {
  const path = resolve(folder);
  try {
    return createFolder(path, mode);
  } catch (error) {
    if (!hasCode(error, "ENOENT") || dirname(path) === path) throw error;
  }
  const first = createFolders(dirname(path), mode);
  const last = createFolder(path, mode);
  return first ?? last;
}

/** Creates a folder and returns its path; undefined if it exists. */
function createFolder(path: string, mode: number): string | undefined {
  try {
    mkdirSync(path, { mode });
    return path;
  } catch (error) {
    if (!hasCode(error, "ENOENT") && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
      return undefined;
    throw error;
  }
}

declare const TONGS_VERSION: string | undefined;

/** The version of tongs, set by the build. */
export const version: string = typeof TONGS_VERSION === "string" ? TONGS_VERSION : "0.0.0-source";

/**
 * Writes all bytes at the current position of a file descriptor; a single write may be partial. Throws the error of the
 * system: a full disk, for example.
 */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
}

/** Whether a folder is there, and only the user can write to it. */
export function isPrivate(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  const uid = process.geteuid?.();
  // On Windows there are no user IDs, and the folder is in the user's own.
  return uid === undefined || (found.uid === uid && (found.mode & 0o022) === 0);
}
