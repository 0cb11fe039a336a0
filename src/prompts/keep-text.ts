import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, withHint } from "../failure/failure.ts";
import { Interruption } from "../failure/interruption.ts";

/** A text that the user typed in an editor or at a prompt. */
export interface TypedText {
  readonly text: string;
  /** The flag that reads the text from a file: `--body-file`. */
  readonly flag: string;
}

/** Runs `send`. If it fails, saves the typed text to a file that the error names. */
export async function keepingText<T>(
  typed: TypedText | undefined,
  out: { readonly warn: (message: string) => void },
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (typed === undefined || typed.text.trim() === "" || !(error instanceof Failure)) throw error;
    const file = join(await mkdtemp(join(tmpdir(), "tongs-kept-")), "text.md");
    await writeFile(file, `${typed.text}\n`, { mode: 0o600 });
    const where = `Your text was saved. To use it, pass ${typed.flag} ${file}`;
    if (error instanceof Interruption) {
      out.warn(where);
      throw error;
    }
    throw withHint(error, where);
  }
}
