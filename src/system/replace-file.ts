import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { writeAll } from "./files.ts";

/**
 * Replaces a file as a whole by one of mode 0600: a reader sees the old or the new one. With `flush`, the new one is on disk before
 * it has the name. Throws an error of the file system, and then the old one is there.
 */
export function replaceFile(path: string, text: string, flush = false): void {
  const scratch = `${path}.${randomUUID()}.part`;
  try {
    const file = openSync(scratch, "wx", 0o600);
    try {
      writeAll(file, Buffer.from(text));
      if (flush) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(scratch, path);
  } catch (error) {
    rmSync(scratch, { force: true });
    throw error;
  }
}
