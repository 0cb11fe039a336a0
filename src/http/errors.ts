import { Failure } from "../failure/failure.ts";
import type { Outcome } from "../failure/outcomes.ts";
import { outcomeOfStatus } from "../failure/statuses.ts";
import { maskQuery } from "./mask.ts";
import { isWrite, mayHaveEffect } from "./no-answer-error.ts";

/** A request and its response. */
export interface Exchange {
  readonly method: string;
  /** Path and query below the server's address. */
  readonly path: string;
  /** 0 if the request was not sent. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON, text, or undefined. */
  readonly body: unknown;
  /** The body as received. */
  readonly bytes?: Buffer | undefined;
  /** The server's address, for messages. */
  readonly server: string;
  /** Where the response is from, if the server redirected the request. */
  readonly redirectedTo?: URL | undefined;
  /** The environment variable that the token is from, for hints. */
  readonly tokenVariable?: string | undefined;
  /** The command line that signs in, for hints. */
  readonly signIn?: string | undefined;
}

/** The server returned an error status. The subclasses are below. */
export class HttpError extends Failure {
  override readonly name: string = "HttpError";
  constructor(
    code: Outcome,
    message: string,
    readonly exchange: Exchange,
    hint?: string,
  ) {
    super(code, message, {
      hint,
      status: exchange.status || undefined,
      method: exchange.method,
      path: maskQuery(exchange.path),
      request: exchange.headers["x-request-id"],
    });
  }

  /** The message in the response body, or an empty string. */
  get serverMessage(): string {
    return serverMessage(this.exchange.body);
  }
}

/**
 * The message in an error body (docs/server-differences.md, "Errors and statuses"): `message`, or the more specific
 * `errors` if the message is an internal name or generic, git's output for a failed merge, a JSON string, or plain text.
 * Empty for HTML and for messages that Go could not format.
 */
export function serverMessage(body: unknown): string {
  if (typeof body === "string") return /^\s*</.test(body) ? "" : firstLine(body);
  if (typeof body !== "object" || body === null) return "";
  const { message, Message, errors, error, StdErr, StdOut } = body as Readonly<Record<string, unknown>>;
  const listed = Array.isArray(errors) ? errors.filter((item) => typeof item === "string").join("; ") : "";
  const summary =
    [message, error, Message].find((item): item is string => typeof item === "string" && item !== "") ?? "";
  if (listed !== "" && (summary === "" || vagueMessage.test(summary))) return firstLine(listed);
  if (summary.includes("%!s(<nil>)")) return firstLine(listed);
  return summary !== "" ? firstLine(summary.replace(/^Get[A-Z]\w*: /, "")) : gitMessage(StdErr) || gitMessage(StdOut);
}

/** Internal names used as a message, and the generic messages of a 404. */
const vagueMessage = /^([A-Za-z]+|Visit Project|[Nn]ot [Ff]ound|The target couldn't be found\.)$|%!s\(<nil>\)/;

/** The line of git's output with the reason: `CONFLICT …`, `error: …`, `fatal: …`, or the first one. */
function gitMessage(output: unknown): string {
  if (typeof output !== "string") return "";
  const lines = output.split(/[\r\n]+/).map((line) => line.trim());
  const reason = lines.find((line) => /^(CONFLICT|error:|fatal:)/.test(line)) ?? lines.find((line) => line !== "");
  return firstLine((reason ?? "").replace(/^(error|fatal): /, ""));
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 500) ?? "";
}

/** Messages of the servers that show their internals, and what they mean. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/(?:Assignee does not exist: \[name: )?user does not exist \[uid: \d+, name: ([^\]]+)\]+/, "user $1 does not exist"],
  [
    /^repository is already forked by user \[uname: .*, repo path: (.*), fork path: (.*)\]$/,
    "$1 is already forked as $2",
  ],
  [/^repository already exists \[uname: (.*), name: (.*)\]$/, "$1/$2 already exists"],
  [/^(approve|reject) your own pull is not allowed$/, "you cannot $1 your own pull request"],
  [/^user should be the site admin$/, "your account is not that of an administrator"],
];

/** A message of the server as a user reads it. */
export function inOwnWords(message: string): string {
  return sentences.reduce((said, [pattern, words]) => said.replace(pattern, words), message);
}

/** `: MESSAGE`, or an empty string. */
export function reasonSuffix(message: string): string {
  return message === "" ? "" : `: ${inOwnWords(message)}`;
}

/** The response is not usable: HTML instead of JSON, invalid JSON, too large, or not decodable. */
export class BrokenAnswerError extends Failure {
  override readonly name = "BrokenAnswerError";
  constructor(
    message: string,
    details: { readonly status: number; readonly method: string; readonly path: string; readonly hint?: string },
  ) {
    super("broken_answer", message, details);
  }
}

/** 401 or 403: not signed in, or permission denied. */
export class DeniedError extends HttpError {
  override readonly name = "DeniedError";
  constructor(exchange: Exchange) {
    const reason = serverMessage(exchange.body);
    const is401 = exchange.status === 401;
    const what = is401 ? "Authentication failed" : "Permission denied";
    const message = existsMessage(exchange) ?? `${what} on ${exchange.server}${reasonSuffix(reason)}`;
    super(refusalCode(exchange), message, exchange, is401 ? signInHint(exchange) : permissionHint(reason, exchange));
  }
}

function signInHint({ server, tokenVariable, signIn = signInTo(server) }: Exchange): string {
  // What is set in the environment comes before any profile: a sign-in would change nothing.
  if (tokenVariable !== undefined)
    return `${tokenVariable} was not accepted: set another token, or unset TONGS_HOST and ${tokenVariable}.`;
  return `Run ${signIn}, or set TONGS_HOST and TONGS_TOKEN.`;
}

function signInTo(server: string): string {
  return `tongs auth login --host ${server}`;
}

function permissionHint(
  reason: string,
  { server, tokenVariable, signIn = signInTo(server) }: Exchange,
): string | undefined {
  if (reason.includes("scope")) {
    const use = tokenVariable === undefined ? `run: ${signIn}` : `set ${tokenVariable} to it.`;
    return `Create a token with that scope, then ${use}`;
  }
  if (reason.includes("password")) return `Change the password on ${server} first.`;
  if (reason === "user should be the site admin")
    return "This requires a site administrator account and a token with the admin scope.";
  return undefined;
}

/** What the names of the servers' validation rules mean. */
const validationRules: Readonly<Record<string, string>> = {
  Required: "is required",
  AlphaDashDot: "can only contain letters, digits, '-', '_' and '.'",
  "invalid username": "is not a valid name for a user or organization",
  MaxSize: "is too long",
  In: "is not one of the accepted values",
  Url: "is not a valid URL",
  Email: "is not a valid email address",
  GitRefName: "is not a valid name for a branch or tag",
};

/** The message in the body; `[Website]: Url` in words. */
function validationMessage(body: unknown): string {
  const message = serverMessage(body);
  if (message === "PasswordIsRequired") return "the password is missing, or too short or too simple for the server";
  const [, field = "", rule = ""] = /^\[(\w+)\]: (.+)$/.exec(message) ?? [];
  return Object.hasOwn(validationRules, rule) ? `${field} ${validationRules[rule]}` : message;
}

/** 400 or 422: the request is not valid. */
export class InvalidError extends HttpError {
  override readonly name = "InvalidError";
  constructor(exchange: Exchange, message?: string, hint?: string) {
    const rejection = `The server rejected the request as invalid${reasonSuffix(validationMessage(exchange.body))}`;
    super(refusalCode(exchange, "invalid"), message ?? existsMessage(exchange) ?? rejection, exchange, hint);
  }
}

/** 404: the resource does not exist, or the user cannot see it. */
export class NotFoundError extends HttpError {
  override readonly name = "NotFoundError";
  /** `off`: the unit of the repository that is turned off: `Actions`. */
  constructor(
    exchange: Exchange,
    message?: string,
    hint?: string,
    readonly off?: string,
  ) {
    const found = serverMessage(exchange.body);
    const reason = isGenericMissing(found) ? "" : reasonSuffix(found);
    // For an unknown name in the body, servers also send 422.
    const sentence = message ?? `Not found on ${exchange.server}${reason}`;
    super("not_found", sentence, exchange, hint ?? webPageHint(exchange));
  }
}

/** Says `WHAT not found on SERVER` for a 404; passes other errors on. */
export function notFound(what: string, hint?: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof NotFoundError)) throw error;
    throw new NotFoundError(error.exchange, `${what} not found on ${error.exchange.server}`, hint);
  };
}

/** What a request answers; undefined if it fails in one of these ways. */
function unless<T>(request: Promise<T>, ...kinds: readonly (abstract new (...args: never[]) => HttpError)[]) {
  return request.catch((error: unknown) => {
    if (kinds.some((kind) => error instanceof kind)) return undefined;
    throw error;
  });
}

/** What a request answers; undefined if what it is about does not exist. */
export const ifFound = <T>(request: Promise<T>) => unless(request, NotFoundError);

/** What a request answers; undefined if it does not exist, or the user is not allowed to see it. */
export const ifVisible = <T>(request: Promise<T>) => unless(request, NotFoundError, DeniedError);

/** What a request answers; undefined if that is an error: what only tells more is left out then, but not if the server is not reached. */
export const unlessHttpError = <T>(request: Promise<T>) => unless(request, HttpError);

/** Whether what a request is about exists. */
export function isFound(request: Promise<unknown>): Promise<boolean> {
  return ifFound(request.then(() => true)).then((found) => found === true);
}

/** Whether the message of a 404 does not say what is missing. */
export function isGenericMissing(message: string): boolean {
  return genericMissing.test(message);
}

const genericMissing =
  /^(|[Nn]ot [Ff]ound|The target couldn't be found\.|resource does not exist|Visit Project|(Get|Has|FileCommits)[A-Z]\w*)$/;

/** Whether the response is a web page. The API never returns one: the address is wrong. */
export function isWebPage(exchange: Exchange): boolean {
  return exchange.headers["content-type"]?.startsWith("text/html") === true;
}

function webPageHint(exchange: Exchange): string | undefined {
  if (!isWebPage(exchange)) return undefined;
  return `The server returned a web page. Check that ${exchange.server} is its address, including any path prefix.`;
}

/** 429, after all retries. */
export class RateLimitedError extends HttpError {
  override readonly name = "RateLimitedError";
  constructor(exchange: Exchange) {
    const after = exchange.headers["retry-after"];
    const hint = after === undefined ? "Try again later." : `The server sent Retry-After: ${after}.`;
    super("rate_limited", `Rate limit exceeded on ${exchange.server}`, exchange, hint);
  }
}

/** 405, 409, 412 or 423: not possible in the current state. */
export class RefusedError extends HttpError {
  override readonly name = "RefusedError";
  constructor(exchange: Exchange, message?: string, hint?: string) {
    const reason = reasonSuffix(serverMessage(exchange.body));
    const refusal = exchange.status === 423 ? "The repository is archived" : `The server refused the request${reason}`;
    super(refusalCode(exchange), message ?? refusal, exchange, hint);
  }
}

/** 5xx: an error on the server. */
export class ServerError extends HttpError {
  override readonly name = "ServerError";
  constructor(exchange: Exchange, message?: string, hint?: string) {
    const reason = reasonSuffix(serverMessage(exchange.body));
    const failure = `${exchange.server} returned ${exchange.status}${reason}`;
    super("server_failed", message ?? failure, exchange, hint ?? serverErrorHint(exchange, reason));
  }
}

function serverErrorHint({ status, method }: Exchange, reason: string): string | undefined {
  if (isWrite(method)) return mayHaveEffect;
  if (reason !== "") return undefined;
  return status === 503
    ? "The server is overloaded or down for maintenance. Try again later."
    : "See the server's log for the cause.";
}

/**
 * The server does not have the operation: 404 in plain text, 405 with an `Allow` header, or 501; or its release has not, and
 * nothing was sent (the status of the exchange is 0).
 */
export class UnknownOperationError extends HttpError {
  override readonly name = "UnknownOperationError";
  constructor(
    exchange: Exchange,
    /** The releases that have the operation, in a sentence, if they are known. */
    readonly available?: string,
    message = `${exchange.server} does not support ${exchange.method} ${exchange.path.split("?")[0]}`,
  ) {
    super(
      "unknown_operation",
      message,
      exchange,
      available ?? "The server may be an older release or another product.",
    );
  }
}

/** The error for an error status. */
export function errorFor(exchange: Exchange): HttpError {
  const { status, body } = exchange;
  if (lacksOperation(exchange)) return new UnknownOperationError(exchange);
  const code = outcomeOfStatus(status);
  switch (code) {
    case "not_signed_in":
    case "forbidden":
      return new DeniedError(exchange);
    case "not_found":
      return new NotFoundError(exchange);
    case "invalid":
      return new InvalidError(exchange);
    case "rate_limited":
      return new RateLimitedError(exchange);
    case "refused":
    case "archived":
      return new RefusedError(exchange);
    case "server_failed":
      return new ServerError(exchange);
    case "too_large":
      return tooLarge(exchange);
    default:
      return new HttpError(code, `Unexpected status ${status}${reasonSuffix(serverMessage(body))}`, exchange);
  }
}

/**
 * The error code of a refused request. Servers refuse what exists already with 400, 403, 409 and 422
 * (docs/server-differences.md, "Errors and statuses"). `found`: the code that a function found out, whatever the status is.
 */
function refusalCode(exchange: Exchange, found = outcomeOfStatus(exchange.status)): Outcome {
  return existsMessage(exchange) === undefined ? found : "exists";
}

function existsMessage({ status, body }: Exchange): string | undefined {
  const reason = serverMessage(body);
  if (status === 401 || !/\balready (exists?|in use|taken)\b|\bhas been used\b/i.test(reason)) return undefined;
  return `The server refused the request${reasonSuffix(reason)}`;
}

/** 413: a quota of Forgejo, which says so, or a limit on the size of requests, often that of a proxy. */
function tooLarge(exchange: Exchange): HttpError {
  const reason = serverMessage(exchange.body);
  if (/quota/i.test(reason)) {
    const hint = `To see the quota and what uses it, run: tongs quota view\nOr see the storage overview in your settings on ${exchange.server}.`;
    return new HttpError("quota_exceeded", `${exchange.server} refused the request: ${reason}`, exchange, hint);
  }
  if (reason !== "") return new HttpError("too_large", `${exchange.server} refused the request: ${reason}`, exchange);
  const hint = "The server, or a proxy in front of it, limits the size of requests.";
  return new HttpError("too_large", `The request is too large for ${exchange.server}`, exchange, hint);
}

/**
 * An unknown route returns 404 in plain text, an unknown method 405 without a body (docs/server-differences.md, "Errors and
 * statuses").
 */
function lacksOperation({ status, headers, body }: Exchange): boolean {
  if (status === 501) return true;
  if (status === 404)
    return headers["content-type"]?.startsWith("text/plain") === true && body !== "user does not exist";
  return status === 405 && headers["allow"] !== undefined && (body === undefined || body === "");
}
