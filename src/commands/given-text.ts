import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readStdin } from "../command/targets.ts";
import { UsageError } from "../command/usage-error.ts";
import type { System } from "../context.ts";

/** The text of a pair of flags like `--body TEXT` and `--body-file FILE` (`-` is stdin); undefined when neither is given. */
export async function givenText(
  system: System,
  given: { readonly text: string | undefined; readonly file: string | undefined; readonly flag: string },
): Promise<string | undefined> {
  const { file, flag } = given;
  if (file === undefined) return given.text;
  if (file === "-") return readStdin(system);
  try {
    return await readFile(resolve(system.cwd, file), "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`${flag}: ${file} cannot be read (${reason})`);
  }
}
