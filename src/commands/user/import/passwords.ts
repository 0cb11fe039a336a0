import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { diskFailure } from "../../../failure/disk.ts";
import { UsageError } from "../../../failure/failure.ts";
import { generatePassword } from "../password.ts";
import { gatherLines, writeWhole } from "./append-lines.ts";

/** Passwords that are made during an import, each in the file before it is sent anywhere. */
export interface PasswordFile {
  /** The password for an account: the one made before, if the import was interrupted, or a new one. */
  for(username: string): Promise<string>;
  /** The account was certainly not made: a password made for it meanwhile goes from the file when that is closed. */
  forget(username: string): void;
  close(): void;
}

/** Passwords that are written nowhere, for `--dry-run`. */
export const noPasswordFile: PasswordFile = { for: async () => generatePassword(), forget() {}, close() {} };

const header = "username,password";

/** Throws unless `FILE` of `--generate-passwords` is new, or the one that an interrupted import began. */
export function checkPasswordFile(path: string, resume: boolean): void {
  if (!existsSync(path)) return;
  if (!resume) throw new UsageError(`${path} exists already`, "Name a new file for the passwords.");
  const text = readFileSync(path, "utf8");
  const start = `${header}\n`;
  // One that was cut off by a crash has only a part of its first line.
  if (!text.startsWith(start.slice(0, text.length))) {
    throw new UsageError(
      `${path} is there and holds no passwords of an import`,
      "Name another file for the passwords.",
    );
  }
}

/**
 * Opens the file: CSV of username and password, 0600. One of an interrupted import is continued as it is. Only
 * passwords that were made after opening can be removed.
 */
export function openPasswordFile(path: string): PasswordFile {
  const before = new Map<string, string>();
  const file = openSync(path, existsSync(path) ? "a" : "ax", 0o600);
  fchmodSync(file, 0o600);
  // The last line may be cut off by a crash.
  ftruncateSync(file, readFileSync(path).lastIndexOf(0x0a) + 1);
  for (const line of linesOf(path)) before.set(nameOf(line), line.slice(nameOf(line).length + 1));
  if (fstatSync(file).size === 0) writeWhole(file, `${header}\n`, path);
  const bufferedWriter = gatherLines(file, path);
  const forgotten = new Set<string>();
  return {
    async for(username) {
      const known = before.get(username);
      if (known !== undefined) return known;
      const password = generatePassword();
      await bufferedWriter.add(`${username},${password}\n`);
      return password;
    },
    forget(username) {
      if (!before.has(username)) forgotten.add(username);
    },
    close() {
      bufferedWriter.close();
      if (forgotten.size > 0) rewrite(path, forgotten);
    },
  };
}

const nameOf = (line: string) => line.slice(0, line.indexOf(","));

/** The whole lines after the header; one that was cut off by a crash is left out. */
function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").split("\n").slice(1, -1);
}

/** Throws a failure that names the file when there is no room; the file stays as it was then. */
function rewrite(path: string, without: ReadonlySet<string>): void {
  const kept = linesOf(path).filter((line) => !without.has(nameOf(line)));
  const fresh = `${path}.new-${randomBytes(4).toString("hex")}`;
  try {
    const file = openSync(fresh, "wx", 0o600);
    try {
      writeWhole(file, `${[header, ...kept].join("\n")}\n`, path);
      fsyncSync(file);
      renameSync(fresh, path);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw diskFailure(error, fresh) ?? error;
  }
}
