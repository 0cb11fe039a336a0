import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats, statSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { atPath, quoted, UnsafeArchive } from "./archive-failure.ts";
import { parentOf } from "./safe-path.ts";

/** A folder whose contents are reached without following any link below it. */
export interface HeldFolder {
  /**
   * The path for one operation on what stands at `path` below the folder (parts joined by slashes). Throws an
   * `UnsafeArchive` when a folder on the way is a link, or another one than it was before.
   */
  reach(path: string): string;
  /** What stands at a path; undefined when nothing does. Throws as `reach` does. */
  look(path: string): Stats | undefined;
  /** Throws when a folder on the way to a path has become another one, or a link. */
  check(path: string): void;
  close(): void;
}

/** Descriptors of subfolders that are open at once. */
const mostOpen = 16;

/**
 * Holds a folder. On Linux each subfolder is opened from its parent's descriptor, without following links, and an
 * operation goes through `/proc/self/fd`: what others put in its place meanwhile has no effect. Other systems have no
 * such paths in Node: there the device and inode of each subfolder are compared before an operation, and by `check` after it.
 */
export function holdFolder(folder: string, system = platform()): HeldFolder {
  const ids = new Map<string, string>();
  const open = new Map<string, number>();
  const root = system === "linux" ? openRoot(folder) : undefined;
  ids.set("", idOf(statSync(folder)));

  function parentPath(path: string): string {
    return folderPath(parentOf(path));
  }

  function entryPath(path: string): string {
    return `${parentPath(path)}/${path.slice(path.lastIndexOf("/") + 1)}`;
  }

  function folderPath(path: string): string {
    if (path === "") return root === undefined ? folder : procPath(root);
    const known = open.get(path);
    if (known !== undefined) return procPath(known);
    const there = entryPath(path);
    if (root === undefined) {
      same(path, lookAt(there));
      return there;
    }
    const fd = openFolder(there, path);
    open.set(path, fd);
    same(path, fstatSync(fd));
    return procPath(fd);
  }

  /** Remembers which folder a path led to; throws when it was another one. */
  function same(path: string, facts: Stats | undefined): void {
    if (facts === undefined || !facts.isDirectory()) throw linked(path);
    const id = idOf(facts);
    if ((ids.get(path) ?? id) !== id) throw linked(path);
    ids.set(path, id);
  }

  function closeFolders(): void {
    for (const fd of open.values()) closeSync(fd);
    open.clear();
  }

  function reach(path: string): string {
    if (open.size > mostOpen) closeFolders();
    return entryPath(path);
  }

  return {
    reach,
    look(path) {
      const there = reach(path);
      try {
        return lookAt(there);
      } catch (error) {
        throw atPath(error, path);
      }
    },
    check(path) {
      for (let at = parentOf(path); at !== ""; at = parentOf(at)) same(at, lookAt(reach(at)));
      if (idOf(statSync(folder)) !== ids.get("")) throw linked(folder);
    },
    close() {
      closeFolders();
      if (root !== undefined) closeSync(root);
    },
  };
}

/** The descriptor of the folder itself, where paths by descriptor work; the links on the way to it are the person's. */
function openRoot(folder: string): number | undefined {
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  const through = statSync(`${procPath(fd)}/.`, { throwIfNoEntry: false });
  if (through !== undefined && idOf(through) === idOf(fstatSync(fd))) return fd;
  closeSync(fd);
  return undefined;
}

function openFolder(there: string, path: string): number {
  try {
    return openSync(there, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ELOOP" || code === "ENOTDIR" || code === "ENOENT") throw linked(path);
    throw atPath(error, path);
  }
}

function lookAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function idOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function procPath(fd: number): string {
  return join("/proc/self/fd", String(fd));
}

function linked(path: string): UnsafeArchive {
  return new UnsafeArchive(
    `${quoted(path)} is a link there, or another folder than before; nothing is written through it`,
    "Move it away, or choose another folder with --dir.",
  );
}
