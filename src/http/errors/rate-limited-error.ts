import { type Exchange, HttpError } from "./http-error.ts";

/** 429, or 503 with `Retry-After`, after all retries. */
export class RateLimitedError extends HttpError {
  override readonly name = "RateLimitedError";
  constructor(exchange: Exchange) {
    const after = exchange.headers["retry-after"];
    const hint = after === undefined ? "Try again later." : `The server asks to wait: Retry-After ${after}.`;
    super("rate_limited", `${exchange.server} asks to slow down`, exchange, hint, "rateLimited");
  }
}
