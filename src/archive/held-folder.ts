import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats, statSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { hasCode } from "../failure/disk.ts";
import { quoted, UnsafeArchive, withPath } from "./archive-failure.ts";
import { parentOf } from "./safe-path.ts";

/** A folder whose content is accessed without following symbolic links below it. */
export interface HeldFolder {
  /**
   * The path to use for one operation on `path`, which is relative and has slashes. Throws an `UnsafeArchive` when one of
   * its parent folders is a symbolic link, or is no longer the same folder.
   */
  resolve(path: string): string;
  /** What is at a path, by `lstat`; undefined when nothing is. Throws as `resolve` does. */
  stat(path: string): Stats | undefined;
  /** Throws as `resolve` does when a parent folder of a path was replaced. */
  verify(path: string): void;
  close(): void;
}

/** The most descriptors of subfolders that are open at a time. */
const maxOpen = 16;

/**
 * Opens a folder for access without following links. On Linux each subfolder is opened through the descriptor of its
 * parent (`/proc/self/fd`), so replacing one has no effect. Node has no such paths on other systems: there the device
 * and inode of each subfolder are compared before an operation, and by `verify` after it.
 */
export function holdFolder(folder: string, system = platform()): HeldFolder {
  const ids = new Map<string, string>();
  const open = new Map<string, number>();
  const root = system === "linux" ? openRoot(folder) : undefined;
  ids.set("", inodeOf(statSync(folder)));

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
    const entry = entryPath(path);
    if (root === undefined) {
      checkSame(path, lstatOrUndefined(entry));
      return entry;
    }
    const fd = openSubfolder(entry, path);
    open.set(path, fd);
    checkSame(path, fstatSync(fd));
    return procPath(fd);
  }

  /** Remembers which folder a path is; throws when it was another one before. */
  function checkSame(path: string, stats: Stats | undefined): void {
    if (stats === undefined || !stats.isDirectory()) throw replaced(path);
    const id = inodeOf(stats);
    if ((ids.get(path) ?? id) !== id) throw replaced(path);
    ids.set(path, id);
  }

  function closeFolders(): void {
    for (const fd of open.values()) closeSync(fd);
    open.clear();
  }

  function resolve(path: string): string {
    if (open.size > maxOpen) closeFolders();
    return entryPath(path);
  }

  return {
    resolve,
    stat(path) {
      const entry = resolve(path);
      try {
        return lstatOrUndefined(entry);
      } catch (error) {
        throw withPath(error, path);
      }
    },
    verify(path) {
      for (let at = parentOf(path); at !== ""; at = parentOf(at)) checkSame(at, lstatOrUndefined(resolve(at)));
      if (inodeOf(statSync(folder)) !== ids.get("")) throw replaced(folder);
    },
    close() {
      closeFolders();
      if (root !== undefined) closeSync(root);
    },
  };
}

/** A descriptor of the folder, if paths in /proc/self/fd work. Links in the path of the folder are followed. */
function openRoot(folder: string): number | undefined {
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  const viaProc = statSync(`${procPath(fd)}/.`, { throwIfNoEntry: false });
  if (viaProc !== undefined && inodeOf(viaProc) === inodeOf(fstatSync(fd))) return fd;
  closeSync(fd);
  return undefined;
}

function openSubfolder(entry: string, path: string): number {
  try {
    return openSync(entry, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, "ELOOP", "ENOTDIR", "ENOENT")) throw replaced(path);
    throw withPath(error, path);
  }
}

function lstatOrUndefined(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function procPath(fd: number): string {
  return join("/proc/self/fd", String(fd));
}

function replaced(path: string): UnsafeArchive {
  return new UnsafeArchive(
    `${quoted(path)} is a symbolic link, or was replaced; files are not written through it`,
    "Remove it, or choose another directory with --dir.",
  );
}
