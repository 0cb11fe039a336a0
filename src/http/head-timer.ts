import { timeoutFailure } from "./no-answer-error.ts";
import type { StreamedContent, WireRequest } from "./transport.ts";

/** The longest delay of a timer in Node, in milliseconds (25 days); a longer one would end at once. */
const maxDelay = 2 ** 31 - 1;

/** A limit in milliseconds as a timer takes it: at most 25 days, 0 is no limit. */
export function timerDelay(milliseconds: number): number {
  return Math.min(milliseconds, maxDelay);
}

/** Limits the time until a response has begun. */
export interface HeadTimer {
  /** Starts anew: the server read a part of the request. */
  restart(): void;
  stop(): void;
}

/**
 * Calls `expire` when the head of the response is not complete within the timeout of the request. Neither single bytes
 * of the head nor informational responses restart it; only parts of the request that were sent do.
 */
export function headTimer({ timeout }: WireRequest, expire: () => void): HeadTimer {
  if (timeout <= 0) return { restart() {}, stop() {} };
  const timer = setTimeout(expire, timerDelay(timeout));
  let running = true;
  return {
    restart: () => {
      if (running) timer.refresh();
    },
    stop() {
      running = false;
      clearTimeout(timer);
    },
  };
}

/** What has to arrive of a body in a minute, in bytes: a link of 1 kB/s brings as much of 16 at once. */
const leastBytes = 4096;

/**
 * Counts the pieces of a body, and throws if it only drips. A limit for silence that is longer than a minute, or none (0),
 * is that of its pace, too.
 */
export function paceOf({ clock, idleTimeout, timeout, url }: WireRequest): ((size: number) => void) | undefined {
  const silence = idleTimeout ?? timeout;
  if (clock === undefined || silence <= 0) return undefined;
  const span = Math.max(60_000, silence);
  let [since, arrived] = [clock().getTime(), 0];
  return (size) => {
    arrived += size;
    const now = clock().getTime();
    if (now - since < span) return;
    if (arrived < leastBytes) throw timeoutFailure(url.host, span, "sent", `sent only ${arrived} bytes`);
    [since, arrived] = [now, 0];
  };
}

/** Bodies are sent in pieces of this size, in bytes: the time limit restarts after each. */
export const pieceSize = 256 * 1024;

/** The body of a request in pieces; calls `onPiece` before each. */
export async function* requestPieces(
  bytes: Buffer | StreamedContent,
  onPiece: () => void,
): AsyncGenerator<Buffer, void, undefined> {
  if (!Buffer.isBuffer(bytes)) {
    for await (const piece of bytes.read()) {
      onPiece();
      yield piece;
    }
    return;
  }
  for (let at = 0; at < bytes.length; at += pieceSize) {
    onPiece();
    yield bytes.subarray(at, at + pieceSize);
  }
}

/** The size of a body in bytes. */
export function contentSize(body: NonNullable<WireRequest["body"]>): number {
  return typeof body === "string" || Buffer.isBuffer(body) ? Buffer.byteLength(body) : body.size;
}
