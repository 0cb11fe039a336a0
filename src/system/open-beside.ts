import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { Failure } from "../failure/failure.ts";

const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL } = constants;
/** Missing on Windows. Opening a named pipe would wait for its other end. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

const ways = {
  r: O_RDONLY,
  "r+": O_RDWR,
  /** Appends to a file, which can also be read, and creates it. */
  a: O_RDWR | O_APPEND | O_CREAT,
  /** A new file. */
  wx: O_RDWR | O_CREAT | O_EXCL,
};

/**
 * Opens a file whose name tongs made up, beside one that the user named: a journal, an index, a part of a download. In a
 * folder of several users, someone may have put something else there. Throws ELOOP for a symbolic link, and a `disk`
 * failure for anything that is not a regular file; otherwise as `openSync`.
 */
export function openBeside(path: string, way: keyof typeof ways, mode = 0o666): number {
  const file = openSync(path, ways[way] | O_NOFOLLOW | O_NONBLOCK, mode);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Failure("disk", `${path} is not a regular file`);
}

/** Reads a file, opened as `openBeside` does. */
export function readBeside(path: string): Buffer {
  const file = openBeside(path, "r");
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
