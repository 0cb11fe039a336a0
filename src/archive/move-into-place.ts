import { createReadStream } from "node:fs";
import { lstat, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Failure } from "../failure/failure.ts";
import { atPath, quoted, someOf, UnsafeArchive } from "./archive-failure.ts";
import { type HeldFolder, holdFolder } from "./held-folder.ts";
import { type Move, moveAll } from "./move.ts";
import type { Plan } from "./plan.ts";
import { isGitFolder } from "./safe-path.ts";

/** What becomes of files that are there already with another content. */
export type Existing = "refuse" | "overwrite" | "keep";

/** The folders in a staging folder: what was unpacked, and what is replaced by it. */
export const unpackedName = "new";
export const replacedName = "old";

/** Where things are moved to. */
export interface Destination {
  readonly into: string;
  /** A folder of that name in it takes the files. */
  readonly below: string | undefined;
  readonly existing: Existing;
  /** Whether folders are held by descriptor; that of the running system unless a test says otherwise. */
  readonly system?: NodeJS.Platform | undefined;
}

/**
 * Moves what was unpacked in a staging folder into place by renaming, whole folders at once where the target has none of
 * that name. Everything is looked at first, and a failure leaves the target as it was. Links in the target are replaced
 * or refused, never followed. A file with the same content is no obstacle, so that an interrupted move can be done
 * again. Returns when every entry of the plan was seen in its place.
 */
export async function place(staging: string, plan: Pick<Plan, "files" | "folders">, to: Destination): Promise<void> {
  const { into, below, existing, system } = to;
  await mkdir(into, { recursive: true });
  const source = holdFolder(staging, system);
  try {
    const target = holdFolder(into, system);
    try {
      const found: Found = { moves: [], inTheWay: [], target, source, existing, unpacked: join(staging, unpackedName) };
      if (below === undefined) await look("", "", found);
      else await lookAt("", below, true, found);
      if (found.inTheWay.length > 0) throw inTheWay(found.inTheWay);
      const folders = { source, target, kept: join(staging, replacedName) };
      await moveAll(found.moves, folders, () => confirm(plan, target, below, existing));
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}

/** Throws unless every entry is in its place, as large as it was written; with `keep` another file may be there. */
async function confirm(
  { files, folders }: Pick<Plan, "files" | "folders">,
  target: HeldFolder,
  below: string | undefined,
  existing: Existing,
): Promise<void> {
  const at = (path: string) => (below === undefined ? path : `${below}/${path}`);
  for (const [index, { entry, path }] of files.entries()) {
    if (index % 256 === 255) await nextTurn();
    const there = target.look(at(path));
    if (there === undefined || (existing !== "keep" && (!there.isFile() || there.size !== entry.size))) {
      throw notInPlace(at(path));
    }
  }
  for (const folder of folders) if (!target.look(at(folder))?.isDirectory()) throw notInPlace(at(folder));
}

function notInPlace(path: string): Failure {
  return new Failure("wrong_content", "failure", `${quoted(path)} is not in its place after it was moved there`, {
    hint: "Another program may work in that folder. Try again.",
  });
}

function inTheWay(paths: readonly string[]): Failure {
  const count = paths.length === 1 ? "A file is" : `${paths.length} files are`;
  return new Failure("exists", "failure", `${count} there already: ${someOf(paths.map(quoted))}`, {
    hint: "--overwrite replaces, --skip-existing keeps them. The download is kept, so that it need not be made again.",
  });
}

interface Found {
  readonly moves: Move[];
  readonly inTheWay: string[];
  readonly source: HeldFolder;
  readonly target: HeldFolder;
  readonly existing: Existing;
  /** The folder that holds what was unpacked. */
  readonly unpacked: string;
}

/** Looks at what a folder of the archive holds; `path` is below what was unpacked, `to` below the target. */
async function look(path: string, to: string, found: Found): Promise<void> {
  for (const item of await readdir(join(found.unpacked, path), { withFileTypes: true })) {
    await lookAt(joined(path, item.name), joined(to, item.name), item.isDirectory(), found);
  }
}

async function lookAt(path: string, to: string, folder: boolean, found: Found): Promise<void> {
  const { target, existing, moves } = found;
  const from = joined(unpackedName, path);
  const there = target.look(to);
  if (there === undefined) {
    moves.push({ from, to, replaces: false });
    return;
  }
  const hint = "Move it away, or choose another folder with --dir.";
  if (isGitFolder(to.slice(to.lastIndexOf("/") + 1))) {
    throw new UnsafeArchive(`${quoted(to)} is there already: what it holds can run programs`, hint);
  }
  if (folder) {
    if (there.isSymbolicLink())
      throw new UnsafeArchive(`${quoted(to)} is a link there; nothing is written through it`, hint);
    if (!there.isDirectory())
      throw new UnsafeArchive(`${quoted(to)} is a file there, and a folder in the archive`, hint);
    return look(path, to, found);
  }
  if (there.isDirectory()) throw new UnsafeArchive(`${quoted(to)} is a folder there, and a file in the archive`, hint);
  if (existing === "keep") return;
  if (existing === "overwrite") moves.push({ from, to, replaces: true });
  else if (!there.isFile() || !(await isSame(from, to, found))) found.inTheWay.push(to);
}

function joined(folder: string, name: string): string {
  return folder === "" || name === "" ? `${folder}${name}` : `${folder}/${name}`;
}

async function isSame(from: string, to: string, { source, target }: Found): Promise<boolean> {
  try {
    return await sameContent(source.reach(from), target.reach(to));
  } catch (error) {
    throw atPath(error, to);
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
