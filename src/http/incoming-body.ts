import type { Readable } from "node:stream";
import type { Body } from "./transport.ts";

/** The stream is paused while more bytes than this are buffered. */
const maxBuffered = 256 * 1024;

/**
 * Wraps a stream as a body; `describe` turns its errors into failures, and `pace` throws one if it is too slow. Data is
 * buffered here as it arrives: a stream that fails drops the data in its own buffer.
 */
export function incomingBody(stream: Readable, describe: (error: Error) => Error, pace?: (size: number) => void): Body {
  // Made when it is needed: most bodies end well, and a stack costs time.
  const early = () => new Error("closed before its end");
  let buffered: Buffer[] = [];
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
    const pieces = buffered;
    [buffered, size] = [[], 0];
    if (outcome === undefined && stream.isPaused()) stream.resume();
    return pieces;
  }

  stream.on("data", (piece: Buffer) => {
    if (outcome !== undefined) return;
    try {
      pace?.(piece.length);
      if (take !== undefined) return take(piece);
    } catch (error) {
      return fail(error);
    }
    buffered.push(piece);
    size += piece.length;
    if (size > maxBuffered) stream.pause();
    wake();
  });
  stream.on("end", () => settle("complete"));
  stream.on("error", (error) => settle(describe(error)));
  stream.on("close", () => {
    if (outcome === undefined) settle(describe(early()));
  });
  // A stream that is already destroyed emits nothing.
  if (stream.destroyed) settle(describe(stream.errored ?? early()));

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
          if (buffered.length > 0) continue;
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
      settle(early());
      buffered = [];
      stream.destroy();
    },
  };
}
