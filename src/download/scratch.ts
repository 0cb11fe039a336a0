import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { scratchName } from "../archive/safe-path.ts";
import { hasCode } from "../failure/disk.ts";

/** A folder in the target folder that holds all unfinished files of a download. */
export interface Scratch {
  /** The folder itself. */
  readonly folder: string;
  /** Path of the archive, as far as it was downloaded. */
  readonly part: string;
  /** Path of the staging folder for unpacking. It does not exist yet. */
  readonly unpacking: string;
  /** Removes the files of tongs in the folder, then the folder if it is empty. */
  remove(): void;
}

const markName = "scratch.json";
/** The mark while it is written. */
const newMarkName = "scratch.json.new";
const partName = "archive.part";
const unpackingName = "unpacking";
/** The largest mark file that is read, in bytes. */
const maxMark = 64 * 1024;

/**
 * Opens the scratch folder of a key in `into`: that of an earlier run if it has the same source, else a new one. Others
 * with the key are removed, so the caller must hold the lock of the key. Only folders that belong to this user and whose
 * mark names that very folder are used or removed, not copies and not those that an archive contained.
 */
export function openScratch(into: string, key: string, source: string): Scratch {
  let found: Scratch | undefined;
  for (const name of readdirSync(into)) {
    if (!scratchName.test(name)) continue;
    const folder = join(into, name);
    const mark = readMark(folder);
    if (mark === undefined) removeUnmarked(folder);
    if (mark === undefined || mark.key !== key) continue;
    const scratch = scratchAt(folder);
    if (found === undefined && mark.source === source) {
      found = scratch;
      rmSync(scratch.unpacking, { recursive: true, force: true });
    } else scratch.remove();
  }
  return found ?? createScratch(into, key, source);
}

/** The mark file of a scratch folder. */
interface Mark {
  /** Name and inode of the scratch folder. */
  readonly folder: string;
  readonly inode: string;
  /** The file name that it is locked by, and the artifact. */
  readonly key: string;
  readonly source: string;
}

/** Removes a folder that a run left behind which was killed before it could write the mark: empty, or with a part of it. */
function removeUnmarked(folder: string): void {
  try {
    if (lstatSync(folder).uid !== process.geteuid?.()) return;
    const names = readdirSync(folder);
    if (names.length === 1 && names[0] === newMarkName) unlinkSync(join(folder, newMarkName));
    rmdirSync(folder);
  } catch {
    // It has content, or it is gone.
  }
}

function createScratch(into: string, key: string, source: string, attempts = 5): Scratch {
  const folder = mkdtempSync(join(into, ".tongs-"));
  try {
    const inode = String(lstatSync(folder, { bigint: true }).ino);
    const mark: Mark = { folder: basename(folder), inode, key, source };
    const unfinished = join(folder, newMarkName);
    writeFileSync(unfinished, `${JSON.stringify(mark)}\n`, { flag: "wx", mode: 0o600 });
    renameSync(unfinished, join(folder, markName));
  } catch (error) {
    // Another run removed it while it had no mark.
    if (attempts > 1 && hasCode(error, "ENOENT")) return createScratch(into, key, source, attempts - 1);
    throw error;
  }
  return scratchAt(folder);
}

function scratchAt(folder: string): Scratch {
  const part = join(folder, partName);
  const unpacking = join(folder, unpackingName);
  return {
    folder,
    part,
    unpacking,
    remove() {
      if (readMark(folder) === undefined) return;
      rmSync(unpacking, { recursive: true, force: true, maxRetries: 3 });
      for (const name of [partName, `${partName}.json`, `${partName}.json.new`])
        rmSync(join(folder, name), { force: true });
      // The mark last: until then another run can finish the removal.
      rmSync(join(folder, markName), { force: true });
      try {
        rmdirSync(folder);
      } catch (error) {
        // It contains files that tongs did not create.
        if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
      }
    },
  };
}

/** Reads the mark of a scratch folder; undefined if tongs did not create the folder here for this user. */
function readMark(folder: string): Mark | undefined {
  let fd: number | undefined;
  try {
    const stats = lstatSync(folder, { bigint: true });
    const user = process.geteuid?.();
    if (!stats.isDirectory() || (user !== undefined && stats.uid !== BigInt(user))) return undefined;
    fd = openSync(
      join(folder, markName),
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    const markStats = fstatSync(fd);
    if (!markStats.isFile() || markStats.size > maxMark) return undefined;
    const read: unknown = JSON.parse(readFileSync(fd, "utf8"));
    return isMark(read) && read.folder === basename(folder) && read.inode === String(stats.ino) ? read : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM"))
      return undefined;
    throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function isMark(value: unknown): value is Mark {
  if (typeof value !== "object" || value === null) return false;
  const fields: Partial<Record<string, unknown>> = { ...value };
  return ["folder", "inode", "key", "source"].every((name) => typeof fields[name] === "string");
}
