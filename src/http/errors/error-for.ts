import { DeniedError } from "./denied-error.ts";
import { because, type Exchange, HttpError, serverWords } from "./http-error.ts";
import { InvalidError } from "./invalid-error.ts";
import { NotFoundError } from "./not-found-error.ts";
import { RateLimitedError } from "./rate-limited-error.ts";
import { RefusedError } from "./refused-error.ts";
import { ServerError } from "./server-error.ts";
import { UnknownOperationError } from "./unknown-operation-error.ts";

/** The error for an exchange that ended with a status nobody asked for. `since` is the release that has the operation. */
export function errorFor(exchange: Exchange, since?: string): HttpError {
  const { status, headers, body } = exchange;
  if (lacksOperation(exchange)) return new UnknownOperationError(exchange, since);
  if (status === 401 || status === 403) return new DeniedError(exchange);
  if (status === 404) return new NotFoundError(exchange);
  if (status === 400 || status === 422) return new InvalidError(exchange);
  if (status === 429 || (status === 503 && headers["retry-after"] !== undefined)) return new RateLimitedError(exchange);
  if (status === 405 || status === 409 || status === 412 || status === 423) return new RefusedError(exchange);
  if (status >= 500) return new ServerError(exchange);
  return new HttpError("unexpected_status", `Unexpected status ${status}${because(serverWords(body))}`, exchange);
}

/** An absent route answers 404 in plain text, an absent method 405 without a body (api-facts 8, 3.1.1). */
function lacksOperation({ status, headers, body }: Exchange): boolean {
  if (status === 501) return true;
  if (status === 404)
    return headers["content-type"]?.startsWith("text/plain") === true && body !== "user does not exist";
  return status === 405 && headers["allow"] !== undefined && (body === undefined || body === "");
}
