import { createReadStream } from "node:fs";
import { lstat, mkdir, readdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { Failure } from "../failure/failure.ts";
import { quoted, someOf, UnsafeArchive } from "./archive-failure.ts";

/** What becomes of files that are there already with another content. */
export type Existing = "refuse" | "overwrite" | "keep";

interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * Moves what a folder holds into another one by renaming, whole folders at once where the target has none of that name.
 * Everything is looked at first: a failure leaves the target as it was. Links in the target are replaced or refused,
 * never followed. A file with the same content is no obstacle, so that an interrupted move can be done again.
 */
export async function place(from: string, into: string, below: string | undefined, existing: Existing): Promise<void> {
  const found = { moves: [] as Move[], inTheWay: [] as string[] };
  if (below === undefined) await look(from, into, "", existing, found);
  else await lookAt({ from, to: join(into, below) }, below, true, existing, found);
  if (found.inTheWay.length > 0) {
    const count = found.inTheWay.length === 1 ? "A file is" : `${found.inTheWay.length} files are`;
    throw new Failure("exists", "failure", `${count} there already: ${someOf(found.inTheWay.map(quoted))}`, {
      hint: "--overwrite replaces, --skip-existing keeps them. The download is kept, so that it need not be made again.",
    });
  }
  await mkdir(into, { recursive: true });
  for (const { from: one, to } of found.moves) await rename(one, to);
}

interface Found {
  readonly moves: Move[];
  readonly inTheWay: string[];
}

async function look(from: string, to: string, path: string, existing: Existing, found: Found): Promise<void> {
  for (const item of await readdir(from, { withFileTypes: true })) {
    const move = { from: join(from, item.name), to: join(to, item.name) };
    await lookAt(move, path === "" ? item.name : `${path}/${item.name}`, item.isDirectory(), existing, found);
  }
}

async function lookAt(move: Move, path: string, folder: boolean, existing: Existing, found: Found): Promise<void> {
  const there = await lstat(move.to).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (there === undefined) {
    found.moves.push(move);
    return;
  }
  const hint = "Move it away, or choose another folder with --dir.";
  if (/^\.git$/i.test(basename(move.to))) {
    throw new UnsafeArchive(`${quoted(path)} is there already: what it holds can run programs`, hint);
  }
  if (folder) {
    if (there.isSymbolicLink())
      throw new UnsafeArchive(`${quoted(path)} is a link there; nothing is written through it`, hint);
    if (!there.isDirectory())
      throw new UnsafeArchive(`${quoted(path)} is a file there, and a folder in the archive`, hint);
    return look(move.from, move.to, path, existing, found);
  }
  if (there.isDirectory())
    throw new UnsafeArchive(`${quoted(path)} is a folder there, and a file in the archive`, hint);
  if (existing === "keep") return;
  if (existing === "overwrite") found.moves.push(move);
  else if (!there.isFile() || !(await sameContent(move))) found.inTheWay.push(path);
}

async function sameContent({ from, to }: Move): Promise<boolean> {
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
