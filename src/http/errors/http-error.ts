import { type ExitName, exitNameOfStatus } from "../../command/exit-codes.ts";
import { Failure } from "../../command/failure.ts";
import { maskQuery } from "../mask.ts";

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
