import { type Read, type Report, readAs } from "../shape/read-as.ts";
import type { Shape } from "../shape/shape.ts";
import { decoded } from "../text/percent.ts";
import type { Body } from "./transport.ts";

/** How the body of a successful response is returned. Used by the HTTP client only. */
export interface Answer<T> {
  readonly kind: "json" | "text" | "nothing" | "status" | "yes-no" | "stream";
  readonly accept: string;
  /** The maximum size of the decompressed body, in bytes. Streams have no limit. */
  readonly largest: number;
  /**
   * Reads the value as what was asked for (src/shape/read-as.ts). `path`: where the value is from, after redirects; `report` is
   * called with each record of a list that cannot be read, which is then left out.
   */
  readonly read?: (value: unknown, path: string, report?: Report) => Read;
  /** A 404 from the operation is undefined, not an error. */
  readonly optional?: true;
  /** Carries the type only; never set. */
  readonly value?: T;
}

const mebibyte = 1024 * 1024;

/** The maximum size of a record or a page of records, in bytes. */
export const maxJsonSize = 64 * mebibyte;

/** The maximum size of a record that holds the content of a file, in bytes: 100 MiB, the limit of servers, in base64. */
export const maxContentsSize = 160 * mebibyte;

/** A JSON value of up to `largest` bytes, unchanged; with a shape, checked against it. An empty body is `null`. */
export function json<T>(shape?: Shape<T>, largest = maxJsonSize): Answer<T> {
  const answer: Answer<T> = { kind: "json", accept: "application/json", largest };
  return shape === undefined ? answer : { ...answer, read: (value, _path, report) => readAs(shape, value, report) };
}

/** The body as bytes, in memory. */
export const text: Answer<Buffer> = { kind: "text", accept: "text/plain, */*", largest: 256 * mebibyte };

/** No content. */
export const nothing: Answer<undefined> = { kind: "nothing", accept: "application/json", largest: maxJsonSize };

/** The status code, where it is the result (201: scheduled). */
export const status: Answer<number> = { kind: "status", accept: "application/json", largest: maxJsonSize };

/** Whether something is so: 204 is true, a 404 from the operation is false. */
export const yesNo: Answer<boolean> = { kind: "yes-no", accept: "application/json", largest: maxJsonSize };

/**
 * Whether a record exists: the record is true, a 404 from the operation is false. With `nameOf`, it must be the record with
 * the name at the end of the path.
 */
export function exists<T>(shape: Shape<T>, nameOf?: (record: T) => string): Answer<boolean> {
  return {
    ...yesNo,
    read(value, path) {
      const found = readAs(shape, value);
      if (found.mismatch !== undefined || nameOf === undefined) return found;
      const name = nameOf(found.value as T).toLowerCase();
      const isNamed = decoded(path).toLowerCase().endsWith(`/${name}`);
      return isNamed ? found : { value, mismatch: `${shape.title} of that name` };
    },
  };
}

/** The body as a stream; the caller must read it to the end or destroy it. */
export const stream: Answer<StreamAnswer> = { kind: "stream", accept: "*/*", largest: Number.POSITIVE_INFINITY };

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
