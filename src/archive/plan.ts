import type { Archive, Entry } from "./archive.ts";
import { quoted, someOf, UnsafeArchive } from "./archive-failure.ts";
import { caseCollisions, type Limits, refuseBombs, refuseClashes, refuseCrowds } from "./limits.ts";
import { isOverlong, safePath } from "./safe-path.ts";

/** An entry and the path below the target folder that it is written to, its parts joined by slashes. */
export interface Item {
  readonly entry: Entry;
  readonly path: string;
}

/** What unpacking an archive will write. */
export interface Plan {
  readonly files: readonly Item[];
  /** Folders that entries name by themselves, empty ones among them. */
  readonly folders: readonly string[];
  /** Paths that differ only in case: wrong where the file system takes them for one. */
  readonly collisions: readonly string[];
  /** What was made safe, for the person. */
  readonly remarks: readonly string[];
}

/**
 * Decides what unpacking an archive writes, before anything is written. Throws an `UnsafeArchive` that names the entries
 * which would leave the folder, stand for something other than a file, contradict each other, or fill the disk.
 */
export function planUnpacking(archive: Archive, limits: Limits, windows: boolean): Plan {
  // Before anything is done with them: work on a path grows with the number of its parts.
  const overlong = archive.entries.filter(({ name }) => isOverlong(name));
  if (overlong.length > 0) throw refused(overlong.map(({ name }) => `${quoted(name)} (its path is too long)`));
  const hostile: string[] = [];
  const renamed: string[] = [];
  const files: Item[] = [];
  const folders: string[] = [];
  for (const entry of archive.entries) {
    const refuse = (why: string) => hostile.push(`${quoted(entry.name)} (${why})`);
    const safe = safePath(entry.name, windows);
    if ("refused" in safe) refuse(safe.refused);
    else if (entry.kind === "link") refuse("a symbolic link");
    else if (entry.kind === "special") refuse("neither file nor folder");
    else if (entry.encrypted) refuse("encrypted");
    else if (entry.kind === "folder") {
      if (safe.path !== "") folders.push(safe.path);
    } else if (safe.path === "") refuse("no name");
    else files.push({ entry, path: safe.path });
    if ("path" in safe && safe.renamed) renamed.push(`${quoted(entry.name)} as ${quoted(safe.path)}`);
  }
  if (hostile.length > 0) throw refused(hostile);
  const paths = files.map((item) => item.path);
  refuseCrowds(paths, folders);
  refuseClashes(paths, folders);
  refuseBombs(
    files.map((item) => item.entry),
    archive.length,
    limits,
  );
  const remarks =
    renamed.length === 0 ? [] : [`Names that are not safe everywhere are written otherwise: ${someOf(renamed)}`];
  return { files, folders, collisions: caseCollisions(paths, folders), remarks };
}

function refused(entries: readonly string[]): UnsafeArchive {
  return new UnsafeArchive(`The archive has entries that are not unpacked: ${someOf(entries)}`);
}
