import { because, type Exchange, HttpError, serverWords } from "./http-error.ts";

/** 405, 409, 412, 423: the thing is in a state in which this cannot be done. */
export class RefusedError extends HttpError {
  override readonly name = "RefusedError";
  constructor(exchange: Exchange, message?: string, hint?: string) {
    const said = serverWords(exchange.body);
    const archived = exchange.status === 423 ? "The repository is archived" : "The server refused";
    const words = exchange.status === 423 ? archived : `${archived}${because(said)}`;
    super("refused", message ?? words, exchange, hint);
  }
}
