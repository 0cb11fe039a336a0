import { randomBytes } from "node:crypto";
import { closeSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeAll } from "../system/files.ts";
import { openBeside } from "../system/open-beside.ts";

/** Writes a file whole, in the place of the one, or the link, that is there. Throws file system errors. */
export function replaceBeside(path: string, content: Uint8Array, permissions?: number): void {
  const scratch = scratchPath(path);
  const file = openBeside(scratch, "wx", permissions);
  try {
    try {
      writeAll(file, content);
    } finally {
      closeSync(file);
    }
    renameSync(scratch, path);
  } catch (error) {
    rmSync(scratch, { force: true });
    throw error;
  }
}

// Not the ending of the file, so that no reader takes an incomplete file for a whole one.
const scratchEnd = ".partial";

/** A name beside a file that nobody can guess, for what becomes the file once it is complete. Create it with `wx`. */
export function scratchPath(path: string): string {
  return join(dirname(path), `${scratchStart(path)}${randomBytes(8).toString("hex")}${scratchEnd}`);
}

/** Removes what killed processes left of a file that no other process is writing. */
export function removeScratch(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(scratchStart(path)) && name.endsWith(scratchEnd)) rmSync(join(dirname(path), name));
  }
}

function scratchStart(path: string): string {
  return `.${basename(path)}.`;
}
