import { sizeText } from "../text/format.ts";
import type { Entry } from "./archive.ts";
import { firstFew, quoted, tooManyEntries, UnsafeArchive } from "./archive-failure.ts";
import { parentOf } from "./safe-path.ts";

/** The limits of unpacking. */
export interface Limits {
  /** Size of all files together, in bytes. */
  readonly size: number;
  /** Size of all files together, as a multiple of the size of the archive. */
  readonly ratio: number;
}

/** 16 GiB, and 200 times the archive: logs compress 20 to 50 times. */
export const defaultLimits: Limits = { size: 16 * 1024 ** 3, ratio: 200 };
/** The ratio is not checked below this size, in bytes. */
const ratioFrom = 64 * 1024 * 1024;
/** The most files and folders that one archive may unpack to. */
export const maxEntries = 1_000_000;

/** Throws when unpacking would create too many files and folders, parent folders included. */
export function checkEntryCount(files: readonly string[], folders: readonly string[], max = maxEntries): void {
  const created = new Set<string>();
  for (const [list, own] of [
    [files, false],
    [folders, true],
  ] as const) {
    for (const path of list) {
      // From the longest path on: once one was counted, so were its parents.
      for (let at = own ? path : parentOf(path); at !== "" && !created.has(at); at = parentOf(at)) created.add(at);
      if (files.length + created.size > max) throw tooManyEntries(max);
    }
  }
}

/** Throws when the files would be too large, by the recorded sizes: content that is larger is refused when it is read. */
export function checkUnpackedSize(entries: readonly Entry[], archiveSize: number, limits: Limits): void {
  const total = entries.reduce((sum, entry) => sum + entry.size, 0);
  const largest = entries.reduce((one, other) => (other.size > one.size ? other : one), entries[0] ?? nothing);
  const about = `${entries.length} files, the largest ${quoted(largest.name)} with ${sizeText(largest.size)}`;
  if (total > limits.size) {
    const message = `The archive would unpack to ${sizeText(total)}, more than the limit of ${sizeText(limits.size)} (${about})`;
    throw new UnsafeArchive(
      message,
      "If you trust the archive, raise the limit with --max-size, or pass --zip to keep it without unpacking it.",
    );
  }
  if (total > ratioFrom && total > archiveSize * limits.ratio) {
    const times = Math.round(total / archiveSize);
    const message = `The archive would unpack to ${times} times its size, more than the limit of ${limits.ratio} (${about})`;
    throw new UnsafeArchive(
      message,
      "If you trust the archive, raise the limit with --max-ratio, or pass --zip to keep it without unpacking it.",
    );
  }
}

const nothing = { name: "", size: 0 } as const;

/** Throws when a file appears twice, or has the path of a folder. */
export function checkDuplicates(files: readonly string[], folders: readonly string[]): void {
  const found = duplicates(files, folders, (path) => path);
  if (found.length === 0) return;
  throw new UnsafeArchive(`The archive has duplicate paths: ${firstFew(found.map(quoted))}`);
}

/** Paths that are the same on a file system that ignores case, Unicode normalization or trailing dots and spaces. */
export function caseCollisions(files: readonly string[], folders: readonly string[]): string[] {
  return duplicates(files, folders, (path) =>
    path
      .normalize("NFC")
      .toUpperCase()
      .toLowerCase()
      .replace(/[. ]+(?=\/|$)/g, ""),
  );
}

/** The paths that have the same key as another one: two files, or a file and a folder. */
function duplicates(files: readonly string[], folders: readonly string[], key: (path: string) => string): string[] {
  const found = new Set<string>();
  const known = new Map<string, string>();
  for (const path of files) {
    const own = key(path);
    if (known.has(own)) found.add(path);
    else known.set(own, path);
  }
  const seen = new Set<string>();
  const addFolder = (folder: string) => {
    // From the longest path on: once one was seen, so were its parents.
    for (let path = folder; path !== "" && !seen.has(path); path = parentOf(path)) {
      seen.add(path);
      if (known.has(key(path))) found.add(path);
    }
  };
  for (const path of files) addFolder(parentOf(path));
  for (const path of folders) addFolder(path);
  return [...found];
}
