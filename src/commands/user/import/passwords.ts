import { closeSync, existsSync, fchmodSync, fsyncSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { diskFailure } from "../../../failure/disk.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import { writeAll } from "../../../system/files.ts";
import { type Lock, lock } from "../../../system/lock.ts";
import { replaceFile } from "../../../system/replace-file.ts";
import { generatePassword } from "../password.ts";

/** Generated passwords, all of which are in the file before the first one is sent. */
export interface PasswordFile {
  readonly of: (username: string) => string | undefined;
  /** Has the password of a user, if it is new, removed at the end: the server refused to create the account. */
  readonly refused: (username: string) => void;
  readonly release: () => void;
}

const header = "username,password\n";

/** Passwords that are not saved, for `--dry-run`. */
export function unsavedPasswords(): PasswordFile {
  return { of: () => generatePassword(), refused: () => undefined, release: () => undefined };
}

/**
 * Appends a password for each user that has none in the file: CSV of username and password, mode 0600. What it had stays
 * in it, and one process at a time uses it. Throws if it is another kind of file, or on another's use of it.
 */
export async function openPasswordFile(path: string, usernames: readonly string[]): Promise<PasswordFile> {
  requirePasswordFile(path);
  const held = await lockFile(path);
  try {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    // A kill can have left an incomplete line, whose password was never sent.
    const isCut = text !== "" && !text.endsWith("\n");
    const saved = new Map<string, string>();
    for (const line of text
      .slice(0, text.lastIndexOf("\n") + 1)
      .split("\n")
      .slice(1, -1)) {
      const comma = line.indexOf(",");
      saved.set(line.slice(0, comma), line.slice(comma + 1));
    }
    const added = usernames.filter((name) => !saved.has(name)).map((name) => [name, generatePassword()] as const);
    for (const [name, password] of added) saved.set(name, password);
    const lines = added.map(([name, password]) => `${name},${password}\n`).join("");
    append(path, text.length < header.length ? `${header.slice(text.length)}${lines}` : `${isCut ? "\n" : ""}${lines}`);
    const [fresh, unused] = [new Set(added.map(([name]) => name)), new Set<string>()];
    return {
      of: (name) => saved.get(name),
      refused: (name) => void (fresh.has(name) && unused.add(name)),
      release() {
        try {
          if (unused.size > 0) removeLines(path, unused);
        } finally {
          held.release();
        }
      },
    };
  } catch (error) {
    held.release();
    throw error;
  }
}

/** Replaces the file by one without the lines of these users. */
function removeLines(path: string, usernames: ReadonlySet<string>): void {
  const lines = readFileSync(path, "utf8").split("\n");
  const kept = lines.filter((line, index) => index === 0 || !usernames.has(line.split(",", 1)[0] ?? ""));
  try {
    replaceFile(realpathSync(path), kept.join("\n"), true);
  } catch (error) {
    throw outOfSpace(error, path);
  }
}

function append(path: string, text: string): void {
  const file = openSync(path, "a", 0o600);
  try {
    fchmodSync(file, 0o600);
    writeAll(file, Buffer.from(text));
    fsyncSync(file);
  } catch (error) {
    throw outOfSpace(error, path);
  } finally {
    closeSync(file);
  }
}

function outOfSpace(error: unknown, path: string): unknown {
  return diskFailure(error, path, { hint: "Free up some space, then run the same command again." }) ?? error;
}

/** Throws a usage error unless there is no such file, or it has passwords of an import. */
export function requirePasswordFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const hint = "Pass a new file to --generate-passwords, or the one of an earlier run.";
  if (!found.isFile()) throw new UsageError(`${path} is not a regular file`, hint);
  const text = readFileSync(path, "utf8");
  if (!text.startsWith(header.slice(0, text.length))) throw new UsageError(`${path} is not a file of passwords`, hint);
}

async function lockFile(path: string): Promise<Lock> {
  const held = await lock(`passwords ${existsSync(path) ? realpathSync(path) : path}`);
  if (held !== undefined) return held;
  const hint = "Wait until it has finished. If it was suspended with Ctrl-Z, continue it with: fg";
  throw new Failure("in_use", `Another command is using ${path}`, { hint });
}
