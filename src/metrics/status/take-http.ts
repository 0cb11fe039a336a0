import type { IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { hasCode } from "../../failure/disk.ts";
import { type Guard, guardedServer, requestBody } from "../../system/guarded-server.ts";
import type { Address } from "../address.ts";
import type { PutvalRules } from "../encode/from-putval.ts";
import { readWriteHttp } from "../encode/from-write-http.ts";
import { TextError } from "../encode/pieces.ts";
import type { Taker } from "../grpc/receive.ts";
import { rejectionReason } from "../grpc/service.ts";
import { encodeReading } from "../reading/codec.ts";
import type { Call } from "../recorder/recorder.ts";
import { padded } from "../wire/block.ts";
import { decodeText } from "../wire/text.ts";
import { listening, type PageServer } from "./pages.ts";

// As of a gRPC message.
const mostBytes = 16 * 1024 * 1024;

const unzipped = promisify(gunzip);

// How many readings are taken before others get their turn: calls of gRPC, and requests for pages.
const slice = 500;

/** How bodies are taken. */
export interface TakeHttpOptions extends Taker, Pick<Guard, "hosts"> {
  readonly rules: PutvalRules;
  /** Called with the reason and the status of each answer that is not 200. */
  readonly onRefused: (reason: string, status: number) => void;
  /** Called with each notification, which nothing else keeps. */
  readonly onNotification: (text: string) => void;
}

/**
 * Takes what collectd's write_http plugin posts, to any path, also with gzip. 200 means that all readings of the body are
 * kept; of a body with an error, none is taken. Throws a `Failure` if it cannot listen.
 */
export async function takeHttp(address: Address, options: TakeHttpOptions): Promise<PageServer> {
  const server = guardedServer(options, async (request) => {
    const [status, text] = await answerTo(request, options);
    if (status !== 200) options.onRefused(text, status);
    return { status, text };
  });
  // Those that are under way are answered.
  return listening(server, address, () => server.closeIdleConnections());
}

async function answerTo(
  request: IncomingMessage,
  options: TakeHttpOptions,
): Promise<readonly [status: number, text: string]> {
  if (request.method !== "POST") return [405, "Use POST, as write_http does"];
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip") return [415, `Use gzip instead of ${encoding}`];
  let body = await requestBody(request, mostBytes);
  try {
    if (encoding === "gzip" && body !== undefined) body = await unzipped(body, { maxOutputLength: mostBytes });
  } catch (error) {
    if (!hasCode(error, "ERR_BUFFER_TOO_LARGE")) return [400, "The body is not valid gzip"];
    body = undefined;
  }
  if (body === undefined) return [413, `The body exceeds ${mostBytes} bytes`];
  return await take(decodeText(body), options);
}

async function take(body: string, options: TakeHttpOptions): Promise<readonly [number, string]> {
  const { rules, onReading, onNotification, settled } = options;
  const encoded: Uint8Array[] = [];
  const notifications: string[] = [];
  try {
    for (const item of readWriteHttp(body, rules)) {
      const rejection = typeof item === "string" ? undefined : rejectionReason(item);
      if (rejection !== undefined) return [400, rejection];
      if (typeof item === "string") notifications.push(item);
      else encoded.push(encodeReading(item));
      if ((encoded.length + notifications.length) % slice === 0) await setImmediate();
    }
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    const { line, column } = error.position;
    return [400, `Line ${line}, column ${column}: ${error.message}`];
  }
  const call: Call = {};
  for (const [index, one] of encoded.entries()) {
    if (index % slice === slice - 1) await setImmediate();
    const { bytes, view } = padded(one);
    const result = await onReading(bytes, view, 0, one.length, call);
    if (typeof result === "string") return [503, result];
  }
  const ended = await settled?.();
  if (call.problem !== undefined) return [503, `Not recorded: ${call.problem}`];
  if (ended !== undefined) return [503, ended];
  for (const text of notifications) onNotification(text);
  return [200, "OK"];
}
