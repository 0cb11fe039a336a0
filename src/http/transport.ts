import type { Readable } from "node:stream";

/** One request as it goes out. Nothing above this interface knows which library sends it. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the answer must have begun, and between two pieces of it; 0 waits for ever. */
  readonly timeout: number;
}

/** The answer as it comes in: lower-case header names, the body still encoded. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Readable;
}

/** Sends one request. Throws a `NoAnswerError` when no answer begins. */
export interface Transport {
  send(request: WireRequest): Promise<WireResponse>;
  /** Lets idle connections go, so that the process can end. */
  close(): void;
}

/** What a transport needs to know of the way to the server. */
export interface Route {
  /** The proxy to go through, if any. */
  readonly proxy?: URL | undefined;
  /** Extra certificate authorities, PEM. */
  readonly ca?: string | undefined;
}
