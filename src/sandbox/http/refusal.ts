/** An answer other than success, thrown from anywhere below a route. The write that it ends is undone. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    message: string,
    /** `bare`: the body has no `url` (account states). `none`: no body. A record: the body itself. */
    readonly form: "usual" | "bare" | "none" | "text" | Readonly<Record<string, unknown>> = "usual",
  ) {
    super(message);
  }
}

export function refuse(status: number, message: string): never {
  throw new Refusal(status, message);
}

export function notFound(message = "not found"): never {
  throw new Refusal(404, message);
}

/** What the record is, or 404. */
export function found<T>(value: T | undefined, message?: string): T {
  return value === undefined ? notFound(message) : value;
}

/** Sends the caller on (a renamed user or repository); the query is kept. */
export class Moved extends Error {
  override readonly name = "Moved";

  constructor(
    readonly status: 301 | 307,
    readonly path: string,
  ) {
    super(`moved to ${path}`);
  }
}
