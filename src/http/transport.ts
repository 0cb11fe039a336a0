import type { ClientCertificate } from "../system/network.ts";

/** The content of a request that is not in memory, such as a file; `read` is called for each attempt. */
export interface StreamedContent {
  /** The size in bytes. */
  readonly size: number;
  /** Yields all of it. Throws if there is less or more than `size` bytes. */
  read(): AsyncIterable<Buffer>;
}

/** A request to send. Only the transport knows which library sends it. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | StreamedContent | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * How long to wait for the head of the response, in milliseconds; 0 is no limit. The body of an error or a redirect has
   * to arrive in the same time.
   */
  readonly timeout: number;
  /** The longest silence within the body of a successful response, in milliseconds; 0 is no limit. Default: `timeout`. */
  readonly idleTimeout?: number | undefined;
  /** The clock by which the body of a successful response has to keep a pace (`paceOf`); without it, any pace will do. */
  readonly clock?: (() => Date) | undefined;
}

/** Status and headers of a response: lower-case names, repeated headers joined with commas. */
export interface WireHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * A body for one reader: either call `drain`, or iterate at the reader's pace. Both fail with a `NoAnswerError` when the
 * body is cut off, after the pieces that arrived before.
 */
export interface Body extends AsyncIterable<Buffer> {
  /** Calls `take` with each piece as it arrives; resolves after the last one. */
  drain(take: (piece: Buffer) => void): Promise<void>;
  /** Discards the rest. */
  destroy(): void;
}

/** A response with its body still encoded. */
export interface WireResponse extends WireHead {
  readonly body: Body;
}

/** Sends requests. `send` throws a `NoAnswerError` if no response arrives; the body fails with one if it is cut off. */
export interface Transport {
  send(request: WireRequest): Promise<WireResponse>;
  /** Closes all connections, or the process would not exit. */
  close(): void;
}

/** Settings of a transport. */
export interface TransportSettings {
  /** The proxy for a URL, if any. */
  readonly proxy: (url: URL) => URL | undefined;
  /** Additional certificate authorities, PEM. */
  readonly ca?: string | undefined;
  /** The client certificate, and the only origin that it is shown to. */
  readonly identity?: (ClientCertificate & { readonly origin: string }) | undefined;
}

/** The maximum number of connections to a server, and of pages requested at once. */
export const maxConnections = 16;

/** The maximum size of response headers, in bytes. The default of Node and undici is 16 KiB. */
export const maxHeaderSize = 64 * 1024;
