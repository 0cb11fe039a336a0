import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { hasCode, reasonOf } from "../../failure/disk.ts";
import { UsageError } from "../../failure/failure.ts";
import { cacheFolder, configFolder, stateFolder } from "../../system/base-folders.ts";
import { fullPath } from "../../system/files.ts";
import type { System } from "../../system/system.ts";

/**
 * Resolves the paths that tools are given: below `dir`, links followed, and neither of tongs itself (settings, tokens,
 * journal, cache), nor of the system, nor in a `.git` directory, whose settings can make git run programs. Without `dir`
 * it refuses all. Throws a usage error if `dir` is not a directory.
 */
export function confinement(dir: string | undefined, system: System): (typed: string) => string {
  if (dir === undefined) {
    return (typed) => {
      throw new UsageError(`Cannot use ${typed}: tools have no access to files`, "Run: tongs mcp serve --files DIR");
    };
  }
  const root = directory(fullPath(dir, system));
  const { env } = system;
  const closed = [configFolder(env), stateFolder(env), cacheFolder(env), "/proc", "/sys", "/dev"];
  return (typed) => {
    const path = followed(resolve(root, typed));
    const refuse = (why: string) => new UsageError(`Cannot use ${typed}: ${why}`);
    if (!isBelow(path, root)) throw refuse(`it is not in ${root}`);
    if (path.split(sep).some((part) => part.toLowerCase() === ".git")) throw refuse("it is in a .git directory");
    for (const folder of closed.map((one) => followed(one))) {
      // A directory above could be unpacked into.
      if (isBelow(path, folder) || isBelow(folder, path)) throw refuse(`${folder} is not for tools`);
    }
    // A named pipe could keep the call waiting forever.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile() && !found.isDirectory()) throw refuse("it is not a regular file");
    return path;
  };
}

function directory(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`--files: ${path} is not a directory`);
  }
  return realpathSync.native(path);
}

/** A path with its links followed; its end need not exist. Throws a usage error for a link to nothing. */
function followed(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (!hasCode(error, "ENOENT") || isLink) throw new UsageError(`Cannot use ${path}: ${reasonOf(error)}`);
    return dirname(path) === path ? path : join(followed(dirname(path)), basename(path));
  }
}

/** Whether a path is a folder or in it. File systems can ignore case. */
function isBelow(path: string, folder: string): boolean {
  const between = relative(folder.toLowerCase(), path.toLowerCase());
  return between === "" || (between !== ".." && !between.startsWith(`..${sep}`) && !/^([a-z]:|[\\/])/.test(between));
}
