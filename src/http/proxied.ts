import { Client, ProxyAgent } from "undici";
import { inWords } from "./direct.ts";
import { timedOut } from "./errors/no-answer-error.ts";
import type { Route, Transport, WireResponse } from "./transport.ts";

/** The way to a server through a proxy (CONNECT for https, absolute form for http), by undici's proxy agent. */
export function proxiedTransport(route: Route & { readonly proxy: URL }, connections = 16): Transport {
  const tls = route.ca === undefined ? {} : { requestTls: { ca: route.ca }, proxyTls: { ca: route.ca } };
  const credentials = route.proxy.username === "" ? {} : { token: basic(route.proxy) };
  const agent = new ProxyAgent({
    uri: new URL(route.proxy.pathname, route.proxy.origin).href,
    connections,
    clientFactory: (origin, options) => new Client(origin, options),
    ...tls,
    ...credentials,
  });
  return {
    async send(wire) {
      try {
        const response = await agent.request({
          origin: wire.url.origin,
          path: wire.url.pathname + wire.url.search,
          method: wire.method as "GET",
          headers: { ...wire.headers },
          body: wire.body ?? null,
          headersTimeout: wire.timeout,
          bodyTimeout: wire.timeout,
          ...(wire.signal ? { signal: wire.signal } : {}),
        });
        const headers: Record<string, string | undefined> = {};
        for (const [name, value] of Object.entries(response.headers)) {
          headers[name] = Array.isArray(value) ? value.join(", ") : value;
        }
        return { status: response.statusCode, headers, body: response.body } satisfies WireResponse;
      } catch (error) {
        if (error instanceof Error && error.name === "HeadersTimeoutError") throw timedOut(wire.url.host, wire.timeout);
        throw inWords(error as Error, wire, true);
      }
    },
    close() {
      void agent.close();
    },
  };
}

function basic(proxy: URL): string {
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}
