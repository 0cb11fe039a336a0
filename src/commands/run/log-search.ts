import { Failure, UsageError } from "../../failure/failure.ts";
import type { SearchAnswer, SearchQuestion } from "../../system/worker.ts";
import type { LogLine } from "./log-lines.ts";
import { plainText } from "./log-text.ts";

/** How many lines, and how many characters of lines, are matched at once. */
const batchLines = 2_000;
const batchLength = 256 * 1024;

/** Finds the lines that match, in order. */
export interface LogSearch {
  matching<T extends LogLine>(lines: AsyncIterable<T>): AsyncGenerator<T, void, undefined>;
  close(): void;
}

/** Reads a regular expression. A leading `(?i)` ignores case, as in other tools. Throws a `UsageError` if it is invalid. */
export function readPattern(typed: string): RegExp {
  const anyCase = typed.startsWith("(?i)");
  try {
    return new RegExp(anyCase ? typed.slice(4) : typed, anyCase ? "iu" : "u");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`--grep: invalid regular expression '${typed}'`, error.message);
  }
}

/**
 * Starts a search for a pattern in the text of lines, without colors. It runs in a worker thread, which the signal ends:
 * matching can take exponential time.
 */
export async function openSearch(pattern: RegExp, signal: AbortSignal): Promise<LogSearch> {
  const { startWorker } = await import("../../system/worker.ts");
  const worker = startWorker<SearchQuestion, SearchAnswer>("search", signal);

  async function search<T extends LogLine>(lines: readonly T[], texts: readonly string[]): Promise<T[]> {
    const answer = await worker.ask({ pattern, texts });
    if ("matches" in answer) return lines.filter((_line, index) => answer.matches[index]);
    const hint = `The line is too long for this pattern: ${answer.failed}`;
    throw new Failure("pattern", "--grep: Could not match a line of the log", { hint });
  }

  return {
    async *matching<T extends LogLine>(lines: AsyncIterable<T>) {
      let batch: T[] = [];
      let texts: string[] = [];
      let length = 0;
      for await (const line of lines) {
        const text = plainText(line.text);
        batch.push(line);
        texts.push(text);
        length += text.length;
        if (batch.length < batchLines && length < batchLength) continue;
        yield* await search(batch, texts);
        [batch, texts, length] = [[], [], 0];
      }
      if (batch.length > 0) yield* await search(batch, texts);
    },
    close: worker.close,
  };
}
