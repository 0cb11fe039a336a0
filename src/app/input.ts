import { isUtf8 } from "node:buffer";
import { wholeNumber } from "../command/flags.ts";
import { nameOf, type Source } from "../command/source.ts";
import { reasonOf } from "../failure/disk.ts";
import { UsageError } from "../failure/failure.ts";
import { fullPath } from "../system/files.ts";
import { largestNamed, readLimited, readStream } from "../system/read-limited.ts";
import type { System } from "../system/system.ts";
import { utf8Text } from "../text/utf8.ts";

/** What reading input needs of the system. */
export type InputSystem = Pick<System, "stdin" | "cwd" | "confine" | "signal">;

/** The targets of a command: its arguments, with `-` replaced by the lines of stdin, which name `source`. Each is there once. */
export function readTargets(typed: readonly string[], system: InputSystem, source?: Source): Promise<string[]> {
  return withLines(typed, system, (line) => nameOf(source, line.trim(), true));
}

/**
 * The targets of a command that are paths, as `readTargets`: spaces at the start and the end of a line belong to the
 * path.
 */
export function readPaths(typed: readonly string[], system: InputSystem): Promise<string[]> {
  return withLines(typed, system, (line) => line);
}

/** The targets of a command as IDs. Throws a usage error for a target that is not a number. */
export async function readIds(typed: readonly string[], system: InputSystem): Promise<number[]> {
  return (await readTargets(typed, system)).map((id) => wholeNumber(id, "ID", 1));
}

async function withLines(
  typed: readonly string[],
  system: InputSystem,
  read: (line: string) => string,
): Promise<string[]> {
  let found: string[] = [];
  for (const target of typed) found = found.concat(target === "-" ? await lines(system, read) : target);
  if (found.length === 0) throw new UsageError("No targets on stdin", "Pass one target per line.");
  return [...new Set(found)];
}

/** The lines of stdin without blank lines and comments: a comment is `# ` and text, because `#12` is a target. */
async function lines(system: InputSystem, read: (line: string) => string): Promise<string[]> {
  const text = await readStdin(system);
  return text
    .split(/\r?\n/)
    .map(read)
    .filter((line) => line !== "" && !line.startsWith("# "));
}

/** All of stdin as text. Throws a usage error if it is not UTF-8. */
export async function readStdin(system: InputSystem): Promise<string> {
  return checkedText("Standard input", await stdinBytes(system));
}

/** Bytes that are not UTF-8 would become other characters. */
function checkedText(name: string, bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new UsageError(`${name} is not UTF-8 text`, "Convert it to UTF-8, for example with iconv.");
  return utf8Text(bytes);
}

/** All of stdin. Throws the reason of the signal when it aborts. */
function stdinBytes({ stdin, signal }: InputSystem): Promise<Buffer> {
  return readStream(largestNamed, stdin, signal);
}

/** The largest file that another file names, in bytes. */
const largestIncluded = 16 * 1024 * 1024;

/**
 * The bytes of a file that a flag names, `-` being stdin; `isIncluded`: another file names it, which has to be a regular
 * one. Throws a usage error when the file cannot be read.
 */
export async function readFileFlagBytes(
  flag: string,
  file: string,
  system: InputSystem,
  isIncluded = false,
): Promise<Buffer> {
  if (file === "-") return stdinBytes(system);
  const path = fullPath(file, system);
  const { signal } = system;
  try {
    const limit = isIncluded ? largestIncluded : largestNamed;
    return await readLimited(path, { limit, isRegular: isIncluded, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new UsageError(`${flag}: could not read ${file}: ${reasonOf(error)}`);
  }
}

/** The text of a file that a flag names, `-` being stdin. Throws a usage error when it cannot be read, or is not UTF-8. */
export async function readFileFlag(
  flag: string,
  file: string,
  system: InputSystem,
  isIncluded = false,
): Promise<string> {
  const name = file === "-" ? "standard input" : file;
  return checkedText(`${flag}: ${name}`, await readFileFlagBytes(flag, file, system, isIncluded));
}

/** The text given by a pair of flags such as `--body TEXT` and `--body-file FILE`; undefined if neither is given. */
export async function givenText(
  system: InputSystem,
  given: { readonly text: string | undefined; readonly file: string | undefined; readonly flag: string },
): Promise<string | undefined> {
  return given.file === undefined ? given.text : readFileFlag(given.flag, given.file, system);
}

/**
 * The first line of a file that a flag names (`-` is stdin): a password or a token, which must not be on a command line.
 * Undefined if the flag was not given. Throws a usage error if the line is empty.
 */
export async function readSecretFile(
  flag: string,
  file: string | undefined,
  system: InputSystem,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const secret = (await readFileFlag(flag, file, system)).split(/\r?\n/, 1)[0] ?? "";
  if (secret === "") throw new UsageError(`${flag}: the first line of ${file === "-" ? "stdin" : file} is empty`);
  return secret;
}
