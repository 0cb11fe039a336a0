import { chmodSync, lstatSync, mkdirSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Failure } from "../failure/failure.ts";
import { readFile } from "./read.ts";

type Stored = Readonly<Record<string, unknown>>;

/**
 * Changes one of the files: under a lock that other processes respect, from what is stored now, by `conf`, which writes
 * beside it and renames. The folder is 0700 and the file 0600, whatever the umask. A link to a file kept elsewhere
 * stays a link. A broken file is reported and left as it is.
 */
export async function updateFile(folder: string, name: string, edit: (stored: Stored) => Stored): Promise<void> {
  const path = join(folder, name);
  const { default: Conf } = await import("conf");
  reported(path, () => ownFolder(folder));
  const unlock = await hold(folder);
  try {
    const file = behindLinks(path);
    const changed = edit(readFile(file));
    reported(path, () => {
      removeLeftovers(file);
      const store = new Conf<Record<string, unknown>>({
        ...{ cwd: dirname(file), configName: basename(file), fileExtension: "" },
        ...{ configFileMode: 0o600, accessPropertiesByDotNotation: false, projectName: "tongs" },
      });
      store.store = { ...changed };
      chmodSync(file, 0o600);
    });
  } finally {
    await unlock();
  }
}

/** Takes the lock of the folder. One that a killed process left behind counts for ten seconds. */
async function hold(folder: string): Promise<() => Promise<void>> {
  // A CommonJS module: bundled, only its default export is there.
  const { lock } = (await import("proper-lockfile")).default;
  const path = join(folder, ".lock");
  try {
    return await lock(folder, {
      lockfilePath: path,
      stale: 10_000,
      retries: { retries: 90, factor: 1.2, minTimeout: 10, maxTimeout: 200, randomize: true },
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ELOCKED") throw cannotWrite(folder, error);
    throw new Failure("config", "failure", `Another tongs holds ${path}`, {
      hint: "Try again; if no other tongs is running, remove it.",
      cause: error,
    });
  }
}

/** Makes the folder, for its owner only. One that everybody shares (as /tmp) is left as it is. */
function ownFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode } = statSync(folder);
  const shared = (mode & 0o1000) !== 0;
  if ((mode & 0o777) !== 0o700 && !shared) chmodSync(folder, 0o700);
}

/** The file that a path leads to in the end, whether or not it exists yet. */
function behindLinks(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  try {
    return realpathSync(path);
  } catch {
    return resolve(dirname(path), readlinkSync(path));
  }
}

/** A process that was killed while writing leaves its new file behind, which may hold tokens. The lock makes this safe. */
function removeLeftovers(file: string): void {
  const folder = dirname(file);
  const begin = `${basename(file)}.tmp-`;
  for (const name of readdirSync(folder)) if (name.startsWith(begin)) rmSync(join(folder, name), { force: true });
}

function reported(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return new Failure("config", "failure", `Cannot write ${path}: ${reason}`, {
    hint: "Another folder can be named with TONGS_CONFIG_DIR.",
    cause: error,
  });
}
