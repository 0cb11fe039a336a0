import { type ClientSettings, type Http, httpClient } from "../../src/http/client.ts";
import { openTransport } from "../../src/http/connect.ts";
import type { Transport } from "../../src/http/transport.ts";
import { atEnd } from "../support/at-end.ts";
import { quietSignal } from "../support/tongs.ts";

/** A client on a real transport, with its warnings, debug log and waits. */
export interface TestClient {
  readonly http: Http;
  readonly transport: Transport;
  readonly warnings: string[];
  readonly debug: string[];
  /** The delay before each retry, in milliseconds; the client does not actually wait. */
  readonly waits: number[];
  close(): void;
}

/** Changed settings; `ca` and `proxy` are for the transport. */
export interface Changes extends Partial<ClientSettings> {
  readonly ca?: string;
  readonly proxy?: string;
}

/** Opens a client for a server. */
export function clientFor(url: string, { ca, proxy, ...changes }: Changes = {}): TestClient {
  const warnings: string[] = [];
  const debug: string[] = [];
  const waits: number[] = [];
  const transport = openTransport({ ca, proxy: () => (proxy === undefined ? undefined : new URL(proxy)) });
  const http = httpClient({
    base: new URL(url),
    authorization: async () => "token not-a-real-token",
    transport,
    retry: {
      attempts: 4,
      random: () => 0.5,
      now: () => new Date("2026-11-21T12:00:00Z"),
      sleep: async () => undefined,
      onRetry: (_reason, wait) => waits.push(wait),
    },
    timeout: 5_000,
    dryRun: false,
    signal: quietSignal(),
    debug: (line) => debug.push(line),
    onWarning: (warning) => warnings.push(warning),
    userAgent: "tongs/test",
    ...changes,
  });
  atEnd(transport.close);
  return { http, transport, warnings, debug, waits, close: () => transport.close() };
}
