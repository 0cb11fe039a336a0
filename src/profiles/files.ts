import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Failure } from "../failure/failure.ts";
import type { Config } from "./profile.ts";

/** The names of the two files in the configuration folder. `conf` writes them. */
export const files = { config: "config.json", credentials: "credentials.json" } as const;

type Stored = Readonly<Record<string, unknown>>;

/** Reads the configuration. Reading needs no library: it is on the way of every command, and `conf` is slow to load. */
export function readConfig(folder: string): Config {
  const path = join(folder, files.config);
  return asConfig(readFile(path), path);
}

/** What is stored, as the configuration; throws when it was changed by hand into something else. */
export function asConfig(stored: Stored, path: string): Config {
  const { default: chosen, profiles = {} } = stored;
  if (!isObject(profiles)) throw broken(path, "'profiles' is not an object");
  for (const [name, profile] of Object.entries(profiles)) {
    const host = isObject(profile) ? profile["host"] : undefined;
    if (!isObject(profile) || typeof host !== "string" || !(URL.canParse(host) || URL.canParse(`https://${host}`))) {
      throw broken(path, `the profile '${name}' has no 'host' that is an address`);
    }
    const { rules = [] } = profile;
    if (!Array.isArray(rules) || rules.some((rule) => typeof rule !== "string")) {
      throw broken(path, `the 'rules' of the profile '${name}' are not a list of strings`);
    }
  }
  return {
    ...(typeof chosen === "string" ? { default: chosen } : {}),
    profiles: profiles as Config["profiles"],
  };
}

/** What is stored, as tokens by profile. */
export function asTokens(stored: Stored, path: string): Readonly<Record<string, string>> {
  const { tokens = {} } = stored;
  if (!isObject(tokens) || Object.values(tokens).some((token) => typeof token !== "string")) {
    throw broken(path, "'tokens' does not hold strings");
  }
  return tokens as Readonly<Record<string, string>>;
}

/** Reads one of the files; an absent one is empty, a broken one is never taken for empty. */
export function readFile(path: string): Stored {
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Failure("config", "failure", `Cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
  try {
    const value: unknown = JSON.parse(content);
    if (isObject(value)) return value;
  } catch {
    // Said below, with the same words as for JSON of the wrong kind.
  }
  throw broken(path, "it is not a JSON object");
}

function isObject(value: unknown): value is Stored {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function broken(path: string, why: string): Failure {
  return new Failure("config", "failure", `${path} is broken: ${why}`, {
    hint: "Mend it, or move it away and sign in again. Nothing was changed.",
  });
}

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
