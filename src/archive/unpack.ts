import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, readSync, rmSync } from "node:fs";
import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { Failure } from "../failure/failure.ts";
import { writeAll } from "../system/write-all.ts";
import { type Archive, type Entry, openArchive } from "./archive.ts";
import { atPath, quoted, someOf, UnsafeArchive } from "./archive-failure.ts";
import { forEachEntry, readContent } from "./content.ts";
import { type Limits, mostEntries } from "./limits.ts";
import { type Existing, place, replacedName, unpackedName } from "./move-into-place.ts";
import { type Item, type Plan, planUnpacking } from "./plan.ts";

/** How an archive is unpacked. */
export interface Unpacking {
  /** The folder to unpack into; made when it is not there. Links on the way to it were chosen by the person. */
  readonly into: string;
  /** A folder of that name in it takes the files; nothing that stands there already is followed. */
  readonly below?: string | undefined;
  /** A folder on the file system of the target, for this run alone: nothing may be there yet. Removed in the end. */
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
 * into place by renaming. Ended at any moment, what is in place is whole. Throws, with nothing in place, when the
 * archive is damaged (`DamagedArchive`), unsafe (`UnsafeArchive`) or files stand in the way.
 */
export async function unpackArchive(path: string, unpacking: Unpacking): Promise<void> {
  const { into, staging, limits, windows } = unpacking;
  const archive = await openArchive(path, { most: mostEntries });
  try {
    const plan = planUnpacking(archive, limits, windows);
    await mkdir(into, { recursive: true });
    await mkdir(staging);
    try {
      await unpackBy(plan, archive, unpacking);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  } finally {
    await archive.close();
  }
}

async function unpackBy(plan: Plan, archive: Archive, unpacking: Unpacking): Promise<void> {
  const { into, staging, below, existing, signal, onRemark } = unpacking;
  const unpacked = join(staging, unpackedName);
  await mkdir(unpacked);
  await mkdir(join(staging, replacedName));
  await checkCase(plan, staging, onRemark);
  for (const remark of plan.remarks) onRemark(remark);
  await fill(archive, plan, unpacked, signal);
  await place(staging, plan, { into, below, existing });
}

/** Paths that differ only in case are fine where the file system tells them apart, and refused elsewhere. */
async function checkCase({ collisions }: Plan, staging: string, onRemark: (remark: string) => void): Promise<void> {
  if (collisions.length === 0) return;
  const names = someOf(collisions.map(quoted));
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
    try {
      mkdirSync(join(staging, folder), { recursive: true });
    } catch (error) {
      throw atPath(error, folder);
    }
    made.add(folder);
  };
  for (const folder of plan.folders) make(folder);
  for (const { path } of plan.files) make(dirname(path));
  await forEachEntry(plan.files, signal, async (item) => {
    try {
      await writeItem(archive, item, staging, signal);
    } catch (error) {
      throw atPath(error, item.path);
    }
  });
}

async function writeItem(archive: Archive, { entry, path }: Item, staging: string, signal: AbortSignal): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const mode = entry.executable ? 0o777 : 0o666;
  const place = join(staging, path);
  let fd: number | undefined = openSync(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    const write = (piece: Buffer) => {
      // After it is closed the number may be that of another file.
      if (fd === undefined) throw new Error(`${quoted(path)} was closed while it was written`);
      writeAll(fd, piece);
    };
    await readContent(archive, entry, write, signal);
  } finally {
    const open = fd;
    fd = undefined;
    closeSync(open);
  }
  await checkWritten(place, entry, signal);
}

/** Whether there is something at a path, a broken link included. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Bytes read at once, and between two looks at the signal. */
const block = 1024 * 1024;

/** One after the other reads into it, and none waits while it holds something. */
let room: Buffer | undefined;

/**
 * Compares the file that was written for an entry with the size and the CRC of that entry. The file is opened anew by
 * its path, so that it is the file itself that counts. Throws a `Failure` when they differ.
 */
export async function checkWritten(path: string, entry: Entry, signal: AbortSignal): Promise<void> {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { size } = fstatSync(fd);
    if (size !== entry.size) throw differs(entry, `${size} bytes instead of ${entry.size}`);
    room ??= Buffer.allocUnsafeSlow(block);
    let crc = 0;
    for (let done = 0; done < size; ) {
      const read = readSync(fd, room, 0, Math.min(block, size - done), done);
      if (read === 0) throw differs(entry, "it became shorter");
      crc = crc32(room.subarray(0, read), crc);
      done += read;
      if (done < size) await nextTurn();
      if (signal.aborted) throw signal.reason;
    }
    if (crc !== entry.crc) throw differs(entry, "its checksum differs");
  } finally {
    closeSync(fd);
  }
}

function differs(entry: Entry, how: string): Failure {
  const message = `What was written of ${quoted(entry.name)} is not what the archive holds: ${how}`;
  return new Failure("wrong_content", "failure", message, {
    hint: "Nothing was put in place. Another program may have changed it, or the disk fails.",
  });
}
