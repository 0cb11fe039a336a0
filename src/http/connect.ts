import { directTransport } from "./direct.ts";
import type { Transport, TransportSettings } from "./transport.ts";

/** Opens a transport: Node's HTTP client, or undici through a proxy. */
export function openTransport({ proxy: findProxy, ca, identity }: TransportSettings): Transport {
  const direct = new Map<boolean, Transport>();
  const proxied = new Map<string, Promise<Transport>>();

  function proxyTransport(proxy: URL, isOwn: boolean): Promise<Transport> {
    const key = `${isOwn} ${proxy.href}`;
    const known = proxied.get(key);
    if (known !== undefined) return known;
    const shown = isOwn ? identity : undefined;
    const opened = import("./proxied.ts").then((file) => file.proxiedTransport(proxy, ca, shown));
    proxied.set(key, opened);
    return opened;
  }

  function ownTransport(isOwn: boolean): Transport {
    const known = direct.get(isOwn);
    if (known !== undefined) return known;
    const opened = directTransport(ca, isOwn ? identity : undefined);
    direct.set(isOwn, opened);
    return opened;
  }

  // Reading the environment is slow, and the proxy is the same for all URLs of a server.
  let known: { readonly origin: string; readonly proxy: URL | undefined } | undefined;
  function proxyOf(url: URL): URL | undefined {
    const { origin } = url;
    if (known?.origin !== origin) known = { origin, proxy: findProxy(url) };
    return known.proxy;
  }

  return {
    async send(request) {
      const proxy = proxyOf(request.url);
      // A redirect can lead to another server, which must not see the client certificate.
      const isOwn = identity !== undefined && identity.origin === request.url.origin;
      if (proxy !== undefined) return (await proxyTransport(proxy, isOwn)).send(request);
      return ownTransport(isOwn).send(request);
    },
    close() {
      for (const opened of direct.values()) opened.close();
      for (const opened of proxied.values()) void opened.then((transport) => transport.close());
    },
  };
}
