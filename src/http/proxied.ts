import { type Dispatcher, Pool, ProxyAgent } from "undici";
import { trusting } from "../system/network.ts";
import { incomingBody } from "./incoming-body.ts";
import { connectionFailure, NoAnswerError, requestFailure, timeoutFailure } from "./no-answer-error.ts";
import { maxConnections, type Transport, type WireRequest, type WireResponse } from "./transport.ts";

/** Sends requests through a proxy (CONNECT for https, absolute form for http) with undici's proxy agent. */
export function proxiedTransport(proxy: URL, ca?: string): Transport {
  const tls = trusting(ca);
  const agent = new ProxyAgent({
    uri: new URL(proxy.pathname, proxy.origin).href,
    proxyTunnel: false,
    requestTls: tls,
    proxyTls: tls,
    factory: (origin, options) => new Pool(origin, { ...options, connections: maxConnections }),
    ...(proxy.username === "" ? {} : { token: basicCredentials(proxy) }),
  });
  return {
    send: (wire) => exchange(agent, proxy, wire),
    close: () => void agent.destroy(),
  };
}

async function exchange(agent: Dispatcher, proxy: URL, wire: WireRequest): Promise<WireResponse> {
  const timer = deadline(wire);
  try {
    const sending = agent.request({
      origin: wire.url.origin,
      path: wire.url.pathname + wire.url.search,
      method: wire.method as Dispatcher.HttpMethod,
      headers: { ...wire.headers },
      body: wire.body ?? null,
      headersTimeout: wire.timeout,
      bodyTimeout: wire.timeout,
      ...(wire.signal === undefined ? {} : { signal: wire.signal }),
    });
    const response = await Promise.race([sending, timer.expired]);
    const headers: Record<string, string | undefined> = {};
    for (const [name, value] of Object.entries(response.headers)) {
      headers[name] = Array.isArray(value) ? value.join(", ") : value;
    }
    return {
      status: response.statusCode,
      headers,
      body: incomingBody(response.body, (error) => requestFailure(error, wire, "sent")),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    const [, status] = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(reason) ?? [];
    if (status !== undefined) throw proxyFailure(Number(status), proxy, wire);
    const known = requestFailure(error as Error, wire, "sent");
    const host = `${wire.url.host} through proxy ${proxy.host}`;
    throw known instanceof NoAnswerError && known.code === "unreachable"
      ? connectionFailure(error, host, "unsent")
      : known;
  } finally {
    timer.clear();
  }
}

/** Rejects on timeout or interruption: undici handles neither while it waits for the proxy. */
function deadline({ signal, timeout, url }: WireRequest): { readonly expired: Promise<never>; clear(): void } {
  let clear = () => {};
  const expired = new Promise<never>((_resolve, reject) => {
    const interrupted = () => reject(signal?.reason);
    const timer =
      timeout > 0 ? setTimeout(() => reject(timeoutFailure(url.host, timeout, "sent")), timeout) : undefined;
    signal?.addEventListener("abort", interrupted);
    clear = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", interrupted);
    };
  });
  expired.catch(() => undefined);
  return { expired, clear };
}

function proxyFailure(status: number, proxy: URL, wire: WireRequest): NoAnswerError {
  if (status === 407) {
    return new NoAnswerError("proxy", `Proxy ${proxy.host} requires authentication`, "unsent", {
      hint: "Set the credentials in its address, percent-encoded: HTTPS_PROXY=http://USERNAME:PASSWORD@HOST:PORT",
    });
  }
  return new NoAnswerError(
    "proxy",
    `Proxy ${proxy.host} refused the connection to ${wire.url.host} (${status})`,
    "unsent",
    {
      hint: "To connect to this host without the proxy, add it to NO_PROXY.",
    },
  );
}

function basicCredentials(proxy: URL): string {
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}
