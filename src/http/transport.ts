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

/** The head of an answer: lower-case header names, repeated ones joined by commas. */
export interface WireHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * A body as it comes in, for one reader: either `drain`, or iteration at the reader's pace. Both fail with a
 * `NoAnswerError` when it is cut short, after the pieces that came before.
 */
export interface Body extends AsyncIterable<Buffer> {
  /** Passes on each piece as it arrives, and ends with the last. */
  drain(take: (piece: Buffer) => void): Promise<void>;
  /** Drops what has not been read. */
  destroy(): void;
}

/** The answer as it comes in, the body still encoded. */
export interface WireResponse extends WireHead {
  readonly body: Body;
}

/** Sends one request. Throws a `NoAnswerError` when no answer begins; the body fails with one when it stops. */
export interface Transport {
  send(request: WireRequest): Promise<WireResponse>;
  /** Drops every connection, so that the process can end. */
  close(): void;
}

/** What the transport needs to know of the ways to servers. */
export interface Route {
  /** The proxy on the way to an address, if any; a redirect may lead to one with another. */
  readonly proxy: (url: URL) => URL | undefined;
  /** Extra certificate authorities, PEM. */
  readonly ca?: string | undefined;
}

/** How many connections to a server are open at once, and so how many pages are under way. */
export const connections = 16;
