import { type SearchAnswer, type SearchQuestion, startWorker } from "./worker.ts";

/** How long matching may take, in milliseconds. */
const limit = 1000;

/**
 * Which texts match a regular expression that somebody else wrote, such as a server or a template: in a worker thread, because
 * matching can take exponential time. Undefined if the expression is not valid or takes longer than a second. Throws the
 * signal's reason when it aborts.
 */
export async function matchForeign(
  source: string,
  flags: "u" | "v",
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly boolean[] | undefined> {
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, flags);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const until = AbortSignal.any([signal, AbortSignal.timeout(limit)]);
  const worker = startWorker<SearchQuestion, SearchAnswer>("search", until);
  try {
    const answer = await worker.ask({ pattern, texts });
    return "matches" in answer ? answer.matches : undefined;
  } catch (error) {
    if (signal.aborted || !until.aborted) throw error;
    return undefined;
  } finally {
    worker.close();
  }
}
