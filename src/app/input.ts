import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageError } from "../failure/failure.ts";
import type { System } from "../system/system.ts";

/** The targets of a command: what was typed, and the lines of stdin in the place of a `-`. Repeated ones are dropped. */
export async function readTargets(typed: readonly string[], system: System): Promise<string[]> {
  const found: string[] = [];
  for (const target of typed) {
    if (target === "-") found.push(...(await lines(system)));
    else found.push(target);
  }
  if (found.length === 0) throw new UsageError("stdin named no target", "Write one target a line.");
  return [...new Set(found)];
}

/** The lines of stdin without blank ones and comments. */
async function lines(system: System): Promise<string[]> {
  const text = await readStdin(system);
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** All of stdin as text. */
export async function readStdin(system: System): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of system.stdin) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString("utf8");
}

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
