import type { StreamAnswer } from "./answers.ts";
import { noAnswer } from "./errors/no-answer-error.ts";

/** The pieces of a streamed answer; throws a `NoAnswerError` when it is cut short. Leaving the loop drops the rest. */
export async function* chunks(answer: StreamAnswer, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of answer.body) yield chunk as Buffer;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof Error && "exit" in error) throw error;
    throw noAnswer(error, answer.url.host, "sent");
  } finally {
    answer.body.destroy();
  }
}
