import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { wholeNumber } from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import type { System } from "../system/system.ts";

type InputSystem = Pick<System, "stdin" | "cwd">;

/** The targets of a command: what was typed, and the lines of stdin in the place of a `-`. Repeated ones are dropped. */
export async function readTargets(typed: readonly string[], system: InputSystem): Promise<string[]> {
  const found: string[] = [];
  for (const target of typed) {
    if (target === "-") found.push(...(await lines(system)));
    else found.push(target);
  }
  if (found.length === 0) throw new UsageError("stdin named no target", "Write one target a line.");
  return [...new Set(found)];
}

/** The ids of a command's targets, read as `readTargets` does. Throws a usage error for one that is not a number. */
export async function readIds(typed: readonly string[], system: InputSystem): Promise<number[]> {
  return (await readTargets(typed, system)).map((id) => wholeNumber(id, "ID", 1));
}

/** The lines of stdin without blank ones and comments. */
async function lines(system: InputSystem): Promise<string[]> {
  const text = await readStdin(system);
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** All of stdin as text. */
export async function readStdin(system: InputSystem): Promise<string> {
  return (await stdinBytes(system)).toString("utf8");
}

async function stdinBytes({ stdin }: InputSystem): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks);
}

/** The bytes of a file that a flag names, `-` being stdin. Throws a usage error when the file cannot be read. */
export async function readFileFlagBytes(flag: string, file: string, system: InputSystem): Promise<Buffer> {
  if (file === "-") return stdinBytes(system);
  try {
    return await readFile(resolve(system.cwd, file));
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`${flag}: ${file} cannot be read (${reason})`);
  }
}

/** The text of a file that a flag names, `-` being stdin. Throws a usage error when the file cannot be read. */
export async function readFileFlag(flag: string, file: string, system: InputSystem): Promise<string> {
  return (await readFileFlagBytes(flag, file, system)).toString("utf8");
}

/** The text of a pair of flags like `--body TEXT` and `--body-file FILE` (`-` is stdin); undefined when neither is given. */
export async function givenText(
  system: InputSystem,
  given: { readonly text: string | undefined; readonly file: string | undefined; readonly flag: string },
): Promise<string | undefined> {
  return given.file === undefined ? given.text : readFileFlag(given.flag, given.file, system);
}
