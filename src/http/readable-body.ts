import type { Readable } from "node:stream";
import type { Body } from "./transport.ts";

/** A stream as a body; `word` puts its errors into words. Iterating over a stream loses what it still holds at a cut. */
export function readableBody(stream: Readable, word: (error: Error) => Error): Body {
  const early = new Error("closed before its end");
  return {
    drain: (take) =>
      new Promise((resolve, reject) => {
        // What ended before anybody listened tells nobody any more.
        if (stream.destroyed) reject(word(stream.errored ?? early));
        stream.on("data", (piece: Buffer) => {
          try {
            take(piece);
          } catch (error) {
            reject(error);
            stream.destroy();
          }
        });
        stream.on("end", resolve);
        stream.on("error", (error) => reject(word(error)));
        stream.on("close", () => reject(word(early)));
      }),
    async *[Symbol.asyncIterator]() {
      try {
        for await (const piece of stream) yield piece as Buffer;
      } catch (error) {
        throw word(error as Error);
      }
    },
    destroy: () => void stream.destroy(),
  };
}
