import { UsageError } from "../failure/failure.ts";
import type { System } from "../system/system.ts";
import { readFileFlag } from "./input.ts";

/**
 * The first line of a file that a flag names (`-` is stdin): a password or a token, which must not be on a command line.
 * Undefined if the flag was not given. Throws a usage error if the line is empty.
 */
export async function readSecretFile(
  flag: string,
  file: string | undefined,
  system: Pick<System, "stdin" | "cwd">,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const secret = (await readFileFlag(flag, file, system)).split(/\r?\n/, 1)[0] ?? "";
  if (secret === "") throw new UsageError(`${flag}: the first line of ${file === "-" ? "stdin" : file} is empty`);
  return secret;
}
