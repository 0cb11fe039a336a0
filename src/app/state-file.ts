import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "../system/base-folders.ts";
import { createFolders } from "../system/files.ts";
import { replaceFile } from "../system/replace-file.ts";
import type { System } from "../system/system.ts";

/** Keeps a value as JSON in a file of the state folder (0600). Throws an error of the file system. */
export function writeState({ env }: Pick<System, "env">, name: string, value: unknown): void {
  const folder = stateFolder(env);
  createFolders(folder, 0o700);
  replaceFile(join(folder, name), `${JSON.stringify(value)}\n`);
}

/** The value that was kept last; undefined if there is none that can be read. */
export function readState({ env }: Pick<System, "env">, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(stateFolder(env), name), "utf8"));
  } catch {
    return undefined;
  }
}
