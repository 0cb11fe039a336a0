import type { Readable } from "node:stream";

/** An answer. `body` is sent as it is; JSON is text by then. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | Readable;
}

/** JSON as the servers send it: with a line end, `application/json;charset=utf-8`. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { "Content-Type": "application/json;charset=utf-8", ...headers },
    body: `${JSON.stringify(value)}\n`,
  };
}

/** A status and nothing else. */
export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers };
}

export function text(
  status: number,
  body: string | Buffer,
  type = "text/plain;charset=utf-8",
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: { "Content-Type": type, ...headers }, body };
}
