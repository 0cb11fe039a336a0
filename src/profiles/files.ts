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

/** The two files in the configuration folder, written by `conf`. */
export const files = { config: "config.json", credentials: "credentials.json" } as const;

type Stored = Readonly<Record<string, unknown>>;

/** Reads the configuration, without `conf`: every command does this, and `conf` is slow to load. */
export function readConfig(folder: string): Config {
  const path = join(folder, files.config);
  return asConfig(readFile(path), path);
}

/** Checks the content of the configuration file. Throws a `Failure` if it is not valid. */
export function asConfig(stored: Stored, path: string): Config {
  const { default: chosen, profiles = {} } = stored;
  if (!isObject(profiles)) throw invalidFile(path, "'profiles' is not an object");
  for (const [name, profile] of Object.entries(profiles)) {
    const host = isObject(profile) ? profile["host"] : undefined;
    if (!isObject(profile) || typeof host !== "string" || !(URL.canParse(host) || URL.canParse(`https://${host}`))) {
      throw invalidFile(path, `profile '${name}' has no valid 'host'`);
    }
    const { rules = [] } = profile;
    if (!Array.isArray(rules) || rules.some((rule) => typeof rule !== "string")) {
      throw invalidFile(path, `'rules' of profile '${name}' is not a list of strings`);
    }
  }
  return {
    ...(typeof chosen === "string" ? { default: chosen } : {}),
    profiles: profiles as Config["profiles"],
  };
}

/** Checks the content of the credentials file and returns the tokens by profile. Throws a `Failure` if it is not valid. */
export function asTokens(stored: Stored, path: string): Readonly<Record<string, string>> {
  const { tokens = {} } = stored;
  if (!isObject(tokens) || Object.values(tokens).some((token) => typeof token !== "string")) {
    throw invalidFile(path, "'tokens' is not an object of strings");
  }
  return tokens as Readonly<Record<string, string>>;
}

/**
 * Reads one of the files. Empty if it does not exist; throws a `Failure` if it is not valid JSON, or if other users can
 * change it: they could send the tokens to another host.
 */
export function readFile(path: string): Stored {
  let content: string;
  try {
    refuseWritable(path);
    content = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    if (error instanceof Failure) throw error;
    throw new Failure("config", "failure", `Cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
  try {
    const value: unknown = JSON.parse(content);
    if (isObject(value)) return value;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw invalidFile(path, "not a JSON object");
}

/** Permission bits by which others than the owner can change a file, or read it. */
const [othersWrite, othersRead, sticky] = [0o022, 0o044, 0o1000];

/** Throws a `Failure` if others than its owner can change a file or the names in its folder. */
function refuseWritable(path: string): void {
  if (process.platform === "win32") return;
  for (const each of [path, dirname(path)]) {
    const mode = statSync(each, { throwIfNoEntry: false })?.mode ?? 0;
    // In a sticky folder such as /tmp others cannot replace a file.
    if ((mode & othersWrite) === 0 || (each !== path && (mode & sticky) !== 0)) continue;
    throw new Failure("config", "failure", `Other users can change ${each}`, {
      hint: `Run: chmod go-w ${quoted(each)}`,
    });
  }
}

/** The command that makes a file private, if others than its owner can read it. */
export function privacyHint(path: string): string | undefined {
  if (process.platform === "win32") return undefined;
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & othersRead) === 0 ? undefined : `chmod 600 ${quoted(path)}`;
}

/** A path as a word for the shell. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function isObject(value: unknown): value is Stored {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalidFile(path: string, why: string): Failure {
  return new Failure("config", "failure", `${path} is not valid: ${why}`, {
    hint: "Fix the file, or move it away and sign in again. Nothing was changed.",
  });
}

/**
 * Changes one of the files. Locks the folder, reads the current content and writes the result with `conf`, which renames a
 * temporary file. The folder gets mode 0700 and the file 0600, whatever the umask. A symbolic link is kept. Throws a
 * `Failure` without changing an invalid file.
 */
export async function updateFile(folder: string, name: string, edit: (stored: Stored) => Stored): Promise<void> {
  const path = join(folder, name);
  const { default: Conf } = await import("conf");
  reportWriteErrors(path, () => createPrivateFolder(folder));
  const unlock = await lockFolder(folder);
  try {
    const file = followLinks(path);
    const changed = edit(readFile(file));
    reportWriteErrors(path, () => {
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

/** Locks the folder. The lock of a killed process expires after ten seconds. */
async function lockFolder(folder: string): Promise<() => Promise<void>> {
  // In the bundle this CommonJS module has only a default export.
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
    throw new Failure("config", "failure", `${path} is locked by another tongs process`, {
      hint: "Try again. If no other tongs is running, remove the lock.",
      cause: error,
    });
  }
}

/** Creates the folder and makes it private. A shared folder such as /tmp (sticky bit) is left unchanged. */
function createPrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode } = statSync(folder);
  const shared = (mode & 0o1000) !== 0;
  if ((mode & 0o777) !== 0o700 && !shared) chmodSync(folder, 0o700);
}

/** Resolves symbolic links, also if the target does not exist yet. */
function followLinks(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  try {
    return realpathSync(path);
  } catch {
    return resolve(dirname(path), readlinkSync(path));
  }
}

/** Removes temporary files of processes that were killed while writing: they can contain tokens. Needs the lock. */
function removeLeftovers(file: string): void {
  const folder = dirname(file);
  const begin = `${basename(file)}.tmp-`;
  for (const name of readdirSync(folder)) if (name.startsWith(begin)) rmSync(join(folder, name), { force: true });
}

function reportWriteErrors(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return new Failure("config", "failure", `Cannot write ${path}: ${reason}`, {
    hint: "Set TONGS_CONFIG_DIR to use another folder.",
    cause: error,
  });
}
