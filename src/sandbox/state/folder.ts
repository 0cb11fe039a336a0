import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, realpath, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../failure/failure.ts";
import { mismatch } from "../../shape/mismatch.ts";
import { anything, integer, list, map, record } from "../../shape/shape.ts";
import { tempFolder } from "../../system/base-folders.ts";
import { createFolders } from "../../system/files.ts";
import { lock } from "../../system/lock.ts";

const ownerOnly = 0o700;

/** Creates a temporary folder that only its owner can use, whatever the umask, and returns its path. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tempFolder(), "tongs-sandbox-"));
  await chmod(folder, ownerOnly);
  return folder;
}

/** Creates a folder inside the data folder, or takes the permissions of others away from an existing one. */
export async function privateFolder(folder: string): Promise<void> {
  createFolders(folder, ownerOnly);
  await chmod(folder, ownerOnly);
}

/**
 * Creates a data folder, or takes an existing one as it is, and locks it until it is released or the process ends. Throws a
 * Failure if another sandbox is using it, which would overwrite its data.
 */
export async function claimFolder(folder: string): Promise<{ readonly release: () => void }> {
  if (createFolders(folder, ownerOnly) !== undefined) await chmod(folder, ownerOnly);
  const held = await lock(`sandbox ${await realpath(folder)}`);
  if (held !== undefined) return held;
  throw new Failure("folder_in_use", `Another sandbox is using ${folder}`, {
    hint: "Use that one, stop it first, or choose another folder with --dir.",
  });
}

/** What a store writes to its file: the last number of each sequence, and the records of each table. */
export interface State {
  readonly sequences: Readonly<Record<string, number>>;
  readonly tables: Readonly<Record<string, readonly unknown[]>>;
}

const stateShape = record({ sequences: map(integer), tables: map(list(map(anything))) });

/** Reads the file of a store; undefined if there is none. Throws a Failure if it is damaged. */
export async function readState(file: string): Promise<State | undefined> {
  const text = existsSync(file) ? await readFile(file, "utf8") : undefined;
  if (text === undefined) return undefined;
  let reason: string | undefined;
  try {
    const state: unknown = JSON.parse(text);
    reason = mismatch(stateShape, state);
    if (reason === undefined) return state as State;
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  throw new Failure("damaged", `${file} is damaged: ${reason}`, {
    hint: "Restore the file from a backup, or choose another folder with --dir.",
  });
}

/** Replaces the file of a store. */
export async function writeState(file: string, state: State): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
