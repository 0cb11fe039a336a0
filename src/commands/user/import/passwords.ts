import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { UsageError } from "../../../command/usage-error.ts";
import { generatePassword } from "../password.ts";

/** Passwords that are made during an import, each in the file before it is sent anywhere. */
export interface PasswordFile {
  /** The password for an account: the one made before, if the import was interrupted, or a new one. */
  for(username: string): string;
  close(): void;
}

/** Opens `FILE` of `--generate-passwords`: CSV of username and password, 0600. An existing one is only continued. */
export function openPasswordFile(path: string, resume: boolean): PasswordFile {
  const exists = existsSync(path);
  if (exists && !resume) throw new UsageError(`${path} exists already`, "Name a new file for the passwords.");
  const made = new Map<string, string>();
  if (exists) {
    for (const line of readFileSync(path, "utf8").split("\n").slice(1, -1)) {
      const at = line.indexOf(",");
      made.set(line.slice(0, at), line.slice(at + 1));
    }
  }
  const file = openSync(path, "a", 0o600);
  if (!exists) writeSync(file, "username,password\n");
  return {
    for(username) {
      const before = made.get(username);
      if (before !== undefined) return before;
      const password = generatePassword();
      writeSync(file, `${username},${password}\n`);
      made.set(username, password);
      return password;
    },
    close: () => closeSync(file),
  };
}
