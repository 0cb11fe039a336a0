import { NoAnswerError } from "./no-answer-error.ts";
import type { WireHead, WireRequest } from "./transport.ts";

/** How often, and how long, a request is tried again. */
export interface RetryPolicy {
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly now: () => Date;
  readonly attempts: number;
  /** Told before each wait, for notes and `--debug`. */
  readonly onRetry?: (reason: string, milliseconds: number) => void;
}

const firstDelay = 250;
const longestDelay = 8_000;
/** The longest `Retry-After` that is waited for; a longer one is reported instead. */
const longestAsked = 60_000;
const passing = new Set([429, 502, 503, 504]);
const idempotent = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);

/**
 * Sends a request, again where that is safe: idempotent ones after 502, 503, 504 or a lost connection, any after 429 or
 * when it is certain that it never left. A POST or PATCH that may have arrived is never sent twice. The last answer or
 * error is passed on; `mayHaveActed` says that an earlier try may have had its effect although its answer was lost.
 */
export async function withRetries<R extends WireHead>(
  request: WireRequest,
  send: (request: WireRequest) => Promise<R>,
  policy: RetryPolicy,
): Promise<R & { readonly mayHaveActed: boolean }> {
  let mayHaveActed = false;
  for (let tries = 1; ; tries += 1) {
    const last = tries >= policy.attempts;
    let wait: number;
    let reason: string;
    try {
      const response = await send(request);
      const again = passing.has(response.status) && (idempotent.has(request.method) || response.status === 429);
      const delay = again && !last ? delayFor(tries, policy, response.headers["retry-after"]) : undefined;
      if (delay === undefined) return Object.assign(response, { mayHaveActed });
      mayHaveActed ||= response.status === 502 || response.status === 504;
      [reason, wait] = [`${request.url.host} answered ${response.status}`, delay];
    } catch (error) {
      // A refused connection, a bad name or certificate will be the same next time; a lost connection may not.
      if (last || !(error instanceof NoAnswerError) || error.code !== "connection_lost") throw error;
      if (error.progress === "sent" && !idempotent.has(request.method)) throw error;
      mayHaveActed ||= error.progress === "sent";
      [reason, wait] = [error.message, delayFor(tries, policy) ?? 0];
    }
    policy.onRetry?.(reason, wait);
    await policy.sleep(wait, request.signal);
  }
}

/** Full jitter on a doubling delay, or what the server asks for; undefined when it asks for too long. */
function delayFor(tries: number, policy: RetryPolicy, retryAfter?: string): number | undefined {
  const asked = retryAfter === undefined ? undefined : milliseconds(retryAfter, policy.now());
  if (asked !== undefined) return asked > longestAsked ? undefined : asked;
  return Math.round(policy.random() * Math.min(longestDelay, firstDelay * 2 ** tries)) + 50;
}

/** `Retry-After`: seconds or an HTTP date. */
function milliseconds(retryAfter: string, now: Date): number | undefined {
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
