import { isUtf8 } from "node:buffer";
import type { CompressCallback, ZlibOptions } from "node:zlib";
import { parseJson, TooDeepError } from "../text/json.ts";
import type { Answer } from "./answers.ts";
import { BrokenAnswerError } from "./errors.ts";
import { incomingBody } from "./incoming-body.ts";
import { requestFailure } from "./no-answer-error.ts";
import type { Body, WireHead, WireRequest, WireResponse } from "./transport.ts";

/** The maximum size of a decoded body, in bytes. Downloads are streamed and have no limit. */
export const maxBodySize = 256 * 1024 * 1024;

/** How many bytes of an error body are read: the reason is at the start. */
const maxErrorSize = 1024 * 1024;

/** Reads and decodes a whole body. Throws when it is cut off, larger than `largest` bytes or cannot be decoded. */
export async function readBody(response: WireResponse, request: WireRequest, largest = maxBodySize): Promise<Buffer> {
  const about = { status: response.status, method: request.method, path: request.url.pathname };
  const chunks: Buffer[] = [];
  const complete = await collect(response.body, largest, chunks);
  const bytes = concat(chunks);
  const coding = contentEncoding(response);
  try {
    if (complete) return coding === undefined ? bytes : await decode(bytes, coding, { maxOutputLength: largest });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") {
      throw new BrokenAnswerError(`The response from ${request.url.host} could not be decompressed`, about);
    }
  }
  throw new BrokenAnswerError(
    `The response from ${request.url.host} is larger than ${largest / 1024 / 1024} MiB`,
    about,
  );
}

/**
 * Reads the start of the body of an error or a redirect, as far as it arrives. The status is what counts, so an
 * incomplete body is not an error. Throws only on interruption.
 */
export async function readErrorBody(response: WireResponse, request: WireRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    await collect(response.body, maxErrorSize, chunks);
  } catch {
    if (request.signal?.aborted) throw request.signal.reason;
  }
  const bytes = concat(chunks);
  const coding = contentEncoding(response);
  if (coding === undefined) return bytes;
  const { constants } = process.getBuiltinModule("node:zlib");
  const partly = { maxOutputLength: maxErrorSize, finishFlush: constants.Z_SYNC_FLUSH };
  return decode(bytes, coding, partly).catch(() => Buffer.alloc(0));
}

/** Thrown to stop reading. Created once: capturing a stack trace is slow. */
const tooLarge = new Error("too large");

/**
 * Adds the pieces of a body to `chunks` until the end, or until there are more than `largest` bytes. Returns whether the
 * body is complete. If the body is cut off, `chunks` has what arrived before.
 */
async function collect(body: Body, largest: number, chunks: Buffer[]): Promise<boolean> {
  let size = 0;
  try {
    await body.drain((piece) => {
      chunks.push(piece);
      size += piece.length;
      if (size > largest) throw tooLarge;
    });
  } catch (error) {
    if (error !== tooLarge) throw error;
  }
  return size <= largest;
}

function concat(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
}

type Coding = "gzip" | "deflate" | "br";

/** The content encoding of a body, if there is one that can be decoded. */
function contentEncoding({ status, headers }: WireHead): Coding | undefined {
  const coding = headers["content-encoding"]
    ?.trim()
    .toLowerCase()
    .replace(/^x-gzip$/, "gzip");
  const empty = status === 204 || status === 304 || headers["content-length"] === "0";
  return !empty && (coding === "gzip" || coding === "deflate" || coding === "br") ? coding : undefined;
}

async function decode(bytes: Buffer, coding: Coding, options: ZlibOptions): Promise<Buffer> {
  const zlib = process.getBuiltinModule("node:zlib");
  const decoders = { gzip: zlib.gunzip, deflate: zlib.inflate, br: zlib.brotliDecompress };
  const decoder: (bytes: Buffer, options: ZlibOptions, done: CompressCallback) => void = decoders[coding];
  return new Promise((resolve, reject) => {
    decoder(bytes, options, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

/** The body of a response as a stream, decoded. */
export function decodedBody(response: WireResponse, request: WireRequest): Body {
  const coding = contentEncoding(response);
  if (coding === undefined) return response.body;
  const zlib = process.getBuiltinModule("node:zlib");
  const { Readable } = process.getBuiltinModule("node:stream");
  const decoder = {
    gzip: () => zlib.createGunzip(),
    deflate: () => zlib.createInflate(),
    br: () => zlib.createBrotliDecompress(),
  }[coding]();
  const encoded = Readable.from(response.body);
  encoded.on("error", (error) => decoder.destroy(error));
  decoder.on("close", () => encoded.destroy());
  return incomingBody(encoded.pipe(decoder), (error) => requestFailure(error, request, "sent"));
}

/** The value of a successful response. Throws a `BrokenAnswerError` when JSON was expected and the body is not JSON. */
export async function readValue(
  answer: Answer<unknown>,
  bytes: Buffer,
  { status, headers }: WireHead,
  request: WireRequest,
): Promise<unknown> {
  if (answer.kind === "status") return status;
  if (answer.kind === "yes-no") return true;
  if (answer.kind === "nothing") return undefined;
  if (answer.kind === "text") return bytes;
  const about = { status, method: request.method, path: request.url.pathname };
  const { host } = request.url;
  if (bytes.length === 0) {
    if (status > 201) return null;
    throw new BrokenAnswerError(`${host} returned ${status} with an empty body instead of JSON`, about);
  }
  const content = utf8(bytes);
  if (content === undefined) throw new BrokenAnswerError(`The response from ${host} is not valid UTF-8`, about);
  try {
    return await parseJson(content);
  } catch (error) {
    if (error instanceof TooDeepError) {
      throw new BrokenAnswerError(`${host} returned JSON that is ${error.message}`, about);
    }
    const html = /^\s*</.test(content);
    const what = html ? `an HTML page${pageTitle(content)}` : "a response that is not JSON";
    const hint = html
      ? "Check that this is the address of a Gitea or Forgejo server, including any path prefix, and that no proxy requires signing in."
      : undefined;
    const sent = headers["content-type"] ?? "";
    const message = `${host} returned ${what} ${sent === "" ? "" : `(${sent})`}`.trim();
    throw new BrokenAnswerError(message, { ...about, ...(hint === undefined ? {} : { hint }) });
  }
}

/** The body of an error: JSON if it can be parsed, otherwise text, or undefined if it is empty. */
export async function errorBody(bytes: Buffer): Promise<unknown> {
  const content = bytes.toString("utf8");
  if (content === "") return undefined;
  try {
    return await parseJson(content);
  } catch {
    return content.trim();
  }
}

/** Decodes UTF-8 without the byte order mark; undefined if the bytes are not UTF-8. */
function utf8(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function pageTitle(html: string): string {
  const found = /<title[^>]*>([^<]{1,200})/i.exec(html)?.[1]?.trim();
  return found === undefined || found === "" ? "" : ` titled “${found}”`;
}
