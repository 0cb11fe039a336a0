import { existsSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import type { Archive, Entry } from "./archive.ts";
import { firstFew, quoted, UnsafeArchive } from "./archive-failure.ts";
import { caseCollisions, checkDuplicates, checkEntryCount, checkUnpackedSize, type Limits } from "./limits.ts";
import { bareParts, isOverlong, safePath } from "./safe-path.ts";

/** An entry and its path in the target folder, with slashes. */
export interface PlannedFile {
  readonly entry: Entry;
  readonly path: string;
}

/** What unpacking an archive writes. */
export interface Plan {
  readonly files: readonly PlannedFile[];
  /** Folders that have entries of their own; they may be empty. */
  readonly folders: readonly string[];
  /** Paths that are the same on a file system that ignores case. */
  readonly collisions: readonly string[];
  /** Warnings for the user about names that were changed. */
  readonly warnings: readonly string[];
}

/**
 * Decides what unpacking an archive writes, before anything is written. Throws an `UnsafeArchive` that names the entries
 * that would be written outside the folder, are not files or folders, are duplicates, or could fill the disk.
 */
export function planUnpacking(archive: Archive, limits: Limits, windows: boolean): Plan {
  // First, because the work on a path grows with its length.
  const overlong = archive.entries.filter(({ name }) => isOverlong(name));
  if (overlong.length > 0) throw unsafeEntries(overlong.map(({ name }) => `${quoted(name)} (the path is too long)`));
  const unsafe: string[] = [];
  const renamed: string[] = [];
  const files: PlannedFile[] = [];
  const folders: string[] = [];
  for (const entry of archive.entries) {
    const refuse = (why: string) => unsafe.push(`${quoted(entry.name)} (${why})`);
    const safe = safePath(entry.name, windows);
    if ("refused" in safe) refuse(safe.refused);
    else if (entry.kind === "link") refuse("a symbolic link");
    else if (entry.kind === "special") refuse("not a regular file");
    else if (entry.isEncrypted) refuse("encrypted");
    else if (entry.kind === "folder") {
      if (safe.path !== "") folders.push(safe.path);
    } else if (safe.path === "") refuse("an empty name");
    else files.push({ entry, path: safe.path });
    if ("path" in safe && safe.renamed) renamed.push(`${quoted(entry.name)} as ${quoted(safe.path)}`);
  }
  if (unsafe.length > 0) throw unsafeEntries(unsafe);
  const paths = files.map((item) => item.path);
  const bare = bareParts([...paths, ...folders]);
  if (bare.length > 0) throw bareRepository(bare);
  checkEntryCount(paths, folders);
  checkDuplicates(paths, folders);
  checkUnpackedSize(
    files.map((item) => item.entry),
    archive.length,
    limits,
  );
  const warnings =
    renamed.length === 0 ? [] : [`Renamed because the names are not safe on every system: ${firstFew(renamed)}`];
  return { files, folders, collisions: caseCollisions(paths, folders), warnings };
}

/** Throws an `UnsafeArchive` if what is in the target folder becomes a bare repository by the files of the plan. */
export function refuseCompleting({ files, folders }: Plan, top: string): void {
  const paths = [...files.map(({ path }) => path), ...folders];
  const parents = new Set(paths.flatMap((path) => path.split("/").map((_, at, all) => all.slice(0, at).join("/"))));
  const there = [...parents]
    .filter((folder) => existsSync(`${top}/${folder}/.`))
    .flatMap((folder) => readdirSync(`${top}/${folder}`).map((name) => posix.join(folder, name)));
  const before = bareParts(there);
  const bare = bareParts([...paths, ...there]).filter((path) => !before.includes(path));
  if (bare.length > 0) throw bareRepository(bare);
}

function bareRepository(paths: readonly string[]): UnsafeArchive {
  return unsafeEntries(paths.map((path) => `${quoted(path)} (a bare git repository)`));
}

function unsafeEntries(entries: readonly string[]): UnsafeArchive {
  return new UnsafeArchive(`The archive has unsafe entries: ${firstFew(entries)}`);
}
