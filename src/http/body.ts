import { isUtf8 } from "node:buffer";
import { hasMoreValues, parseJson, TooDeepError } from "../text/json.ts";
import { utf8Text } from "../text/utf8.ts";
import type { Answer } from "./answers.ts";
import { decodedBody } from "./decode.ts";
import { BrokenAnswerError } from "./errors.ts";
import type { Body, WireHead, WireRequest, WireResponse } from "./transport.ts";

/** How many bytes of an error body are read: the reason is at the start. */
const maxErrorSize = 1024 * 1024;

/**
 * Reads and decompresses a whole body. Throws when it is cut off, larger than `largest` bytes, counted while it is
 * decompressed, or cannot be decompressed.
 */
export async function readBody(response: WireResponse, request: WireRequest, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  if (await collect(decodedBody(response, request), largest, chunks)) return concat(chunks);
  throw new BrokenAnswerError(
    `The response from ${request.url.host} is larger than ${largest / 1024 / 1024} MiB`,
    about(response, request),
  );
}

/**
 * Reads the start of the body of an error or a redirect, as far as it arrives. The status is what counts, so an
 * incomplete body is not an error. Throws only on interruption.
 */
export async function readErrorBody(response: WireResponse, request: WireRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    await collect(decodedBody(response, request), maxErrorSize, chunks);
  } catch {
    if (request.signal?.aborted) throw request.signal.reason;
  }
  return concat(chunks);
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

function about({ status }: Pick<WireHead, "status">, { method, url }: WireRequest) {
  return { status, method, path: url.pathname };
}

/** The values in the JSON of a response: each takes many times its bytes in memory, and records have 20 bytes a value. */
const maxValues = 2_000_000;

/**
 * The value of a successful response. Throws a `BrokenAnswerError` when JSON was expected and the body is not JSON, and for
 * a 'yes' without a record that is not 204.
 */
export async function readValue(
  answer: Answer<unknown>,
  bytes: Buffer,
  head: Pick<WireHead, "status" | "headers">,
  request: WireRequest,
): Promise<unknown> {
  const { status } = head;
  if (answer.kind === "status") return status;
  if (answer.kind === "nothing") return undefined;
  if (answer.kind === "text") return bytes;
  const where = about({ status }, request);
  const { host } = request.url;
  if (answer.kind === "yes-no" && answer.read === undefined) {
    if (status === 204) return true;
    throw unexpectedContent(bytes.toString("utf8"), `${status} instead of 204`, head, request);
  }
  if (bytes.length === 0) {
    if (status > 201) return null;
    throw new BrokenAnswerError(`${host} returned ${status} with an empty body instead of JSON`, where);
  }
  const content = utf8(bytes);
  if (content === undefined) throw new BrokenAnswerError(`The response from ${host} is not valid UTF-8`, where);
  if (hasMoreValues(content, maxValues)) {
    throw new BrokenAnswerError(`${host} returned JSON with more than ${maxValues.toLocaleString("en")} values`, where);
  }
  try {
    return await parseJson(content);
  } catch (error) {
    if (error instanceof TooDeepError) {
      throw new BrokenAnswerError(`${host} returned JSON that is ${error.message}`, where);
    }
    throw unexpectedContent(content, "a response that is not JSON", head, request);
  }
}

/** The error for a body that is not what it should be: `what`, or a web page. */
function unexpectedContent(
  content: string,
  what: string,
  { status, headers }: Pick<WireHead, "status" | "headers">,
  request: WireRequest,
): BrokenAnswerError {
  const where = about({ status }, request);
  const { host } = request.url;
  const type = headers["content-type"] ?? "";
  const start = content.slice(0, searchedSize);
  const sent = type === "" ? "" : ` (${type})`;
  if (!start.trimStart().startsWith("<")) return new BrokenAnswerError(`${host} returned ${what}${sent}`, where);
  const hint =
    "Check that this is the address of a Gitea or Forgejo server, including any path prefix, and that no proxy requires signing in.";
  return new BrokenAnswerError(`${host} returned an HTML page${pageTitle(start)}${sent}`, { ...where, hint });
}

/** How many bytes of a response are parsed for an observer, where the caller is given its bytes. */
const maxObserved = 64 * 1024;

/** The value of a response for an observer: JSON, also where the caller is given its bytes. Undefined for anything else. */
export async function observedValue({ kind }: Answer<unknown>, value: unknown): Promise<unknown> {
  if (kind === "json") return value;
  if (!Buffer.isBuffer(value) || value.length > maxObserved) return undefined;
  try {
    const parsed = await parseJson(utf8Text(value));
    return typeof parsed === "object" ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The body of an error: JSON if it can be parsed, otherwise text, or undefined if it is empty. */
export async function errorBody(bytes: Buffer): Promise<unknown> {
  const content = utf8Text(bytes);
  if (content === "") return undefined;
  try {
    return await parseJson(content);
  } catch {
    return content.trim();
  }
}

/** Decodes UTF-8; undefined if the bytes are not UTF-8. */
function utf8(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? utf8Text(bytes) : undefined;
}

/** How many characters of a page are searched for its title. */
const searchedSize = 8 * 1024;

function pageTitle(html: string): string {
  const found = /<title[^<>]*>([^<]{1,200})/i.exec(html)?.[1]?.trim();
  return found === undefined || found === "" ? "" : ` titled “${found}”`;
}
