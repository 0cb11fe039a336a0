import type { Body } from "./transport.ts";

/** What a successful answer of an operation is turned into. Only the HTTP client looks inside. */
export interface Answer<T> {
  readonly kind: "json" | "text" | "nothing" | "status" | "yes-no" | "stream";
  readonly accept: string;
  /** Carries the type only; never set. */
  readonly value?: T;
}

/** A JSON value, passed through untouched. An empty answer is `null`. */
export function json<T>(): Answer<T> {
  return { kind: "json", accept: "application/json" };
}

/** Text, as bytes. */
export const text: Answer<Buffer> = { kind: "text", accept: "text/plain, */*" };

/** An answer without content. */
export const nothing: Answer<undefined> = { kind: "nothing", accept: "application/json" };

/** The status itself, where it tells what happened (201: scheduled). */
export const status: Answer<number> = { kind: "status", accept: "application/json" };

/** 204 is yes, 404 of the operation's own is no. */
export const yesNo: Answer<boolean> = { kind: "yes-no", accept: "application/json" };

/** The body as it arrives; the caller reads it to its end or destroys it. */
export const stream: Answer<StreamAnswer> = { kind: "stream", accept: "*/*" };

/** A streamed answer of any status below 400. */
export interface StreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Body;
  /** The address that answered in the end, after redirects. */
  readonly url: URL;
}

/** An answer with its status and headers, for `tongs api` and for lists. */
export interface Answered<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly value: T;
}
