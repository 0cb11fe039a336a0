import { readFileFlag, readStdin } from "../../app/input.ts";
import { UsageError } from "../../failure/failure.ts";
import type { System } from "../../system/system.ts";

/** The token that a script hands over by stdin or by a file; undefined when it does neither. */
export async function givenToken(
  given: { readonly stdin: boolean; readonly file: string | undefined },
  system: System,
): Promise<string | undefined> {
  if (given.stdin) return checkedToken(await readStdin(system), "stdin");
  if (given.file === undefined) return undefined;
  const content = await readFileFlag("--token-file", given.file, system);
  return checkedToken(content, given.file === "-" ? "stdin" : given.file);
}

/** The token without the blanks around it. Throws a usage error, which never shows it, when it can be none. */
export function checkedToken(content: string, source: string): string {
  const token = content.trim();
  if (token === "") throw new UsageError(`${source} holds no token`);
  if (!isToken(token)) throw new UsageError(`What ${source} holds is not a token: it has blanks or strange characters`);
  return token;
}

/** Whether a text can be a token: what may stand in a header, in one piece. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
