import { isLineByLine } from "../system/surface.ts";
import type { System } from "../system/system.ts";
import { wrap } from "../text/format.ts";
import { safeLine } from "../text/safe.ts";

/** The columns of the mark before a question, and of the lines below it. */
const mark = 2;
/** Columns that are always left for an answer. */
const least = 4;

/**
 * The message of a prompt, wrapped at words to the width of the terminal: the prompt library breaks lines wherever they end.
 * `after` is what follows the message, such as `(Y/n) Yes`: the last line has room for it.
 */
export function wrapQuestion(message: string, after: string, { stdout, env }: Pick<System, "stdout" | "env">): string {
  const line = safeLine(message);
  if (stdout.isTTY !== true || isLineByLine(env)) return line;
  const width = Math.max(20, (stdout.columns || 80) - mark - 1);
  if (line.length + after.length + 1 <= width) return line;
  // A word without spaces stands for what follows, which must not be broken off.
  const room = "x".repeat(Math.min(Math.max(after.length, least), Math.floor(width / 2)));
  const lines = wrap(`${line} ${room}`, width).split("\n");
  const wrapped = lines.join(`\n${" ".repeat(mark)}`).slice(0, -room.length);
  // The library puts a space behind the message.
  return wrapped.replace(/ $/, "");
}
