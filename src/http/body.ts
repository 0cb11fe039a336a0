import type { Readable } from "node:stream";
import { BrokenAnswerError } from "./errors/broken-answer-error.ts";
import { noAnswer } from "./errors/no-answer-error.ts";
import type { WireRequest, WireResponse } from "./transport.ts";

/** The most that a decoded answer may weigh, in bytes. Downloads are streamed and have no such limit. */
export const largestAnswer = 256 * 1024 * 1024;

/** What is read of the body of a refusal, in bytes: the reason stands at its beginning. */
const largestRefusal = 1024 * 1024;

/** Reads an answer to its end, unpacked, bounded; throws when it is cut short, too large or wrongly packed. */
export async function readAll(response: WireResponse, request: WireRequest, largest = largestAnswer): Promise<Buffer> {
  const about = { status: response.status, method: request.method, path: request.url.pathname };
  try {
    const { bytes, whole } = await collect(await unpacked(response), largest);
    if (whole) return bytes;
  } catch (error) {
    if (request.signal?.aborted) throw request.signal.reason;
    if (error instanceof Error && "exit" in error) throw error;
    if (isZlibError(error)) {
      response.body.destroy();
      throw new BrokenAnswerError(`The answer of ${request.url.host} is packed wrongly`, about);
    }
    throw noAnswer(error, request.url.host, "sent");
  }
  response.body.destroy();
  throw new BrokenAnswerError(`The answer of ${request.url.host} is larger than ${largest / 1024 / 1024} MiB`, about);
}

/**
 * Reads the beginning of a refusal or a redirect, as far as it comes: the status has told the main thing, so a broken
 * body is no error of its own. Throws only when everything is interrupted.
 */
export async function readRefusal(response: WireResponse, request: WireRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    await collect(await unpacked(response), largestRefusal, chunks);
  } catch {
    if (request.signal?.aborted) throw request.signal.reason;
  }
  response.body.destroy();
  return Buffer.concat(chunks);
}

/** The pieces of a body until its end or until there are more than `largest` bytes. By events: that starts fastest. */
function collect(body: Readable, largest: number, chunks: Buffer[] = []) {
  return new Promise<{ readonly bytes: Buffer; readonly whole: boolean }>((resolve, reject) => {
    let size = 0;
    const ended = (whole: boolean) => {
      const [only] = chunks;
      resolve({ bytes: chunks.length === 1 && only ? only : Buffer.concat(chunks, size), whole });
    };
    body.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= largest) return;
      body.removeAllListeners("data").pause();
      ended(false);
    });
    let whole = false;
    body.on("end", () => {
      whole = true;
      ended(true);
    });
    body.on("error", reject);
    // An error costs a look at the stack: none is made for each answer that is whole.
    body.on("close", () => {
      if (!whole) reject(new Error("closed before its end"));
    });
  });
}

/** The body as the server meant it: gzip, deflate or Brotli undone. */
export async function unpacked(response: WireResponse): Promise<Readable> {
  const coding = response.headers["content-encoding"]?.trim().toLowerCase();
  const empty = response.status === 204 || response.status === 304 || response.headers["content-length"] === "0";
  if (coding === undefined || coding === "" || coding === "identity" || empty) return response.body;
  const zlib = await import("node:zlib");
  const decoder =
    coding === "gzip" || coding === "x-gzip"
      ? zlib.createGunzip()
      : coding === "br"
        ? zlib.createBrotliDecompress()
        : coding === "deflate"
          ? zlib.createInflate()
          : undefined;
  if (decoder === undefined) return response.body;
  response.body.on("error", (error) => decoder.destroy(error));
  return response.body.pipe(decoder);
}

function isZlibError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("Z_") || code.startsWith("ERR__ERROR_FORMAT") || code.startsWith("ERR_BROTLI");
}
