import type { Readable } from "node:stream";
import type { Body } from "./transport.ts";

/** With more bytes than this waiting for the reader, the stream is paused. */
const maxHeld = 256 * 1024;

/**
 * A stream as a body; `describe` turns its errors into failures. The stream is read at once and what arrives is held
 * for the reader: a stream that is cut off drops what it holds itself.
 */
export function incomingBody(stream: Readable, describe: (error: Error) => Error): Body {
  const early = new Error("closed before its end");
  let held: Buffer[] = [];
  let size = 0;
  let take: ((piece: Buffer) => void) | undefined;
  let outcome: "complete" | Error | undefined;
  let wake = () => {};

  function settle(result: "complete" | Error): void {
    outcome ??= result;
    wake();
  }
  function fail(error: unknown): void {
    settle(error instanceof Error ? error : new Error(String(error)));
    stream.destroy();
  }
  function release(): Buffer[] {
    const pieces = held;
    [held, size] = [[], 0];
    if (outcome === undefined && stream.isPaused()) stream.resume();
    return pieces;
  }

  stream.on("data", (piece: Buffer) => {
    if (outcome !== undefined) return;
    if (take === undefined) {
      held.push(piece);
      size += piece.length;
      if (size > maxHeld) stream.pause();
      wake();
      return;
    }
    try {
      take(piece);
    } catch (error) {
      fail(error);
    }
  });
  stream.on("end", () => settle("complete"));
  stream.on("error", (error) => settle(describe(error)));
  stream.on("close", () => settle(describe(early)));
  // A stream that was destroyed before emits nothing more.
  if (stream.destroyed) settle(describe(stream.errored ?? early));

  return {
    drain(reader) {
      try {
        for (const piece of release()) reader(piece);
      } catch (error) {
        fail(error);
        return Promise.reject(error);
      }
      take = reader;
      return new Promise((resolve, reject) => {
        wake = () => {
          if (outcome === "complete") resolve();
          else if (outcome !== undefined) reject(outcome);
        };
        wake();
      });
    },
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          yield* release();
          if (held.length > 0) continue;
          if (outcome === "complete") return;
          if (outcome !== undefined) throw outcome;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        this.destroy();
      }
    },
    destroy() {
      if (outcome !== undefined) return;
      settle(early);
      held = [];
      stream.destroy();
    },
  };
}
