import { sizeText } from "../text/format.ts";
import type { Entry } from "./archive.ts";
import { quoted, someOf, tooMany, UnsafeArchive } from "./archive-failure.ts";
import { parentOf } from "./safe-path.ts";

/** How far unpacking may go. */
export interface Limits {
  /** Bytes, all files together. */
  readonly size: number;
  /** How many times its packed size the whole may become. */
  readonly ratio: number;
}

/** 16 GiB, and 200 times the archive: logs pack 20 to 50 times. */
export const usualLimits: Limits = { size: 16 * 1024 ** 3, ratio: 200 };
/** What any disk can take: below it the ratio says nothing. */
const harmless = 64 * 1024 * 1024;
/** Files and folders of one archive. */
export const mostEntries = 1_000_000;

/** Throws when unpacking would make too many files and folders: a path makes every folder on its way. */
export function refuseCrowds(files: readonly string[], folders: readonly string[], most = mostEntries): void {
  const made = new Set<string>();
  for (const [list, own] of [
    [files, false],
    [folders, true],
  ] as const) {
    for (const path of list) {
      // From the longest on: what was counted before needs no second look.
      for (let at = own ? path : parentOf(path); at !== "" && !made.has(at); at = parentOf(at)) made.add(at);
      if (files.length + made.size > most) throw tooMany(most);
    }
  }
}

/** Throws when the files would be too large. No entry unpacks to more than it says, so this is enough. */
export function refuseBombs(entries: readonly Entry[], packed: number, limits: Limits): void {
  const total = entries.reduce((sum, entry) => sum + entry.size, 0);
  const largest = entries.reduce((one, other) => (other.size > one.size ? other : one), entries[0] ?? nothing);
  const about = `${entries.length} files, the largest ${quoted(largest.name)} with ${sizeText(largest.size)}`;
  if (total > limits.size) {
    const message = `The archive would unpack to ${sizeText(total)}, the limit is ${sizeText(limits.size)} (${about})`;
    throw new UnsafeArchive(
      message,
      "If you trust it, raise the limit with --max-size; --zip keeps the archive as it is.",
    );
  }
  if (total > harmless && total > packed * limits.ratio) {
    const times = Math.round(total / packed);
    const message = `The archive would unpack to ${times} times its size, the limit is ${limits.ratio} (${about})`;
    throw new UnsafeArchive(
      message,
      "If you trust it, raise the limit with --max-ratio; --zip keeps the archive as it is.",
    );
  }
}

const nothing = { name: "", size: 0 } as const;

/** Throws when a file appears twice, or stands where others have a folder. */
export function refuseClashes(files: readonly string[], folders: readonly string[]): void {
  const clashing = clashes(files, folders, (path) => path);
  if (clashing.length === 0) return;
  throw new UnsafeArchive(`The archive contradicts itself: ${someOf(clashing.map(quoted))} stand in it twice`);
}

/** Paths that are one to a file system which does not tell upper from lower case, or the forms of accents. */
export function caseCollisions(files: readonly string[], folders: readonly string[]): string[] {
  return clashes(files, folders, (path) =>
    path
      .normalize("NFC")
      .toUpperCase()
      .toLowerCase()
      .replace(/[. ]+(?=\/|$)/g, ""),
  );
}

/** The paths that meet another one under a key: a file a file, or a file a folder. */
function clashes(files: readonly string[], folders: readonly string[], key: (path: string) => string): string[] {
  const found = new Set<string>();
  const known = new Map<string, string>();
  for (const path of files) {
    const own = key(path);
    if (known.has(own)) found.add(path);
    else known.set(own, path);
  }
  const seen = new Set<string>();
  const take = (folder: string) => {
    // From the longest on: what was seen before needs no second look.
    for (let path = folder; path !== "" && !seen.has(path); path = parentOf(path)) {
      seen.add(path);
      if (known.has(key(path))) found.add(path);
    }
  };
  for (const path of files) take(parentOf(path));
  for (const path of folders) take(path);
  return [...found];
}
