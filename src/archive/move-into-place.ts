import { createReadStream } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Failure } from "../failure/failure.ts";
import { createFolders } from "../system/files.ts";
import { firstFew, quoted, UnsafeArchive, withPath } from "./archive-failure.ts";
import { type HeldFolder, holdFolder } from "./held-folder.ts";
import { type Move, moveAll } from "./move.ts";
import { isGitFolder } from "./safe-path.ts";

/** What to do with existing files that have other content. */
export type OnExisting = "refuse" | "overwrite" | "keep";

/** The folders in a staging folder: for unpacked files, and for files that they replace. */
export const unpackedName = "new";
export const replacedName = "old";

/** What is moved: files with their sizes, and folders that may be empty. */
export interface Placed {
  readonly files: readonly { readonly entry: { readonly size: number }; readonly path: string }[];
  readonly folders: readonly string[];
}

/** Where files are moved to. */
export interface Destination {
  readonly into: string;
  /** Move the files into this folder in `into`. */
  readonly subfolder: string | undefined;
  readonly onExisting: OnExisting;
  /** The system that decides how folders are opened, for tests; by default the current one. */
  readonly system?: NodeJS.Platform | undefined;
}

/**
 * Moves unpacked files from a staging folder into place by renaming, and whole folders that do not exist in the target.
 * It checks everything first, and an error leaves the target as it was. Symbolic links in the target are replaced or
 * refused, never followed. Files with the same content are accepted, so an interrupted move can be repeated. Returns
 * once every entry of the plan is in place: how many files and folders it moved, which does not count those that exist.
 */
export async function moveIntoPlace(staging: string, plan: Placed, to: Destination): Promise<number> {
  const { into, subfolder, onExisting, system } = to;
  createFolders(into);
  const source = holdFolder(staging, system);
  try {
    const target = holdFolder(into, system);
    try {
      const search: Search = {
        moves: [],
        conflicts: [],
        target,
        source,
        onExisting,
        unpacked: join(staging, unpackedName),
      };
      if (subfolder === undefined) await findMoves("", "", search);
      else await findMove("", subfolder, true, search);
      if (search.conflicts.length > 0) throw filesExist(search.conflicts);
      const folders = { source, target, backup: join(staging, replacedName) };
      await moveAll(search.moves, folders, () => confirm(plan, target, subfolder, onExisting));
      return search.moves.length;
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}

/** Throws unless every entry is in place and has its size. With `keep` it may be another file. */
async function confirm(
  { files, folders }: Placed,
  target: HeldFolder,
  subfolder: string | undefined,
  onExisting: OnExisting,
): Promise<void> {
  const at = (path: string) => (subfolder === undefined ? path : `${subfolder}/${path}`);
  for (const [index, { entry, path }] of files.entries()) {
    if (index % 256 === 255) await nextTurn();
    const stats = target.stat(at(path));
    if (stats === undefined || (onExisting !== "keep" && (!stats.isFile() || stats.size !== entry.size))) {
      throw notInPlace(at(path));
    }
  }
  for (const folder of folders) if (!target.stat(at(folder))?.isDirectory()) throw notInPlace(at(folder));
}

function notInPlace(path: string): Failure {
  return new Failure("wrong_content", `${quoted(path)} is missing after it was moved into place`, {
    hint: "Another program may be changing the directory. Try again.",
  });
}

function filesExist(paths: readonly string[]): Failure {
  const count = paths.length === 1 ? "A file already exists" : `${paths.length} files already exist`;
  return new Failure("exists", `${count}: ${firstFew(paths.map(quoted))}`, {
    hint: "Pass --clobber to replace them, or --skip-existing to keep them. The downloaded archive is kept for the next run.",
  });
}

/** What is known of the moves so far. */
interface Search {
  readonly moves: Move[];
  readonly conflicts: string[];
  readonly source: HeldFolder;
  readonly target: HeldFolder;
  readonly onExisting: OnExisting;
  /** The path of the folder of unpacked files. */
  readonly unpacked: string;
}

/** Finds the moves for the content of a folder: `path` is relative to the unpacked files, `to` to the target. */
async function findMoves(path: string, to: string, search: Search): Promise<void> {
  for (const item of await readdir(join(search.unpacked, path), { withFileTypes: true })) {
    await findMove(joined(path, item.name), joined(to, item.name), item.isDirectory(), search);
  }
}

async function findMove(path: string, to: string, isFolder: boolean, search: Search): Promise<void> {
  const { target, onExisting, moves } = search;
  const from = joined(unpackedName, path);
  const existing = target.stat(to);
  if (existing === undefined) {
    moves.push({ from, to, replaces: false });
    return;
  }
  const hint = "Remove it, or choose another directory with --dir.";
  if (isGitFolder(to.slice(to.lastIndexOf("/") + 1))) {
    throw new UnsafeArchive(`${quoted(to)} already exists, and files in it can make git run programs`, hint);
  }
  if (isFolder) {
    if (existing.isSymbolicLink())
      throw new UnsafeArchive(`${quoted(to)} is a symbolic link; files are not written through it`, hint);
    if (!existing.isDirectory())
      throw new UnsafeArchive(`${quoted(to)} is a file, but a directory in the archive`, hint);
    return findMoves(path, to, search);
  }
  if (existing.isDirectory()) throw new UnsafeArchive(`Cannot replace directory ${quoted(to)} with a file`, hint);
  if (onExisting === "keep") return;
  if (onExisting === "overwrite") moves.push({ from, to, replaces: true });
  else if (!existing.isFile() || !(await isSame(from, to, search))) search.conflicts.push(to);
}

function joined(folder: string, name: string): string {
  return folder === "" || name === "" ? `${folder}${name}` : `${folder}/${name}`;
}

async function isSame(from: string, to: string, { source, target }: Search): Promise<boolean> {
  try {
    return await sameContent(source.resolve(from), target.resolve(to));
  } catch (error) {
    throw withPath(error, to);
  }
}

async function sameContent(from: string, to: string): Promise<boolean> {
  const [one, other] = await Promise.all([lstat(from), lstat(to)]);
  if (one.size !== other.size) return false;
  const left = createReadStream(from, { highWaterMark: 64 * 1024 });
  const right = createReadStream(to, { highWaterMark: 64 * 1024 });
  try {
    const pieces = right[Symbol.asyncIterator]();
    for await (const piece of left) {
      const { value } = await pieces.next();
      if (!(piece as Buffer).equals((value ?? Buffer.alloc(0)) as Buffer)) return false;
    }
    return true;
  } finally {
    left.destroy();
    right.destroy();
  }
}
