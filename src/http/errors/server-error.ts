import { because, type Exchange, HttpError, serverWords } from "./http-error.ts";

/** 5xx: the server failed. */
export class ServerError extends HttpError {
  override readonly name = "ServerError";
  constructor(exchange: Exchange, message?: string, hint?: string) {
    const said = because(serverWords(exchange.body));
    const words = `${exchange.server} failed with ${exchange.status}${said}`;
    super("server_failed", message ?? words, exchange, hint ?? (said === "" ? next(exchange) : undefined));
  }
}

function next({ status }: Exchange): string {
  return status === 503 ? "It is overloaded or in maintenance; try again later." : "Its log says why.";
}
