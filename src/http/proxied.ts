import { type Dispatcher, Pool, ProxyAgent } from "undici";
import { authorities } from "./authorities.ts";
import { inWords } from "./direct.ts";
import { NoAnswerError, noAnswer, timedOut } from "./errors/no-answer-error.ts";
import { connections, type Transport, type WireRequest, type WireResponse } from "./transport.ts";

/** The way to servers through one proxy (CONNECT for https, absolute form for http), by undici's proxy agent. */
export async function proxiedTransport(proxy: URL, ca?: string): Promise<Transport> {
  const tls = await authorities(ca);
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
  const late = new AbortController();
  const give = wire.timeout === 0 ? undefined : setTimeout(() => late.abort(), wire.timeout);
  try {
    const response = await agent.request({
      origin: wire.url.origin,
      path: wire.url.pathname + wire.url.search,
      method: wire.method as Dispatcher.HttpMethod,
      headers: { ...wire.headers },
      body: wire.body ?? null,
      headersTimeout: wire.timeout,
      bodyTimeout: wire.timeout,
      signal: wire.signal === undefined ? late.signal : AbortSignal.any([late.signal, wire.signal]),
    });
    const headers: Record<string, string | undefined> = {};
    for (const [name, value] of Object.entries(response.headers)) {
      headers[name] = Array.isArray(value) ? value.join(", ") : value;
    }
    if (response.statusCode === 407) throw refusedByProxy(407, proxy, wire);
    return { status: response.statusCode, headers, body: response.body };
  } catch (error) {
    if (late.signal.aborted) throw timedOut(wire.url.host, wire.timeout, "sent");
    const [, status] = /^Proxy response \((\d+)\)/.exec(error instanceof Error ? error.message : "") ?? [];
    if (status !== undefined) throw refusedByProxy(Number(status), proxy, wire);
    const known = inWords(error as Error, wire, "sent");
    const way = `${wire.url.host} by the proxy ${proxy.host}`;
    throw known instanceof NoAnswerError && known.code === "unreachable" ? noAnswer(error, way, "unsent") : known;
  } finally {
    clearTimeout(give);
  }
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
