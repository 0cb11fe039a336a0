type Headers = Readonly<Record<string, string>>;

/** A response. `body` is sent as is, with JSON already serialized. */
export class Reply {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly body: string | Buffer = "",
  ) {}
}

/** What a handler answers with: a record or a list, which is 201 after a POST, otherwise 200; nothing, which is 204; or a response. */
export type Answer = Reply | Readonly<Record<string, unknown>> | readonly unknown[] | undefined;

/** The response for what a handler answers with. */
export function replyOf(method: string, answer: Answer): Reply {
  if (answer instanceof Reply) return answer;
  return answer === undefined ? empty(204) : json(method === "POST" ? 201 : 200, answer);
}

/** A JSON response as Gitea sends it: with a trailing newline and `application/json;charset=utf-8`. */
export function json(status: number, value: unknown, headers: Headers = {}): Reply {
  return text(status, `${JSON.stringify(value)}\n`, "application/json;charset=utf-8", headers);
}

/** A list as JSON, without pages. */
export function listed<C, T>(call: C, items: readonly T[], serialize: (call: C, item: T) => unknown): Reply {
  const records = items.map((item) => serialize(call, item));
  return json(200, records);
}

/** A response without a body. */
export function empty(status: number, headers: Headers = {}): Reply {
  return new Reply(status, headers);
}

/** A response with a body as is. */
export function text(
  status: number,
  body: string | Buffer,
  type = "text/plain;charset=utf-8",
  headers: Headers = {},
): Reply {
  return new Reply(status, { "Content-Type": type, ...headers }, body);
}

/** An error response, thrown by a handler. The current write is rolled back. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    message: string,
    /** `bare`: a body without `url`. `none`: no body. `moved`: the message is the new path. A record: the body itself. */
    readonly form: "message" | "bare" | "none" | "text" | "moved" | Readonly<Record<string, unknown>> = "message",
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

/**
 * Responds with the requested range of a body (RFC 9110, section 14.2), or with all of it for no range or several. A
 * range beyond the end is 416, in the format of the operation.
 */
export function rangeReply(
  body: Buffer,
  range: string | undefined,
  type: string,
  headers: Headers,
  beyondEnd = { message: "invalid start range", size: false },
): Reply {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
  if (first === "" && last === "") return text(200, body, type, headers);
  const start = first === "" ? Math.max(0, body.length - Number(last)) : Number(first);
  const end = first === "" || last === "" ? body.length - 1 : Math.min(Number(last), body.length - 1);
  const size = (part: string) => ({ "Content-Range": `bytes ${part}/${body.length}` });
  if (start < body.length && end >= start)
    return text(206, body.subarray(start, end + 1), type, { ...headers, ...size(`${start}-${end}`) });
  const { "Accept-Ranges": _none, ...others } = headers;
  return text(416, `${beyondEnd.message}\n`, "text/plain; charset=utf-8", {
    ...others,
    ...(beyondEnd.size ? size("*") : {}),
  });
}

/** A `Content-Disposition` header: quoted if needed, with `filename*` for names outside ASCII (RFC 6266). */
export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  if (/^[\w.!#$&+^`|~-]+$/.test(name)) return `${kind}; filename=${name}`;
  const quoted = `${kind}; filename="${name.replace(/["\\]/g, "\\$&").replace(/[^\u0020-\u007e]/g, "_")}"`;
  return /^[\u0020-\u007e]*$/.test(name) ? quoted : `${quoted}; filename*=utf-8''${encodeURIComponent(name)}`;
}
