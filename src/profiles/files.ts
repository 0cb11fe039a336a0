import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { hasCode, reasonOf } from "../failure/disk.ts";
import { Failure } from "../failure/failure.ts";
import { isObject } from "../shape/shape.ts";
import { configFolder } from "../system/base-folders.ts";
import { createFolders, followLinks } from "../system/files.ts";
import type { System } from "../system/system.ts";
import { utf8Text } from "../text/utf8.ts";
import { quoted } from "../text/words.ts";
import type { Config } from "./profile.ts";

/** The files in the configuration folder, written by `conf`. */
export const files = { config: "config.json", credentials: "credentials.json", aliases: "aliases.json" } as const;

type Stored = Readonly<Record<string, unknown>>;

/** Where the files are, and the system that decides what its permissions mean. */
export interface Settings {
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  /** Whether TONGS_CONFIG_DIR names the folder: root then uses the files of another user. */
  readonly isNamed?: boolean;
  /** Ends the wait for the lock of another process. */
  readonly signal?: AbortSignal | undefined;
}

/** Where the files are for a process. */
export function settingsFor({ env, platform }: Pick<System, "env" | "platform">): Settings {
  return { folder: configFolder(env), platform, isNamed: Boolean(env["TONGS_CONFIG_DIR"]) };
}

/** Reads the configuration, without `conf`: every command does this, and `conf` is slow to load. */
export function readConfig(settings: Settings): Config {
  const path = join(settings.folder, files.config);
  return asConfig(readFile(path, settings).stored, path);
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
    const { token_command: command = [""], headers = {} } = profile;
    if (!Array.isArray(command) || command.length === 0 || command.some((word) => typeof word !== "string")) {
      throw invalidFile(path, `'token_command' of profile '${name}' is not a list of strings`);
    }
    if (!isObject(headers) || Object.values(headers).some((variable) => typeof variable !== "string")) {
      throw invalidFile(path, `'headers' of profile '${name}' is not an object of strings`);
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

/** The content of one of the files. */
interface Content {
  readonly stored: Stored;
  /** The command that makes the file private, if others than its owner can read it. */
  readonly privacyHint: string | undefined;
}

/**
 * Reads one of the files. Empty if it does not exist; throws a `Failure` if it is not a file with a JSON object, or if
 * it belongs to other users or they can change it: they could send the tokens to another host. `user` is the ID of the user.
 */
export function readFile(
  path: string,
  { platform, isNamed = false }: Omit<Settings, "folder">,
  user = process.geteuid?.(),
): Content {
  let text: string;
  let mode: number;
  try {
    // Opening a named pipe would wait for a writer.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) throw invalidFile(path, "not a regular file");
      mode = platform === "win32" ? 0 : stats.mode;
      if (platform !== "win32") {
        if (user !== 0 || !isNamed) refuseForeign(path, stats.uid, user);
        refuseWritable(path, mode);
      }
      text = utf8Text(readFileSync(file));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (hasCode(error, "ENOENT")) return { stored: {}, privacyHint: undefined };
    throw new Failure("config", `Cannot read ${path}: ${reasonOf(error)}`, { cause: error });
  }
  const privacyHint = (mode & othersRead) === 0 ? undefined : `chmod 600 ${quoted(path)}`;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { stored: value, privacyHint };
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw invalidFile(path, "not a JSON object");
}

/** Permission bits by which others than the owner can change a file, or read it. */
const [othersWrite, othersRead, sticky] = [0o022, 0o044, 0o1000];

/** Throws a `Failure` if a file belongs to neither the user nor root: its `token_command` would run as root. */
function refuseForeign(path: string, owner: number, user: number | undefined): void {
  if (user === undefined || owner === user || owner === 0) return;
  const root = `To use it as root, set TONGS_CONFIG_DIR=${quoted(dirname(path))}`;
  throw new Failure("config", `${path} belongs to another user`, {
    hint: user === 0 ? root : "Set TONGS_CONFIG_DIR to use another directory.",
  });
}

/** Throws a `Failure` if others than its owner can change a file or the names in its folder. */
function refuseWritable(path: string, mode: number): void {
  const folder = dirname(path);
  const folderMode = statSync(folder).mode;
  // In a sticky folder such as /tmp others cannot replace a file.
  const inOpenFolder = (folderMode & othersWrite) !== 0 && (folderMode & sticky) === 0;
  const open = (mode & othersWrite) !== 0 ? path : inOpenFolder ? folder : undefined;
  if (open === undefined) return;
  throw new Failure("config", `Other users can change ${open}`, {
    hint: `Run: chmod go-w ${quoted(open)}`,
  });
}

/** The error for a file with content that is not valid. */
export function invalidFile(path: string, why: string): Failure {
  const again = basename(path) === files.aliases ? "" : " and sign in again";
  return new Failure("config", `${path} is not valid: ${why}`, {
    hint: `Fix the file, or move it away${again}. Nothing was changed.`,
  });
}

/**
 * Changes one of the files. Locks the folder, reads the current content and writes the result with `conf`, which renames a
 * temporary file. The folder gets mode 0700 and the file 0600, whatever the umask. A symbolic link is kept. Throws a
 * `Failure` without changing an invalid file.
 */
export async function updateFile(settings: Settings, name: string, edit: (stored: Stored) => Stored): Promise<void> {
  const { folder, signal } = settings;
  const path = join(folder, name);
  const { default: Conf } = await import("conf");
  reportWriteErrors(path, () => createFolders(folder, 0o700));
  const unlock = await lockFolder({ folder, signal });
  try {
    reportWriteErrors(path, () => makePrivate(folder));
    const file = followLinks(path);
    const changed = edit(readFile(file, settings).stored);
    reportWriteErrors(path, () => {
      removeLeftovers(file);
      const store = new Conf<Record<string, unknown>>({
        cwd: dirname(file),
        configName: basename(file),
        fileExtension: "",
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
        projectName: "tongs",
      });
      store.store = { ...changed };
      chmodSync(file, 0o600);
    });
  } finally {
    await unlock();
  }
}

/** How often, and how long in milliseconds, to wait for a lock of another process: about 15 s, and 45 s for a request. */
const lockAttempts = { "": 100, sessions: 300 };
const lockWait = 150;

/**
 * Locks the folder, or the sessions in it, which takes longer because a request is sent. The lock of a killed process
 * expires after ten seconds. Returns what releases the lock. Throws the reason of the signal when it aborts.
 */
export async function lockFolder(
  { folder, signal }: Pick<Settings, "folder" | "signal">,
  what: keyof typeof lockAttempts = "",
): Promise<() => Promise<void>> {
  // In the bundle this CommonJS module has only a default export.
  const { lock } = (await import("proper-lockfile")).default;
  const { setTimeout: wait } = await import("node:timers/promises");
  const path = join(folder, `.${what === "" ? "" : `${what}.`}lock`);
  // Locks of one process are told apart by what is locked.
  const locked = join(folder, what);
  for (let attempt = 1; ; attempt += 1) {
    try {
      // Its own retries would repeat every error, such as that of a folder in /proc.
      return await lock(locked, { lockfilePath: path, realpath: false, stale: 10_000, retries: 0 });
    } catch (error) {
      if (!hasCode(error, "ELOCKED")) throw cannotWrite(folder, error);
      if (attempt < lockAttempts[what]) {
        const waiting = wait(Math.min(10 * attempt, lockWait), undefined, signal === undefined ? {} : { signal });
        await waiting.catch((failure: unknown) => {
          throw signal?.reason ?? failure;
        });
        continue;
      }
      throw new Failure("config", `${path} is locked by another tongs process`, {
        hint: "Try again. If no other tongs is running, remove the lock.",
        cause: error,
      });
    }
  }
}

/** Makes a folder private in which files can be created. A shared folder such as /tmp (sticky bit) is left unchanged. */
function makePrivate(folder: string): void {
  const { mode } = statSync(folder);
  const shared = (mode & 0o1000) !== 0;
  if ((mode & 0o777) !== 0o700 && !shared) chmodSync(folder, 0o700);
}

/** Removes temporary files of processes that were killed while writing: they can contain tokens. Needs the lock. */
function removeLeftovers(file: string): void {
  const folder = dirname(file);
  const begin = `${basename(file)}.tmp-`;
  // The names of the library under conf; any other file may be the user's.
  const isLeft = (name: string) => name.startsWith(begin) && /^\d{10}[0-9a-f]{6}$/.test(name.slice(begin.length));
  for (const name of readdirSync(folder)) if (isLeft(name)) rmSync(join(folder, name), { force: true });
}

function reportWriteErrors(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, error: unknown): Failure {
  return new Failure("config", `Cannot write ${path}: ${reasonOf(error)}`, {
    hint: "Set TONGS_CONFIG_DIR to use another directory.",
    cause: error,
  });
}
