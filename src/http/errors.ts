import { type ExitName, exitNameOfStatus } from "../failure/exit-codes.ts";
import { Failure } from "../failure/failure.ts";
import { maskQuery } from "./mask.ts";

/** What was asked, and what the server said to it. */
export interface Exchange {
  readonly method: string;
  /** Path and query below the server's address. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The parsed JSON, or the text, or nothing. */
  readonly body: unknown;
  /** The body as it came. */
  readonly bytes?: Buffer | undefined;
  /** The server's address, for messages. */
  readonly server: string;
}

/** The server answered with a status that the command cannot use. One subclass per kind, beside this file. */
export class HttpError extends Failure {
  override readonly name: string = "HttpError";
  constructor(
    code: string,
    message: string,
    readonly exchange: Exchange,
    hint?: string,
    exit: ExitName = exitNameOfStatus(exchange.status),
  ) {
    super(code, exit, message, {
      hint,
      status: exchange.status,
      method: exchange.method,
      path: maskQuery(exchange.path),
      request: exchange.headers["x-request-id"],
    });
  }

  /** The server's own words, or an empty string. */
  get said(): string {
    return serverWords(this.exchange.body);
  }
}

/**
 * The reason inside an error body (api-facts 3.1.5): `message`, or the more telling `errors` beside an internal or
 * general title, what git said of a refused merge, a bare JSON string, or short plain text. HTML and Go's broken formats
 * say nothing.
 */
export function serverWords(body: unknown): string {
  if (typeof body === "string") return /^\s*</.test(body) ? "" : firstLine(body);
  if (typeof body !== "object" || body === null) return "";
  const { message, errors, error, StdErr, StdOut } = body as Readonly<Record<string, unknown>>;
  const listed = Array.isArray(errors) ? errors.filter((item) => typeof item === "string").join("; ") : "";
  const title = [message, error].find((item): item is string => typeof item === "string" && item !== "") ?? "";
  if (listed !== "" && (title === "" || sayLittle.test(title))) return firstLine(listed);
  if (title.includes("%!s(<nil>)")) return firstLine(listed);
  return title !== "" ? firstLine(title) : gitWords(StdErr) || gitWords(StdOut);
}

/** Internal words in place of a title, and the general ones of a 404. */
const sayLittle = /^([A-Za-z]+|Visit Project|not found|The target couldn't be found\.)$|%!s\(<nil>\)/;

/** The line in which git says why: `CONFLICT …`, `error: …`, `fatal: …`, or its first one. */
function gitWords(output: unknown): string {
  if (typeof output !== "string") return "";
  const lines = output.split(/[\r\n]+/).map((line) => line.trim());
  const telling = lines.find((line) => /^(CONFLICT|error:|fatal:)/.test(line)) ?? lines.find((line) => line !== "");
  return firstLine((telling ?? "").replace(/^(error|fatal): /, ""));
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 500) ?? "";
}

/** `: reason`, or nothing. */
export function because(said: string): string {
  return said === "" ? "" : `: ${said}`;
}

/** An answer came, but it cannot be read: HTML instead of JSON, broken JSON, too large, wrongly encoded. */
export class BrokenAnswerError extends Failure {
  override readonly name = "BrokenAnswerError";
  constructor(
    message: string,
    details: { readonly status: number; readonly method: string; readonly path: string; readonly hint?: string },
  ) {
    super("broken_answer", "serverFailed", message, details);
  }
}

/** 401 or 403: not signed in, or not allowed. */
export class DeniedError extends HttpError {
  override readonly name = "DeniedError";
  constructor(exchange: Exchange) {
    const said = serverWords(exchange.body);
    const [code, message, hint] =
      exchange.status === 401
        ? ["not_signed_in", `${exchange.server} did not accept who you are${because(said)}`, signIn(exchange.server)]
        : ["forbidden", `Not allowed on ${exchange.server}${because(said)}`, missingRight(said, exchange.server)];
    super(code, message, exchange, hint);
  }
}

function signIn(server: string): string {
  return `Sign in with: tongs auth login --host ${server}   (or set TONGS_HOST and TONGS_TOKEN)`;
}

function missingRight(said: string, server: string): string | undefined {
  if (said.includes("scope")) return `Make a token with that scope, then: tongs auth login --host ${server}`;
  if (said.includes("password")) return `Change the password on ${server} first.`;
  if (said.includes("site admin")) return "This needs an administrator's account and a token with the admin scope.";
  return undefined;
}

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

/** 429, or 503 with `Retry-After`, after all retries. */
export class RateLimitedError extends HttpError {
  override readonly name = "RateLimitedError";
  constructor(exchange: Exchange) {
    const after = exchange.headers["retry-after"];
    const hint = after === undefined ? "Try again later." : `The server asks to wait: Retry-After ${after}.`;
    super("rate_limited", `${exchange.server} asks to slow down`, exchange, hint, "rateLimited");
  }
}

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

/** The server has no such operation: a 404 in plain text (api-facts 8), or 405 with an `Allow` header, or 501. */
export class UnknownOperationError extends HttpError {
  override readonly name = "UnknownOperationError";
  constructor(exchange: Exchange, since?: string) {
    const operation = `${exchange.method} ${exchange.path.split("?")[0]}`;
    const hint = since === undefined ? "Another kind of server, or an older release." : `Gitea has it since ${since}.`;
    super("unknown_operation", `${exchange.server} has no operation ${operation}`, exchange, hint, "notFound");
  }
}

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
