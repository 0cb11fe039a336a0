import { NoAnswerError } from "./errors/no-answer-error.ts";
import type { WireRequest, WireResponse } from "./transport.ts";

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
 * Sends a request, again where that is safe: idempotent ones after 502, 503, 504 or a lost connection, any after 429.
 * A POST or PATCH that may have arrived is never sent twice. The last answer or error is passed on.
 */
export async function withRetries(
  request: WireRequest,
  send: (request: WireRequest) => Promise<WireResponse>,
  policy: RetryPolicy,
): Promise<WireResponse & { readonly tries: number }> {
  for (let tries = 1; ; tries += 1) {
    const last = tries >= policy.attempts;
    let wait: number;
    let reason: string;
    try {
      const response = await send(request);
      const again = passing.has(response.status) && (idempotent.has(request.method) || response.status === 429);
      const delay = delayFor(tries, policy, response.headers["retry-after"]);
      if (!again || last || delay === undefined) return Object.assign(response, { tries });
      response.body.destroy();
      [reason, wait] = [`status ${response.status}`, delay];
    } catch (error) {
      if (last || !lost(error) || !idempotent.has(request.method)) throw error;
      [reason, wait] = [error.message, delayFor(tries, policy) ?? 0];
    }
    policy.onRetry?.(reason, wait);
    await policy.sleep(wait, request.signal);
  }
}

/** Lost or late answers are worth another try; a refused connection, a bad name or certificate is not. */
function lost(error: unknown): error is NoAnswerError {
  return error instanceof NoAnswerError && error.code === "connection_lost";
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
