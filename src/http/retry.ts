import { retryAfterDelay } from "../text/retry-after.ts";
import { isUnsureStatus, NoAnswerError } from "./no-answer-error.ts";
import type { WireHead, WireRequest } from "./transport.ts";

/** How often a request is retried, and how long to wait. */
export interface RetryPolicy {
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly now: () => Date;
  readonly attempts: number;
  /** The attempts of a read whose connection is lost: a command of hundreds of reads ends if one of them fails. */
  readonly readAttempts?: number;
  /** Called before each wait, for notes and `--debug`. `lost`: the connection was lost; otherwise a status is the reason. */
  readonly onRetry?: (reason: string, milliseconds: number, lost: boolean) => void;
}

const firstDelay = 250;
const maxDelay = 8_000;
/** The longest delay, in milliseconds, of a read whose connection was lost. */
const maxLostDelay = 2_000;
/** The longest `Retry-After` to wait for, in milliseconds; a longer one is an error. */
const maxRetryAfter = 60_000;
const idempotent = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);

/**
 * Sends a request and retries it when that is safe: an idempotent one after 502, 503, 504 or a lost connection, any
 * after 429 or a connection that was lost before it was sent. A POST or PATCH that may have arrived is never sent
 * twice. Returns or throws the result of the last attempt. `mayHaveActed`: an earlier attempt may have taken effect
 * although its response was lost.
 */
export async function withRetries<R extends WireHead>(
  request: WireRequest,
  send: (request: WireRequest) => Promise<R>,
  policy: RetryPolicy,
): Promise<R & { readonly mayHaveActed: boolean }> {
  let mayHaveActed = false;
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt >= policy.attempts;
    let wait: number;
    let reason: string;
    let lost = false;
    try {
      const response = await send(request);
      const isUnsure = isUnsureStatus(response.status);
      const again = response.status === 429 || (isUnsure && idempotent.has(request.method));
      const delay = again && !last ? delayFor(attempt, policy, response.headers["retry-after"]) : undefined;
      if (delay === undefined) return Object.assign(response, { mayHaveActed });
      mayHaveActed ||= isUnsure;
      [reason, wait] = [`${request.url.host} returned ${response.status}`, delay];
    } catch (error) {
      // Only a lost connection can succeed next time; a refused one, a bad host name or certificate will not.
      const isRead = request.method === "GET" || request.method === "HEAD";
      const attempts = isRead ? (policy.readAttempts ?? policy.attempts) : policy.attempts;
      if (attempt >= attempts || !(error instanceof NoAnswerError) || error.code !== "connection_lost") throw error;
      if (error.progress === "sent" && !idempotent.has(request.method)) throw error;
      mayHaveActed ||= error.progress === "sent";
      const delay = delayFor(attempt, policy) ?? 0;
      [reason, wait, lost] = [error.message, isRead ? Math.min(delay, maxLostDelay) : delay, true];
    }
    policy.onRetry?.(reason, wait, lost);
    await policy.sleep(wait, request.signal);
  }
}

/** The delay in milliseconds: exponential with full jitter, or `Retry-After`; undefined if that is too long. */
function delayFor(attempt: number, policy: RetryPolicy, retryAfter?: string): number | undefined {
  const requested = retryAfter === undefined ? undefined : retryAfterDelay(retryAfter, policy.now());
  if (requested !== undefined) return requested > maxRetryAfter ? undefined : requested;
  return Math.round(policy.random() * Math.min(maxDelay, firstDelay * 2 ** attempt)) + 50;
}
