import type { Readable } from "node:stream";

/** A response. `body` is sent as is, with JSON already serialized. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | Readable;
}

/** A JSON response as Gitea sends it: with a trailing newline and `application/json;charset=utf-8`. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { "Content-Type": "application/json;charset=utf-8", ...headers },
    body: `${JSON.stringify(value)}\n`,
  };
}

/** A list as JSON, without pages. */
export function listed<C, T>(call: C, items: readonly T[], serialize: (call: C, item: T) => unknown): Reply {
  return json(
    200,
    items.map((item) => serialize(call, item)),
  );
}

/** A response without a body. */
export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers };
}

/** A response with a body as is. */
export function text(
  status: number,
  body: string | Buffer,
  type = "text/plain;charset=utf-8",
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: { "Content-Type": type, ...headers }, body };
}

/** An error response, thrown by a handler. The current write is rolled back. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    message: string,
    /** `bare`: a body without `url`. `none`: no body. A record: the body itself. */
    readonly form: "message" | "bare" | "none" | "text" | Readonly<Record<string, unknown>> = "message",
  ) {
    super(message);
  }
}

/** Throws an error response. */
export function refuse(status: number, message: string): never {
  throw new Refusal(status, message);
}

/** Throws a 500 response, whose message only administrators see. */
export function fail(message: string): never {
  throw new Refusal(500, message);
}

/** Throws a 404 response. */
export function notFound(message = "not found"): never {
  throw new Refusal(404, message);
}

/** Returns the value; throws 404 if it is undefined. */
export function found<T>(value: T | undefined, message?: string): T {
  return value === undefined ? notFound(message) : value;
}

/** A redirect for a renamed user or repository, thrown by a handler. The query is kept. */
export class Moved extends Error {
  override readonly name = "Moved";

  constructor(
    readonly status: 301 | 307,
    readonly path: string,
  ) {
    super(`moved to ${path}`);
  }
}

/**
 * Responds with the requested range of a body (RFC 9110, section 14.2), or with all of it for no range or several. A
 * range beyond the end is 416, in the format of the operation.
 */
export function rangeReply(
  body: Buffer,
  range: string | undefined,
  type: string,
  headers: Readonly<Record<string, string>>,
  beyondEnd: { readonly message: string; readonly size: boolean },
): Reply {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
  if (first === "" && last === "") return text(200, body, type, headers);
  if (first === "" && !beyondEnd.size) {
    // Gitea does not support suffix ranges for files.
    return text(416, 'strconv.ParseInt: parsing "": invalid syntax\n', "text/plain; charset=utf-8", headers);
  }
  const start = first === "" ? Math.max(0, body.length - Number(last)) : Number(first);
  const end = first === "" || last === "" ? body.length - 1 : Math.min(Number(last), body.length - 1);
  if (start >= body.length || end < start) {
    const size = beyondEnd.size ? { "Content-Range": `bytes */${body.length}` } : {};
    const { "Accept-Ranges": _none, ...others } = headers;
    return text(416, `${beyondEnd.message}\n`, "text/plain; charset=utf-8", { ...others, ...size });
  }
  return text(206, body.subarray(start, end + 1), type, {
    ...headers,
    "Content-Range": `bytes ${start}-${end}/${body.length}`,
  });
}

/** A `Content-Disposition` header as Gitea writes it: quoted if needed, with `filename*` for names outside ASCII. */
export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const isPlain = /^[\w.!#$&+^`|~-]+$/.test(name);
  if (isPlain) return `${kind}; filename=${name}`;
  const quoted = name.replace(/["\\]/g, "\\$&");
  if (/^[\u0020-\u007e]*$/.test(name)) return `${kind}; filename="${quoted}"`;
  const ascii = quoted.replace(/[^\u0020-\u007e]/g, "_");
  return `${kind}; filename="${ascii}"; filename*=utf-8''${escapedName(name)}`;
}

/** Escapes a name as Go's url.PathEscape does, which escapes other characters than encodeURIComponent. */
const escapedName = (name: string) =>
  encodeURIComponent(name)
    .replace(/%(24|26|2B|3D|3A|40)/g, (code) => decodeURIComponent(code))
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
