import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type ExitName, exitCodes } from "../failure/exit-codes.ts";
import { Failure, withHint } from "../failure/failure.ts";
import { Interruption } from "../failure/interruption.ts";
import { tempFolder } from "../system/base-folders.ts";
import { joinWords } from "../text/words.ts";

/** A text that the user typed in an editor or at a prompt. */
export interface TypedText {
  readonly text: string;
  /** The flag that reads the text from a file: `--body-file`. */
  readonly flag: string;
}

/**
 * Runs `send`. If it fails, saves the typed text to a file that the error names; if it returns the name of an exit code
 * other than 0, as a batch does, a warning names it. A function returns what was typed until then.
 */
export async function keepingText<T>(
  typed: TypedText | undefined | (() => TypedText | undefined),
  out: { readonly warn: (message: string) => void },
  send: () => Promise<T>,
): Promise<T> {
  const save = () => saveText(typeof typed === "function" ? typed() : typed);
  let result: T;
  try {
    result = await send();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const where = await save();
    if (where === undefined) throw error;
    if (!(error instanceof Interruption)) throw withHint(error, where);
    out.warn(where);
    throw error;
  }
  const where = isFailedExit(result) ? await save() : undefined;
  if (where !== undefined) out.warn(where);
  return result;
}

/** Saves a text to a file and returns how to use it; undefined if there is nothing to save. */
export async function saveText(typed: TypedText | undefined): Promise<string | undefined> {
  if (typed === undefined || typed.text.trim() === "") return undefined;
  const file = await saveFile("text.md", `${typed.text}\n`);
  return `Your text was saved. To use it, pass ${joinWords([typed.flag, file])}`;
}

/** Saves what a failure would lose to a new file that only the user can read. Returns its path. */
export async function saveFile(name: string, content: string | Buffer): Promise<string> {
  const file = join(await mkdtemp(join(tempFolder(), "tongs-kept-")), name);
  await writeFile(file, content, { mode: 0o600 });
  return file;
}

/** Removes files of `saveFile` that a command line names, after what is in them was sent. */
export async function removeKept(typed: readonly string[], cwd: string): Promise<void> {
  for (const word of typed) {
    const folder = dirname(resolve(cwd, word.replace(/^(--[^=]*=)/, "")));
    const isKept = dirname(folder) === tempFolder() && /^tongs-kept-\w{6}$/.test(basename(folder));
    if (isKept) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isFailedExit(result: unknown): boolean {
  return typeof result === "string" && Object.hasOwn(exitCodes, result) && exitCodes[result as ExitName].code !== 0;
}
