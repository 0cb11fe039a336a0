import { UsageError } from "../failure/failure.ts";
import { maxLength } from "../forge/account-rules.ts";
import type { System } from "../system/system.ts";
import { readFileFlag } from "./input.ts";

/** Reads the first line of `--password-stdin` or `--password-file`. Throws a usage error if it is empty. */
export async function readPassword(
  flags: { readonly passwordStdin: boolean; readonly passwordFile: string | undefined },
  system: System,
): Promise<string | undefined> {
  const file = flags.passwordStdin ? "-" : flags.passwordFile;
  if (file === undefined) return undefined;
  const text = await readFileFlag("--password-file", file, system);
  const password = text.replace(/\r?\n[\s\S]*$/, "");
  const source = file === "-" ? "stdin" : file;
  if (password === "") throw new UsageError(`No password found in ${source}`);
  if (password.length > maxLength.password) {
    throw new UsageError(`Password must be at most ${maxLength.password} characters`);
  }
  return password;
}
