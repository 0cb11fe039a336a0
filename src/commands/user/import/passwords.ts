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
import { lineWriter, writeText } from "../../../app/rows/append-lines.ts";
import { diskFailure } from "../../../failure/disk.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import { generatePassword } from "../password.ts";

/** Generated passwords. Each one is in the file before it is sent. */
export interface PasswordFile {
  /** The password for a user: the one in the file, if an interrupted import generated it, or a new one. */
  for(username: string): Promise<string>;
  /** The password for a user that an interrupted import generated. */
  saved(username: string): string | undefined;
  /** Removes the password of a user that was not created when the file is closed, if this run generated it. */
  discard(username: string): void;
  close(): void;
}

/** Passwords that are not saved, for `--dry-run`. */
export const unsavedPasswords: PasswordFile = {
  for: async () => generatePassword(),
  saved: () => undefined,
  discard() {},
  close() {},
};

const header = "username,password";

const newFile = "Pass a new file to --generate-passwords.";

/** Throws unless the file of `--generate-passwords` is new, or belongs to the import that is resumed. */
export function checkPasswordFile(path: string, resume: boolean): void {
  if (!existsSync(path)) return;
  if (!resume) throw new Failure("exists", `${path} already exists`, { hint: newFile });
  const text = readFileSync(path, "utf8");
  const start = `${header}\n`;
  // After a crash the header may be incomplete.
  if (!text.startsWith(start.slice(0, text.length))) {
    throw new UsageError(`${path} is not a password file of an import`, newFile);
  }
}

/** Opens a password file: CSV of username and password, mode 0600. Appends to the file of an interrupted import. */
export function openPasswordFile(path: string): PasswordFile {
  const saved = new Map<string, string>();
  const file = openSync(path, existsSync(path) ? "a" : "ax", 0o600);
  fchmodSync(file, 0o600);
  // After a crash the last line may be incomplete.
  ftruncateSync(file, readFileSync(path).lastIndexOf(0x0a) + 1);
  for (const line of passwordLines(path)) saved.set(nameOf(line), line.slice(nameOf(line).length + 1));
  if (fstatSync(file).size === 0) writeText(file, `${header}\n`, path);
  const writer = lineWriter(file, path);
  const discarded = new Set<string>();
  return {
    async for(username) {
      const known = saved.get(username);
      if (known !== undefined) return known;
      const password = generatePassword();
      await writer.add(`${username},${password}\n`);
      return password;
    },
    saved: (username) => saved.get(username),
    discard(username) {
      if (!saved.has(username)) discarded.add(username);
    },
    close() {
      writer.close();
      if (discarded.size > 0) rewrite(path, discarded);
    },
  };
}

const nameOf = (line: string) => line.slice(0, line.indexOf(","));

/** The complete lines after the header. */
function passwordLines(path: string): string[] {
  return readFileSync(path, "utf8").split("\n").slice(1, -1);
}

/** Rewrites the file without some users. Leaves it unchanged and throws a `Failure` if the disk is full. */
function rewrite(path: string, without: ReadonlySet<string>): void {
  const kept = passwordLines(path).filter((line) => !without.has(nameOf(line)));
  const temporary = `${path}.new-${randomBytes(4).toString("hex")}`;
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeText(file, `${[header, ...kept].join("\n")}\n`, path);
      fsyncSync(file);
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw diskFailure(error, temporary) ?? error;
  }
}
