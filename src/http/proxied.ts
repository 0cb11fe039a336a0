import { type Dispatcher, Pool, ProxyAgent } from "undici";
import { trusting } from "../system/network.ts";
import { incomingBody } from "./incoming-body.ts";
import { inWords, NoAnswerError, noAnswer, timedOut } from "./no-answer-error.ts";
import { connections, type Transport, type WireRequest, type WireResponse } from "./transport.ts";

/** The way to servers through one proxy (CONNECT for https, absolute form for http), by undici's proxy agent. */
export function proxiedTransport(proxy: URL, ca?: string): Transport {
  const tls = trusting(ca);
  const agent = new ProxyAgent({
    uri: new URL(proxy.pathname, proxy.origin).href,
    proxyTunnel: false,
    requestTls: tls,
    proxyTls: tls,
    factory: (origin, options) => new Pool(origin, { ...options, connections }),
    ...(proxy.username === "" ? {} : { token: basic(proxy) }),
  });
  return {
    send: (wire) => exchange(agent, proxy, wire),
    close: () => void agent.destroy(),
  };
}

async function exchange(agent: Dispatcher, proxy: URL, wire: WireRequest): Promise<WireResponse> {
  const clock = stopper(wire);
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
    const response = await Promise.race([sending, clock.stopped]);
    const headers: Record<string, string | undefined> = {};
    for (const [name, value] of Object.entries(response.headers)) {
      headers[name] = Array.isArray(value) ? value.join(", ") : value;
    }
    return {
      status: response.statusCode,
      headers,
      body: incomingBody(response.body, (error) => inWords(error, wire, "sent")),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    const [, status] = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(reason) ?? [];
    if (status !== undefined) throw refusedByProxy(Number(status), proxy, wire);
    const known = inWords(error as Error, wire, "sent");
    const way = `${wire.url.host} by the proxy ${proxy.host}`;
    throw known instanceof NoAnswerError && known.code === "unreachable" ? noAnswer(error, way, "unsent") : known;
  } finally {
    clock.clear();
  }
}

/** Ends the wait for an answer when time is up or on interruption: undici heeds neither while a proxy is silent. */
function stopper({ signal, timeout, url }: WireRequest): { readonly stopped: Promise<never>; clear(): void } {
  let clear = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    const interrupted = () => reject(signal?.reason);
    const timer = timeout > 0 ? setTimeout(() => reject(timedOut(url.host, timeout, "sent")), timeout) : undefined;
    signal?.addEventListener("abort", interrupted);
    clear = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", interrupted);
    };
  });
  stopped.catch(() => undefined);
  return { stopped, clear };
}

function refusedByProxy(status: number, proxy: URL, wire: WireRequest): NoAnswerError {
  if (status === 407) {
    return new NoAnswerError("proxy", `The proxy ${proxy.host} wants another name and password`, "unsent", {
      hint: "Put them into its address: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT (percent-encoded).",
    });
  }
  return new NoAnswerError(
    "proxy",
    `The proxy ${proxy.host} does not let through to ${wire.url.host} (${status})`,
    "unsent",
    {
      hint: "A host that is reached without the proxy belongs in NO_PROXY.",
    },
  );
}

function basic(proxy: URL): string {
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}
