import { createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { platform } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type BatchItem, batch } from "../../app/batch.ts";
import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { displayName, quoted, UnsafeArchive } from "../../archive/archive-failure.ts";
import { moveIntoPlace, type OnExisting, replacedName, unpackedName } from "../../archive/move-into-place.ts";
import { isOverlong, safePath } from "../../archive/safe-path.ts";
import { damaged, wrongLength } from "../../download/save-file.ts";
import { openScratch } from "../../download/scratch.ts";
import { reportDiskErrors } from "../../failure/disk.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { Failure } from "../../failure/failure.ts";
import { contentBytes, lfsPointer, mediaFileGet, rawFileGet } from "../../forge/contents.ts";
import { type FileEntry, lookUpFiles } from "../../forge/many-files.ts";
import { call } from "../../forge/operation.ts";
import { fullName } from "../../repo/repo-name.ts";
import { createFolders, fullPath, shownPath } from "../../system/files.ts";
import { lock } from "../../system/lock.ts";
import { sizeText } from "../../text/format.ts";
import { notAFile } from "./not-a-file.ts";

type SaveContext = Pick<BaseContext, "out" | "system" | "options"> & RepositoryContext;

interface SaveOptions {
  readonly ref: string | undefined;
  readonly dir: string;
  readonly lfs: boolean;
  readonly onExisting: OnExisting;
}

/** How many files are waited for at a time: those of several requests for many files. */
const jobs = 120;

/**
 * Saves files of a repository below a folder. Each is written to a scratch folder in it and then renamed, so that no file
 * is half there. Continues after a failure, and returns the exit name of the batch.
 */
export async function saveFiles(
  paths: readonly string[],
  options: SaveOptions,
  context: SaveContext,
): Promise<ExitName | undefined> {
  const { http, repo, system, out } = context;
  const into = fullPath(options.dir, system);
  const lookUp = lookUpFiles(http, repo, { paths, ref: options.ref });
  const inTurn = oneAtATime();
  let scratch: ReturnType<typeof lockedScratch> | undefined;
  let number = 0;

  async function save(path: string): Promise<BatchItem> {
    const target = localPath(path);
    const entry = await lookUp(path);
    if (entry === undefined) throw missing(path, context);
    if (entry.type !== "file") throw notAFile({ ...entry, path });
    const file = shownPath(fullPath(join(into, target), system), system);
    if (context.options.dryRun) {
      const about = `${displayName(path)}${entry.size === undefined ? "" : ` (${sizeText(entry.size)})`}`;
      return { message: `Would download ${about} from ${fullName(repo)} to ${file}` };
    }
    const { content, size: announced } = await sourceOf(path, entry, options, context);
    number += 1;
    const own = String(number);
    const { size, isKept } = await reportDiskErrors(async () => {
      scratch ??= lockedScratch(into);
      const staging = join((await scratch).folder, own);
      const written = await write(staging, target, content, system.signal);
      if (announced !== undefined && written !== announced)
        throw damaged(displayName(path), wrongLength(written, announced));
      const moved = await inTurn(() => place(staging, { path: target, size: written }, into, options.onExisting));
      return { size: written, isKept: options.onExisting === "keep" && moved === 0 };
    });
    return {
      message: isKept
        ? `${file} already exists`
        : `Saved ${displayName(path)} (${sizeText(size)}) from ${fullName(repo)}`,
      prints: file,
      record: { ...entry, content: null, file },
    };
  }

  try {
    return await batch(
      paths,
      save,
      { ...context, out: context.options.dryRun ? out : quietUnlessFew(out, paths.length) },
      { jobs, name: displayName },
    );
  } finally {
    (await scratch?.catch(() => undefined))?.remove();
  }
}

/**
 * The content of a file: as the record has it, or as a stream if it is large or a Git LFS file; and its size in bytes, if it
 * is that of the record.
 */
async function sourceOf(
  path: string,
  entry: FileEntry,
  { ref, lfs }: SaveOptions,
  { http, repo, out }: SaveContext,
): Promise<{ readonly content: Buffer | AsyncIterable<Buffer>; readonly size: number | undefined }> {
  const { size } = entry;
  const bytes = contentBytes(entry);
  if (bytes === undefined) return { content: (await call(http, rawFileGet, { repo, filepath: path, ref })).body, size };
  const pointer = lfsPointer(bytes);
  if (pointer === undefined) return { content: bytes, size };
  if (lfs) return { content: (await call(http, mediaFileGet, { repo, filepath: path, ref })).body, size: undefined };
  out.warn(`${displayName(path)} is a Git LFS pointer to ${sizeText(pointer.size)}; pass --lfs to download that file`);
  return { content: bytes, size };
}

/** Writes one file below `staging`. Returns its size. */
async function write(
  staging: string,
  target: string,
  source: Buffer | AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<number> {
  const written = join(staging, unpackedName, target);
  await mkdir(dirname(written), { recursive: true });
  await mkdir(join(staging, replacedName));
  const pieces = Buffer.isBuffer(source) ? [source] : source;
  await pipeline(pieces, createWriteStream(written, { flags: "wx" }), { signal });
  return (await stat(written)).size;
}

/** Moves a file from `staging` into its folder, following no symbolic links. Returns 0 if the file existed, else 1. */
async function place(
  staging: string,
  { path, size }: { readonly path: string; readonly size: number },
  into: string,
  onExisting: OnExisting,
): Promise<number> {
  try {
    const plan = { files: [{ entry: { size }, path }], folders: [] };
    return await moveIntoPlace(staging, plan, { into, subfolder: undefined, onExisting });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "exists") throw error;
    const hint = "Pass --clobber to replace it, or --skip-existing to keep it.";
    throw new Failure("exists", error.message, { hint });
  }
}

/** A scratch folder that no other process uses; what a killed one has left in its place is removed. */
async function lockedScratch(into: string): Promise<{ readonly folder: string; readonly remove: () => void }> {
  createFolders(into);
  const { dev, ino } = await stat(into, { bigint: true });
  for (let number = 1; ; number += 1) {
    const key = `file get ${number}`;
    const held = await lock(`${dev}:${ino}/${key}`);
    if (held === undefined) continue;
    const scratch = openScratch(into, key, "files");
    const remove = () => {
      scratch.remove();
      held.release();
    };
    return { folder: scratch.unpacking, remove };
  }
}

/** The path below the folder. Throws for one that is not safe to write. */
function localPath(path: string): string {
  const safe = isOverlong(path) ? { refused: "the path is too long" } : safePath(path, platform() === "win32", "git");
  if ("path" in safe) return safe.path;
  throw new UnsafeArchive(`${quoted(path)} is not saved: ${safe.refused}`, "Print it: tongs file view PATH");
}

function missing(path: string, { repo }: SaveContext): Failure {
  return new Failure("not_found", `File ${displayName(path)} not found in ${fullName(repo)}`);
}

/** A function that runs its work in turn: two files may need the same new folder. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}

/** The messages of many files are left out: their paths are on stdout. */
function quietUnlessFew(out: SaveContext["out"], count: number): SaveContext["out"] {
  if (count <= 10 || out.records) return out;
  return { ...out, done: async (_message, { prints } = {}) => out.raw(`${prints}\n`) };
}
