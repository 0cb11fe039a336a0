import { directTransport } from "./direct.ts";
import type { Transport, TransportSettings } from "./transport.ts";

/** Opens a transport: Node's HTTP client, or undici through a proxy. */
export function openTransport(settings: TransportSettings): Transport {
  let direct: Transport | undefined;
  const proxied = new Map<string, Promise<Transport>>();

  function proxyTransport(proxy: URL): Promise<Transport> {
    const known = proxied.get(proxy.href);
    if (known !== undefined) return known;
    const opened = import("./proxied.ts").then((file) => file.proxiedTransport(proxy, settings.ca));
    proxied.set(proxy.href, opened);
    return opened;
  }

  // Reading the environment is slow, and the proxy is the same for all URLs of a server.
  let known: { readonly origin: string; readonly proxy: URL | undefined } | undefined;
  function proxyOf(url: URL): URL | undefined {
    const { origin } = url;
    if (known?.origin !== origin) known = { origin, proxy: settings.proxy(url) };
    return known.proxy;
  }

  return {
    async send(request) {
      const proxy = proxyOf(request.url);
      if (proxy !== undefined) return (await proxyTransport(proxy)).send(request);
      direct ??= directTransport(settings.ca);
      return direct.send(request);
    },
    close() {
      direct?.close();
      for (const opened of proxied.values()) void opened.then((transport) => transport.close());
    },
  };
}
