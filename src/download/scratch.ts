import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { scratchName } from "../archive/safe-path.ts";

/** A folder of tongs' own in the target folder: everything that is not finished lies there, and nowhere else. */
export interface Scratch {
  /** The folder itself. */
  readonly folder: string;
  /** The archive, as far as it was received. */
  readonly part: string;
  /** The folder that the archive is unpacked into first. Not there yet. */
  readonly unpacking: string;
  /** Removes what tongs made in the folder, then the folder if nothing else is in it. */
  remove(): void;
}

const markName = "scratch.json";
const partName = "archive.part";
const unpackingName = "unpacking";
/** Bytes of a mark at most; what is longer is none. */
const longestMark = 64 * 1024;

/**
 * Opens the scratch folder in `into` for a label, that of an earlier run when it is of the same thing (`of`), else a new
 * one. Older ones of the label are removed, so the caller holds the lock of that label. A folder is tongs' own only if
 * it belongs to this user and its mark names that very folder: a copy, or one that came out of an archive, is left alone.
 */
export function openScratch(into: string, label: string, of: string): Scratch {
  let found: Scratch | undefined;
  for (const name of readdirSync(into)) {
    if (!scratchName.test(name)) continue;
    const folder = join(into, name);
    const mark = readMark(folder);
    if (mark === undefined || mark.label !== label) continue;
    const scratch = scratchAt(folder);
    if (found === undefined && mark.of === of) {
      found = scratch;
      rmSync(scratch.unpacking, { recursive: true, force: true });
    } else scratch.remove();
  }
  return found ?? makeScratch(into, label, of);
}

interface Mark {
  /** The scratch folder's own name and inode. */
  readonly folder: string;
  readonly inode: string;
  /** What it is for: the label that its lock holds, and the thing itself. */
  readonly label: string;
  readonly of: string;
}

function makeScratch(into: string, label: string, of: string): Scratch {
  const folder = mkdtempSync(join(into, ".tongs-"));
  const inode = String(lstatSync(folder, { bigint: true }).ino);
  const mark: Mark = { folder: basename(folder), inode, label, of };
  writeFileSync(join(folder, markName), `${JSON.stringify(mark)}\n`, { flag: "wx", mode: 0o600 });
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
      rmSync(unpacking, { recursive: true, force: true });
      for (const name of [partName, `${partName}.json`, `${partName}.json.new`])
        rmSync(join(folder, name), { force: true });
      // The mark goes last: until then another run may finish the removal.
      rmSync(join(folder, markName), { force: true });
      try {
        rmdirSync(folder);
      } catch (error) {
        // Somebody else's file is in it.
        if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
      }
    },
  };
}

/** The mark of a scratch folder; undefined when the folder is not one that tongs made here for this user. */
function readMark(folder: string): Mark | undefined {
  let fd: number | undefined;
  try {
    const about = lstatSync(folder, { bigint: true });
    const user = process.geteuid?.();
    if (!about.isDirectory() || (user !== undefined && about.uid !== BigInt(user))) return undefined;
    fd = openSync(
      join(folder, markName),
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    const facts = fstatSync(fd);
    if (!facts.isFile() || facts.size > longestMark) return undefined;
    const read: unknown = JSON.parse(readFileSync(fd, "utf8"));
    return isMark(read) && read.folder === basename(folder) && read.inode === String(about.ino) ? read : undefined;
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
  return ["folder", "inode", "label", "of"].every((name) => typeof fields[name] === "string");
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
