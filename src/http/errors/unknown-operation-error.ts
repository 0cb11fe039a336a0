import { type Exchange, HttpError } from "./http-error.ts";

/** The server has no such operation: a 404 in plain text (api-facts 8), or 405 with an `Allow` header, or 501. */
export class UnknownOperationError extends HttpError {
  override readonly name = "UnknownOperationError";
  constructor(exchange: Exchange, since?: string) {
    const operation = `${exchange.method} ${exchange.path.split("?")[0]}`;
    const hint = since === undefined ? "Another kind of server, or an older release." : `Gitea has it since ${since}.`;
    super("unknown_operation", `${exchange.server} has no operation ${operation}`, exchange, hint, "notFound");
  }
}
