import { mismatch } from "../shape/mismatch.ts";
import type { Shape } from "../shape/shape.ts";
import type { Body } from "./transport.ts";

/** How the body of a successful response is returned. Used by the HTTP client only. */
export interface Answer<T> {
  readonly kind: "json" | "text" | "nothing" | "status" | "yes-no" | "stream";
  readonly accept: string;
  /** How the value differs from what was asked for, if it does (src/shape/mismatch.ts). */
  readonly mismatch?: (value: unknown) => string | undefined;
  /** Carries the type only; never set. */
  readonly value?: T;
}

/** A JSON value, unchanged; with a shape, checked against it. An empty body is `null`. */
export function json<T>(shape?: Shape<T>): Answer<T> {
  const answer: Answer<T> = { kind: "json", accept: "application/json" };
  return shape === undefined ? answer : { ...answer, mismatch: (value) => mismatch(shape, value) };
}

/** The body as bytes. */
export const text: Answer<Buffer> = { kind: "text", accept: "text/plain, */*" };

/** No content. */
export const nothing: Answer<undefined> = { kind: "nothing", accept: "application/json" };

/** The status code, where it is the result (201: scheduled). */
export const status: Answer<number> = { kind: "status", accept: "application/json" };

/** Whether something exists: 204 is true, a 404 from the operation is false. */
export const yesNo: Answer<boolean> = { kind: "yes-no", accept: "application/json" };

/** The body as a stream; the caller must read it to the end or destroy it. */
export const stream: Answer<StreamAnswer> = { kind: "stream", accept: "*/*" };

/** A streamed response with a status below 300. */
export interface StreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Body;
  /** The URL of the response, after redirects. */
  readonly url: URL;
}

/** A response value with its status and headers, for `tongs api` and for lists. */
export interface Answered<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly value: T;
}
