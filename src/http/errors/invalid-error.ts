import { because, type Exchange, HttpError, serverWords } from "./http-error.ts";

/** 400 or 422: the server rejects the values. */
export class InvalidError extends HttpError {
  override readonly name = "InvalidError";
  constructor(exchange: Exchange, message?: string, hint?: string) {
    super(
      "invalid",
      message ?? `The server rejects this as invalid${because(serverWords(exchange.body))}`,
      exchange,
      hint,
    );
  }
}
