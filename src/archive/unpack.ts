import { closeSync, constants, existsSync, mkdirSync, openSync, rmSync } from "node:fs";
import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeAll } from "../system/files.ts";
import { type Archive, openArchive } from "./archive.ts";
import { someOf, UnsafeArchive } from "./archive-failure.ts";
import type { Limits } from "./bombs.ts";
import { readContent } from "./content.ts";
import { type Existing, place } from "./place.ts";
import { type Item, type Plan, planUnpacking } from "./plan.ts";
import { inLanes } from "./verify.ts";

/** How an archive is unpacked. */
export interface Unpacking {
  /** The folder to unpack into; made when it is not there. Links on the way to it were chosen by the person. */
  readonly into: string;
  /** A folder of that name in it takes the files; nothing that stands there already is followed. */
  readonly below?: string | undefined;
  /** A folder beside the target, on the same file system, that only this run uses. Removed in the end. */
  readonly staging: string;
  readonly limits: Limits;
  readonly existing: Existing;
  readonly windows: boolean;
  readonly signal: AbortSignal;
  /** Told of what was made safe. */
  readonly onRemark: (remark: string) => void;
}

/**
 * Unpacks a zip archive: first, checked, into a fresh folder of its own where no link can lead away, then file by file
 * into place by renaming. Ended at any moment, what is in place is whole. Throws before anything is in place when the
 * archive is damaged (`DamagedArchive`), unsafe (`UnsafeArchive`) or files stand in the way.
 */
export async function unpackArchive(path: string, unpacking: Unpacking): Promise<void> {
  const { into, below, staging, limits, windows, signal, onRemark } = unpacking;
  const archive = await openArchive(path);
  try {
    const plan = planUnpacking(archive, limits, windows);
    await mkdir(into, { recursive: true });
    await mkdir(staging).catch(async () => {
      // Left by a run that was killed. Removing does not follow links, and making fails where anything is left.
      await rm(staging, { recursive: true, force: true });
      await mkdir(staging);
    });
    await checkCase(plan, staging, onRemark);
    for (const remark of plan.remarks) onRemark(remark);
    await fill(archive, plan, staging, signal);
    await place(staging, into, below, unpacking.existing);
  } finally {
    await archive.close();
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Paths that differ only in case are fine where the file system tells them apart, and refused elsewhere. */
async function checkCase({ collisions }: Plan, staging: string, onRemark: (remark: string) => void): Promise<void> {
  if (collisions.length === 0) return;
  const names = someOf(collisions.map((path) => `'${path}'`));
  const probe = join(staging, "tongs-case");
  await writeFile(probe, "");
  const folds = existsSync(join(staging, "TONGS-CASE"));
  await rm(probe);
  if (folds) throw new UnsafeArchive(`The archive has names that are one file here: ${names}`);
  onRemark(`Names that differ from others only in case, and are one file on other systems: ${names}`);
}

async function fill(archive: Archive, plan: Plan, staging: string, signal: AbortSignal): Promise<void> {
  const made = new Set<string>(["", "."]);
  const make = (folder: string) => {
    if (made.has(folder)) return;
    mkdirSync(join(staging, folder), { recursive: true });
    made.add(folder);
  };
  for (const folder of plan.folders) make(folder);
  for (const { path } of plan.files) make(dirname(path));
  await inLanes(plan.files, signal, (item) => writeItem(archive, item, staging, signal));
}

async function writeItem(archive: Archive, { entry, path }: Item, staging: string, signal: AbortSignal): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const mode = entry.executable ? 0o777 : 0o666;
  const fd = openSync(join(staging, path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    const written = readContent(archive, entry, (piece) => writeAll(fd, piece), signal);
    await written;
  } finally {
    closeSync(fd);
  }
}

/** Whether there is something at a path, a broken link included. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
