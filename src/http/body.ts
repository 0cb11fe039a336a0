import { isUtf8 } from "node:buffer";
import type { CompressCallback, ZlibOptions } from "node:zlib";
import { parseJson } from "../text/json.ts";
import type { Answer } from "./answers.ts";
import { BrokenAnswerError } from "./errors.ts";
import { incomingBody } from "./incoming-body.ts";
import { inWords } from "./no-answer-error.ts";
import type { Body, WireHead, WireRequest, WireResponse } from "./transport.ts";

/** The most that a decoded answer may weigh, in bytes. Downloads are streamed and have no such limit. */
export const largestAnswer = 256 * 1024 * 1024;

/** What is read of the body of a refusal, in bytes: the reason stands at its beginning. */
const largestRefusal = 1024 * 1024;

/** Reads an answer to its end, unpacked, bounded; throws when it is cut short, too large or wrongly packed. */
export async function readAll(response: WireResponse, request: WireRequest, largest = largestAnswer): Promise<Buffer> {
  const about = { status: response.status, method: request.method, path: request.url.pathname };
  const chunks: Buffer[] = [];
  const whole = await collect(response.body, largest, chunks);
  const bytes = joined(chunks);
  const coding = codingOf(response);
  try {
    if (whole) return coding === undefined ? bytes : await unpack(bytes, coding, { maxOutputLength: largest });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") {
      throw new BrokenAnswerError(`The answer of ${request.url.host} is packed wrongly`, about);
    }
  }
  throw new BrokenAnswerError(`The answer of ${request.url.host} is larger than ${largest / 1024 / 1024} MiB`, about);
}

/**
 * Reads the beginning of a refusal or a redirect, as far as it comes: the status has told the main thing, so a broken
 * body is no error of its own. Throws only when everything is interrupted.
 */
export async function readRefusal(response: WireResponse, request: WireRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    await collect(response.body, largestRefusal, chunks);
  } catch {
    if (request.signal?.aborted) throw request.signal.reason;
  }
  const bytes = joined(chunks);
  const coding = codingOf(response);
  if (coding === undefined) return bytes;
  const { constants } = process.getBuiltinModule("node:zlib");
  const partly = { maxOutputLength: largestRefusal, finishFlush: constants.Z_SYNC_FLUSH };
  return unpack(bytes, coding, partly).catch(() => Buffer.alloc(0));
}

/** Ends the reading. One for all: an error costs a look at the stack. */
const enough = new Error("enough");

/**
 * Gathers the pieces of a body until its end or until there are more than `largest` bytes; then the rest is dropped.
 * Whether it is whole. What came before a cut is there, too.
 */
async function collect(body: Body, largest: number, chunks: Buffer[]): Promise<boolean> {
  let size = 0;
  try {
    await body.drain((piece) => {
      chunks.push(piece);
      size += piece.length;
      if (size > largest) throw enough;
    });
  } catch (error) {
    if (error !== enough) throw error;
  }
  return size <= largest;
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
}

type Coding = "gzip" | "deflate" | "br";

/** How a body is packed, where it is and can be unpacked. */
function codingOf({ status, headers }: WireHead): Coding | undefined {
  const coding = headers["content-encoding"]
    ?.trim()
    .toLowerCase()
    .replace(/^x-gzip$/, "gzip");
  const empty = status === 204 || status === 304 || headers["content-length"] === "0";
  return !empty && (coding === "gzip" || coding === "deflate" || coding === "br") ? coding : undefined;
}

async function unpack(bytes: Buffer, coding: Coding, options: ZlibOptions): Promise<Buffer> {
  const zlib = process.getBuiltinModule("node:zlib");
  const ways = { gzip: zlib.gunzip, deflate: zlib.inflate, br: zlib.brotliDecompress };
  const way: (bytes: Buffer, options: ZlibOptions, done: CompressCallback) => void = ways[coding];
  return new Promise((resolve, reject) => {
    way(bytes, options, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

/** A body as the server meant it, piece by piece. */
export function unpacked(response: WireResponse, request: WireRequest): Body {
  const coding = codingOf(response);
  if (coding === undefined) return response.body;
  const zlib = process.getBuiltinModule("node:zlib");
  const { Readable } = process.getBuiltinModule("node:stream");
  const decoder = {
    gzip: () => zlib.createGunzip(),
    deflate: () => zlib.createInflate(),
    br: () => zlib.createBrotliDecompress(),
  }[coding]();
  const packed = Readable.from(response.body);
  packed.on("error", (error) => decoder.destroy(error));
  decoder.on("close", () => packed.destroy());
  return incomingBody(packed.pipe(decoder), (error) => inWords(error, request, "sent"));
}

/** The value of a successful answer. Throws a `BrokenAnswerError` when JSON was promised and something else came. */
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
    throw new BrokenAnswerError(`${host} answered ${status} with nothing where JSON was due`, about);
  }
  const content = utf8(bytes);
  if (content === undefined) throw new BrokenAnswerError(`The answer of ${host} is not valid UTF-8`, about);
  try {
    return await parseJson(content);
  } catch {
    const html = /^\s*</.test(content);
    const what = html ? `an HTML page${title(content)}` : "something that is not JSON";
    const hint = html
      ? "Is this the address of a Gitea or Forgejo server (with its path prefix), or does a proxy want a sign-in?"
      : undefined;
    const sent = headers["content-type"] ?? "";
    const message = `${host} answered with ${what} ${sent === "" ? "" : `(${sent})`}`.trim();
    throw new BrokenAnswerError(message, { ...about, ...(hint === undefined ? {} : { hint }) });
  }
}

/** The body of an error, as far as it can be read: JSON, or text, or nothing. */
export async function looseBody(bytes: Buffer): Promise<unknown> {
  const content = bytes.toString("utf8");
  if (content === "") return undefined;
  try {
    return await parseJson(content);
  } catch {
    return content.trim();
  }
}

/** The text of bytes without a byte order mark, or undefined when they are not UTF-8. */
function utf8(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function title(html: string): string {
  const found = /<title[^>]*>([^<]{1,200})/i.exec(html)?.[1]?.trim();
  return found === undefined || found === "" ? "" : ` titled “${found}”`;
}
