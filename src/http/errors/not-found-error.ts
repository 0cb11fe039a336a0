import { because, type Exchange, HttpError, serverWords } from "./http-error.ts";

/** 404 of a thing: it does not exist, or the caller may not see it. */
export class NotFoundError extends HttpError {
  override readonly name = "NotFoundError";
  constructor(exchange: Exchange, message?: string, hint?: string) {
    const said = serverWords(exchange.body);
    const reason = said === "not found" || said === "The target couldn't be found." ? "" : because(said);
    super("not_found", message ?? `Not found on ${exchange.server}${reason}`, exchange, hint ?? page(exchange));
  }
}

/** The API never answers with a web page: the address leads elsewhere. */
export function isPage(exchange: Exchange): boolean {
  return exchange.headers["content-type"]?.startsWith("text/html") === true;
}

function page(exchange: Exchange): string | undefined {
  if (!isPage(exchange)) return undefined;
  return `A web page came, not the API's answer: is ${exchange.server} the server's address, with its path prefix?`;
}
