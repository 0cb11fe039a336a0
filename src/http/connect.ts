import { directTransport } from "./direct.ts";
import type { Route, Transport } from "./transport.ts";

/** The transport for a route: Node's HTTP client, or undici through a proxy. */
export function openTransport(route: Route): Transport {
  let direct: Transport | undefined;
  const proxied = new Map<string, Promise<Transport>>();

  function through(proxy: URL): Promise<Transport> {
    const known = proxied.get(proxy.href);
    if (known !== undefined) return known;
    const opened = import("./proxied.ts").then((file) => file.proxiedTransport(proxy, route.ca));
    proxied.set(proxy.href, opened);
    return opened;
  }

  // The environment is slow to read, and the answer is the same for all addresses of a server.
  let known: { readonly origin: string; readonly proxy: URL | undefined } | undefined;
  function proxyOf(url: URL): URL | undefined {
    const { origin } = url;
    if (known?.origin !== origin) known = { origin, proxy: route.proxy(url) };
    return known.proxy;
  }

  return {
    async send(request) {
      const proxy = proxyOf(request.url);
      if (proxy !== undefined) return (await through(proxy)).send(request);
      direct ??= directTransport(route.ca);
      return direct.send(request);
    },
    close() {
      direct?.close();
      for (const opened of proxied.values()) void opened.then((transport) => transport.close());
    },
  };
}
