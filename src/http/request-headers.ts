import { UsageError } from "../failure/failure.ts";
import { contentSize } from "./head-timer.ts";
import type { WireRequest } from "./transport.ts";

/** Headers that only the library sets; values from the caller are ignored. */
const connectionHeaders = /^(connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** The headers of a request as Node and undici take them, with the host and the length of the body. */
export function requestHeaders({ url, headers, body }: WireRequest): Record<string, string> {
  const sent: Record<string, string> = { host: url.host };
  for (const [name, value] of Object.entries(headers)) {
    // Header values are written as Latin-1; send UTF-8.
    const bytes = Buffer.from(value).toString("latin1");
    if (!connectionHeaders.test(name)) sent[/^host$/i.test(name) ? "host" : name] = bytes;
  }
  if (body !== undefined) sent["content-length"] = String(contentSize(body));
  return sent;
}

/** The error for a request that the library refuses to send: its method or a header is not valid. */
export function notSendable(error: unknown): UsageError {
  return new UsageError(`The request cannot be sent: ${error instanceof Error ? error.message : error}`);
}
