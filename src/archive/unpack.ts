import { closeSync, constants, existsSync, openSync, rmSync } from "node:fs";
import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createFolders, writeAll } from "../system/files.ts";
import { type Archive, openArchive } from "./archive.ts";
import { firstFew, quoted, UnsafeArchive, withPath } from "./archive-failure.ts";
import { forEachEntry, readContent } from "./content.ts";
import { type Limits, maxEntries } from "./limits.ts";
import { moveIntoPlace, type OnExisting, replacedName, unpackedName } from "./move-into-place.ts";
import { type Plan, type PlannedFile, planUnpacking, refuseCompleting } from "./plan.ts";

/** How an archive is unpacked. */
export interface UnpackOptions {
  /** The folder to unpack into, created if needed. Symbolic links in this path are followed: the user chose it. */
  readonly into: string;
  /** Unpack into this folder in `into`, which must not be a symbolic link. */
  readonly subfolder?: string | undefined;
  /** A folder that does not exist yet, on the file system of `into`, for unpacked files. Removed at the end. */
  readonly staging: string;
  readonly limits: Limits;
  readonly onExisting: OnExisting;
  readonly windows: boolean;
  readonly signal: AbortSignal;
  /** Receives warnings about names that were changed. */
  readonly onWarning: (warning: string) => void;
}

/**
 * Unpacks a zip archive into a new staging folder, checks every file, then moves the files into place by renaming, so
 * that files in place are complete whenever it is killed. Throws, with nothing in place, when the archive is damaged
 * (`DamagedArchive`) or unsafe (`UnsafeArchive`), or when files exist.
 */
export async function unpackArchive(path: string, options: UnpackOptions): Promise<void> {
  const { into, subfolder, staging, limits, windows } = options;
  const archive = await openArchive(path, { max: maxEntries });
  try {
    const plan = planUnpacking(archive, limits, windows);
    refuseCompleting(plan, join(into, subfolder ?? ""));
    createFolders(into);
    await mkdir(staging);
    try {
      await unpackPlan(plan, archive, options);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  } finally {
    await archive.close();
  }
}

async function unpackPlan(plan: Plan, archive: Archive, options: UnpackOptions): Promise<void> {
  const { into, staging, subfolder, onExisting, signal, onWarning } = options;
  const unpacked = join(staging, unpackedName);
  await mkdir(unpacked);
  await mkdir(join(staging, replacedName));
  await checkCase(plan, staging, onWarning);
  for (const warning of plan.warnings) onWarning(warning);
  await writeFiles(archive, plan, unpacked, signal);
  await moveIntoPlace(staging, plan, { into, subfolder, onExisting });
}

/** Throws when paths differ only in case and the file system ignores case; warns about them when it does not. */
async function checkCase({ collisions }: Plan, staging: string, onWarning: (warning: string) => void): Promise<void> {
  if (collisions.length === 0) return;
  const names = firstFew(collisions.map(quoted));
  const probe = join(staging, "tongs-case");
  await writeFile(probe, "");
  const ignoresCase = existsSync(join(staging, "TONGS-CASE"));
  await rm(probe);
  if (ignoresCase) throw new UnsafeArchive(`The archive has paths that are the same on this file system: ${names}`);
  onWarning(`Paths that differ only in case, and are the same on other systems: ${names}`);
}

async function writeFiles(archive: Archive, plan: Plan, staging: string, signal: AbortSignal): Promise<void> {
  const created = new Set<string>(["", "."]);
  const create = (folder: string) => {
    if (created.has(folder)) return;
    try {
      createFolders(join(staging, folder));
    } catch (error) {
      throw withPath(error, folder);
    }
    created.add(folder);
  };
  for (const folder of plan.folders) create(folder);
  for (const { path } of plan.files) create(dirname(path));
  await forEachEntry(plan.files, signal, async (item) => {
    try {
      await writeItem(archive, item, staging, signal);
    } catch (error) {
      throw withPath(error, item.path);
    }
  });
}

async function writeItem(
  archive: Archive,
  { entry, path }: PlannedFile,
  staging: string,
  signal: AbortSignal,
): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const mode = entry.isExecutable ? 0o777 : 0o666;
  const target = join(staging, path);
  let fd: number | undefined = openSync(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    const write = (piece: Buffer) => {
      // A closed descriptor may already be that of another file.
      if (fd === undefined) throw new Error(`Write to ${quoted(path)} after it was closed`);
      writeAll(fd, piece);
    };
    await readContent(archive, entry, write, signal);
  } finally {
    const open = fd;
    fd = undefined;
    closeSync(open);
  }
}

/** Whether a path exists, be it a broken symbolic link. */
export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
