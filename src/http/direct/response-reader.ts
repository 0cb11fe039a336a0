import type { WireHead } from "../transport.ts";
import { hasControl, isChunkExtension, isToken } from "./grammar.ts";

/** What is not HTTP/1.1, or more than is taken. The codes are those of the parser that Node and undici have. */
export class ResponseError extends Error {
  constructor(
    message: string,
    readonly code: "HPE_INVALID" | "HPE_HEADER_OVERFLOW" = "HPE_INVALID",
  ) {
    super(message);
  }
}

/** The head of a response, and whether its connection can carry another one. */
export interface ResponseHead extends WireHead {
  readonly keepAlive: boolean;
  /** Seconds that the server keeps an idle connection (`Keep-Alive: timeout=`), where it said so. */
  readonly idleSeconds: number | undefined;
}

/** Takes the parts of a response. A piece is lent: its bytes are others afterwards. */
export interface ResponseParts {
  onHead(head: ResponseHead): void;
  onPiece(piece: Buffer): void;
}

/** The most that a head, a line of a chunk or the trailers may have, in bytes. */
const largestHead = 64 * 1024;

type State = "head" | "sized" | "chunk size" | "chunk" | "chunk end" | "trailers" | "until close" | "done";

/**
 * Reads the responses of one connection, one after the other, from bytes that may be cut anywhere (RFC 9112). It is
 * strict: what two readers could understand in two ways is an error.
 */
export class ResponseReader {
  #state: State = "done";
  #method = "";
  #left = 0;
  /** The beginning of a head or a line whose end has not come. */
  #line = "";
  #trailers = 0;

  constructor(private readonly parts: ResponseParts) {}

  /** Expects the response to a request of this method. */
  begin(method: string): void {
    this.#state = "head";
    this.#method = method;
    this.#line = "";
  }

  get done(): boolean {
    return this.#state === "done";
  }

  /** Reads on; returns how many bytes belonged to the response. Throws a `ResponseError`. */
  feed(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && this.#state !== "done") at = this.#step(bytes, at);
    return at;
  }

  /** The connection was ended by the server; whether the response is whole. */
  finish(): boolean {
    if (this.#state === "until close") this.#state = "done";
    return this.done;
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case "head":
        return this.#readHead(bytes, at);
      case "sized":
      case "chunk": {
        const end = Math.min(bytes.length, at + this.#left);
        this.#left -= end - at;
        this.parts.onPiece(bytes.subarray(at, end));
        if (this.#left === 0) this.#state = this.#state === "sized" ? "done" : "chunk end";
        return end;
      }
      case "until close":
        this.parts.onPiece(at === 0 ? bytes : bytes.subarray(at));
        return bytes.length;
      default:
        return this.#readLine(bytes, at);
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    const before = this.#line.length;
    // The end of the head may be cut, too.
    const seam = this.#line.slice(-3);
    const across = before === 0 ? -1 : (seam + bytes.toString("latin1", at, at + 3)).indexOf("\r\n\r\n");
    const end = across >= 0 ? across - seam.length : bytes.indexOf("\r\n\r\n", at, "latin1") - at;
    const ends = across >= 0 || end >= 0;
    const whole = this.#line + bytes.toString("latin1", at, ends ? at + Math.max(0, end) : bytes.length);
    checkStart(whole);
    if (whole.length > largestHead) throw new ResponseError("Header overflow", "HPE_HEADER_OVERFLOW");
    this.#line = ends ? "" : whole;
    if (!ends) return bytes.length;
    this.#begun(whole.slice(0, before + end));
    return at + end + 4;
  }

  #begun(text: string): void {
    const head = parseHead(text);
    const { status, headers, http10 } = head;
    // Interim responses come before the one that counts.
    if (status < 200) {
      if (status === 101) throw new ResponseError("Switched protocols unasked");
      return;
    }
    const coding = headers["transfer-encoding"]?.toLowerCase();
    const stated = headers["content-length"];
    const length = stated === undefined ? undefined : sizeOf(stated, /^\d{1,15}$/, 10);
    if (coding !== undefined && length !== undefined) throw new ResponseError("Both a length and a transfer coding");
    const empty = this.#method === "HEAD" || status === 204 || status === 304;
    const untilClose = !empty && coding === undefined && length === undefined;
    if (empty) this.#state = "done";
    else if (coding !== undefined) {
      if (coding !== "chunked") throw new ResponseError(`Transfer coding ${coding}`);
      this.#state = "chunk size";
    } else if (untilClose) this.#state = "until close";
    else {
      this.#left = length ?? 0;
      this.#state = this.#left === 0 ? "done" : "sized";
    }
    const options = headers["connection"]?.toLowerCase() ?? "";
    const keepAlive = !untilClose && !/\bclose\b/.test(options) && (!http10 || /\bkeep-alive\b/.test(options));
    const idle = /\btimeout=(\d{1,6})\b/.exec(headers["keep-alive"] ?? "")?.[1];
    const idleSeconds = idle === undefined ? undefined : Number(idle);
    this.parts.onHead({ status, headers, keepAlive, idleSeconds });
  }

  /** Lines between the chunks, and after the last one. */
  #readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(0x0a, at);
    const line = this.#line + bytes.toString("latin1", at, end < 0 ? bytes.length : end + 1);
    if (line.length > largestHead) throw new ResponseError("A chunk's line is too long", "HPE_HEADER_OVERFLOW");
    this.#line = end < 0 ? line : "";
    if (end < 0) return bytes.length;
    if (!line.endsWith("\r\n")) throw new ResponseError("A line of a chunked body is not ended");
    this.#lineOf(line.slice(0, -2));
    return end + 1;
  }

  #lineOf(line: string): void {
    if (this.#state === "chunk end") {
      if (line !== "") throw new ResponseError("A chunk is longer than its size");
      this.#state = "chunk size";
    } else if (this.#state === "chunk size") {
      const [digits = "", ...extensions] = line.split(";");
      if (!extensions.every(isChunkExtension)) throw new ResponseError("Invalid extension of a chunk");
      this.#left = sizeOf(digits, /^[0-9a-f]{1,13}$/i, 16);
      this.#trailers = 0;
      this.#state = this.#left === 0 ? "trailers" : "chunk";
    } else {
      this.#trailers += line.length;
      if (this.#trailers > largestHead) throw new ResponseError("Trailer overflow", "HPE_HEADER_OVERFLOW");
      if (line === "") this.#state = "done";
      else parseHeader(line);
    }
  }
}

/** Refuses what does not begin like HTTP, as soon as that is seen. */
function checkStart(text: string): void {
  const start = "HTTP/1.";
  if (!text.startsWith(start.slice(0, text.length))) throw new ResponseError("Expected HTTP/");
}

function sizeOf(text: string, form: RegExp, base: number): number {
  if (!form.test(text)) throw new ResponseError("Invalid size of the body");
  return Number.parseInt(text, base);
}

/** Headers of which only the first counts, where a server repeats them. */
const single = new Set(["content-type", "location", "etag", "last-modified", "retry-after", "content-encoding"]);

function parseHead(text: string) {
  const first = text.indexOf("\r\n");
  const [, minor, status] = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/.exec(first < 0 ? text : text.slice(0, first)) ?? [];
  if (status === undefined) throw new ResponseError("Invalid status line");
  const headers: Record<string, string | undefined> = Object.create(null);
  for (const line of first < 0 ? [] : unfolded(text.slice(first + 2)).split("\r\n")) {
    const { name, value } = parseHeader(line);
    const known = headers[name];
    if (known === undefined) headers[name] = value;
    else if (name === "content-length") {
      if (known !== value) throw new ResponseError("Two different lengths");
    } else if (!single.has(name)) headers[name] = `${known}, ${value}`;
  }
  return { status: Number(status), headers, http10: minor === "0" };
}

function parseHeader(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(":");
  const name = nameOf(line.slice(0, Math.max(0, colon)));
  if (hasControl(line)) throw new ResponseError("Invalid character in a header");
  let start = colon + 1;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start += 1;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return { name, value: line.slice(start, end) };
}

const isBlank = (code: number) => code === 0x20 || code === 0x09;

/** A server sends the same names again and again. */
const names = new Map<string, string>();
const mostNames = 200;

function nameOf(sent: string): string {
  const known = names.get(sent);
  if (known !== undefined) return known;
  if (!isToken(sent)) throw new ResponseError("Invalid header name");
  const name = sent.toLowerCase();
  if (names.size < mostNames) names.set(sent, name);
  return name;
}

/** A line that begins with a blank continues the header before (RFC 9112 5.2). */
function unfolded(lines: string): string {
  return lines.includes("\r\n ") || lines.includes("\r\n\t") ? lines.replace(/\r\n[ \t]+/g, " ") : lines;
}
