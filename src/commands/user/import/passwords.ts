import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { diskFailure, hasCode } from "../../../failure/disk.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import { type Lock, lock } from "../../../system/lock.ts";
import { replaceFile } from "../../../system/replace-file.ts";
import { generatePassword } from "../password.ts";

/** Generated passwords, all of which are in the file before the first one is sent. */
export interface PasswordFile {
  readonly of: (username: string) => string | undefined;
  /** Writes the new passwords to the file. */
  readonly save: () => void;
  /** Has the new password of a user removed at the end: the server refused to create the account. */
  readonly refused: (username: string) => void;
  readonly release: () => void;
}

const header = "username,password";

/** Passwords that are not saved, for `--dry-run`. */
export function unsavedPasswords(): PasswordFile {
  const nothing = () => undefined;
  return { of: () => generatePassword(), save: nothing, refused: nothing, release: nothing };
}

/**
 * Generates a password for each user that has none in the file, and for each whose password is reset. The file is CSV of username
 * and password, mode 0600. What it says of others stays in it, and one process at a time uses it. Throws if it is another kind of
 * file, or on another's use of it.
 */
export async function openPasswordFile(
  path: string,
  users: readonly { readonly username: string; readonly isReset: boolean }[],
): Promise<PasswordFile> {
  requirePasswordFile(path);
  const held = await lockFile(path);
  try {
    const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(1) : [];
    // A kill can have left an incomplete line, whose password was never sent.
    const saved = new Map(lines.slice(0, -1).map((line) => [nameIn(line), line.slice(line.indexOf(",") + 1)]));
    const added = users.filter(({ username, isReset }) => isReset || !saved.has(username));
    const fresh = new Map(added.map(({ username }) => [username, generatePassword()]));
    const refused = new Set<string>();
    const save = () => {
      const kept = lines.filter((line) => line !== "" && (!fresh.has(nameIn(line)) || refused.has(nameIn(line))));
      const others = [...fresh].filter(([name]) => !refused.has(name)).map((pair) => pair.join(","));
      try {
        const target = existsSync(path) ? realpathSync(path) : path;
        replaceFile(target, [header, ...kept, ...others, ""].join("\n"), true);
      } catch (error) {
        const hint = "Free up some space, then run the same command again.";
        throw diskFailure(error, path, hasCode(error, "ENOSPC", "EDQUOT", "EFBIG") ? { hint } : {}) ?? error;
      }
    };
    return {
      of: (name) => fresh.get(name) ?? saved.get(name),
      save,
      refused: (name) => void (fresh.has(name) && refused.add(name)),
      release() {
        try {
          if (refused.size > 0) save();
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

const nameIn = (line: string) => line.split(",", 1)[0] ?? "";

/** Throws a usage error unless there is no such file, or it has passwords of an import. */
export function requirePasswordFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const hint = "Pass a new file to --generate-passwords, or the one of an earlier run.";
  if (!found.isFile()) throw new UsageError(`${path} is not a regular file`, hint);
  if (process.getuid !== undefined && found.uid !== process.getuid())
    throw new UsageError(`${path} belongs to another user, who could read the passwords`, hint);
  const text = readFileSync(path, "utf8");
  if (!`${header}\n`.startsWith(text.slice(0, header.length + 1)))
    throw new UsageError(`${path} is not a file of passwords`, hint);
}

async function lockFile(path: string): Promise<Lock> {
  const held = await lock(`passwords ${existsSync(path) ? realpathSync(path) : path}`);
  if (held !== undefined) return held;
  const hint = "Wait until it has finished. If it was suspended with Ctrl-Z, continue it with: fg";
  throw new Failure("in_use", `Another command is using ${path}`, { hint });
}
