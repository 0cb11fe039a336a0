import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, withHint } from "../failure/failure.ts";
import { Interruption } from "../failure/interruption.ts";

/** A text that a person typed and that cannot be had again. */
export interface TypedText {
  readonly text: string;
  /** What takes the kept file the next time: `--body-file`. */
  readonly flag: string;
}

/** Runs what sends a typed text. When that fails, the text is kept in a file, and the failure names it. */
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
    const where = `Your text is kept: ${typed.flag} ${file}`;
    if (error instanceof Interruption) {
      out.warn(where);
      throw error;
    }
    throw withHint(error, where);
  }
}
