import type { StreamAnswer } from "../http/answers.ts";
import { noAnswer } from "../http/errors/no-answer-error.ts";

/**
 * Passes on every piece of a streamed answer that arrives, also the last ones before a cut: iterating over the stream
 * would lose what it still holds then. Throws a `NoAnswerError` when it is cut, and what `take` throws.
 */
export function drain(answer: StreamAnswer, signal: AbortSignal, take: (piece: Buffer) => void): Promise<void> {
  const { body, url } = answer;
  return new Promise((resolve, reject) => {
    const cut = (error: Error) => {
      if (signal.aborted) reject(signal.reason);
      else reject("exit" in error ? error : noAnswer(error, url.host, "sent"));
    };
    const early = new Error("closed too early");
    // What ended before anybody listened tells nobody any more.
    if (body.destroyed) cut(body.errored ?? early);
    body.on("data", (piece: Buffer) => {
      try {
        take(piece);
      } catch (error) {
        reject(error);
        body.destroy();
      }
    });
    body.on("end", resolve);
    body.on("error", cut);
    body.on("close", () => cut(early));
  });
}
