import { type ExitName, exitNameOfStatus } from "../../command/exit-codes.ts";
import { Failure } from "../../command/failure.ts";

/** What was asked, and what the server said to it. */
export interface Exchange {
  readonly method: string;
  /** Path and query below the server's address. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The parsed JSON, or the text, or nothing. */
  readonly body: unknown;
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
      path: exchange.path,
      request: exchange.headers["x-request-id"],
    });
  }

  /** The server's own words, or an empty string. */
  get said(): string {
    return serverWords(this.exchange.body);
  }
}

/**
 * The reason inside an error body (api-facts 3.1.5): `message`, or the more telling `errors` beside an internal title,
 * a bare JSON string, or short plain text. HTML and Go's broken formats say nothing.
 */
export function serverWords(body: unknown): string {
  if (typeof body === "string") return /^\s*</.test(body) ? "" : firstLine(body);
  if (typeof body !== "object" || body === null) return "";
  const { message, errors, error } = body as { message?: unknown; errors?: unknown; error?: unknown };
  const listed = Array.isArray(errors) ? errors.filter((item) => typeof item === "string").join("; ") : "";
  const title = typeof message === "string" ? message : typeof error === "string" ? error : "";
  if (title === "" || title.includes("%!s(<nil>)")) return firstLine(listed);
  return firstLine(/^[A-Za-z]+$/.test(title) && listed !== "" ? listed : title);
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 500) ?? "";
}

/** `: reason`, or nothing. */
export function because(said: string): string {
  return said === "" ? "" : `: ${said}`;
}
