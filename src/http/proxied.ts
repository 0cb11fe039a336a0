import type { Duplex } from "node:stream";
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from "undici";
import { hasCode } from "../failure/disk.ts";
import { type ClientCertificate, tlsSettings } from "../system/network.ts";
import { headTimer, paceOf, pieceSize, requestPieces, timerDelay } from "./head-timer.ts";
import { incomingBody } from "./incoming-body.ts";
import { connectionFailure, NoAnswerError, requestFailure, timeoutFailure } from "./no-answer-error.ts";
import { notSendable, requestHeaders } from "./request-headers.ts";
import {
  type Body,
  maxConnections,
  maxHeaderSize,
  type Transport,
  type WireRequest,
  type WireResponse,
} from "./transport.ts";

/** undici's own limits are off: the timer of each request also counts the time to connect. */
const limits = { maxHeaderSize, headersTimeout: 0, connections: maxConnections };

/** Sends requests through a proxy: SOCKS5, or HTTP (CONNECT for https, absolute form for http) with undici's proxy agent. */
export function proxiedTransport(proxy: URL, ca?: string, shown?: ClientCertificate): Transport {
  return proxy.protocol.startsWith("socks") ? socksTransport(proxy, ca, shown) : httpTransport(proxy, ca, shown);
}

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>;

/** Connections through a SOCKS5 proxy, which also resolves the names of hosts, with TLS to the server within. */
function socksTransport(proxy: URL, ca?: string, shown?: ClientCertificate): Transport {
  const toProxy = buildConnector({ timeout: 0 });
  const toServer = buildConnector({ ...tlsSettings(ca, shown), timeout: 0 });
  const tunnels = new Set<Duplex>();
  async function open(options: buildConnector.Options): Promise<Socket> {
    const { hostname, protocol, port } = options;
    const destination = { host: hostname, port: Number(port) || (protocol === "https:" ? 443 : 80) };
    const host = proxy.hostname.replace(/^\[(.*)\]$/, "$1");
    const proxyPort = proxy.port || "1080";
    const socket = await new Promise<Socket>((resolve, reject) =>
      toProxy({ hostname: host, host, protocol: "http:", port: proxyPort }, (error, opened) =>
        error === null ? resolve(opened) : reject(error),
      ),
    );
    tunnels.add(socket);
    socket.once("close", () => tunnels.delete(socket));
    const { SocksClient } = await import("socks");
    const user = { userId: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) };
    const through = { host, port: Number(proxyPort), type: 5, ...(proxy.username === "" ? {} : user) } as const;
    // The timer of each request ends it.
    const settings = {
      proxy: through,
      command: "connect",
      destination,
      existing_socket: socket,
      timeout: 2 ** 31 - 1,
    } as const;
    await SocksClient.createConnection(settings).catch((error: Error) => {
      throw socksFailure(error, proxy, `${destination.host}:${destination.port}`);
    });
    return socket;
  }
  const agent = new Agent({
    ...limits,
    connect(options, done) {
      open(options).then(
        (socket) =>
          options.protocol === "https:" ? toServer({ ...options, httpSocket: socket }, done) : done(null, socket),
        (error: Error) => done(error, null),
      );
    },
  });
  return {
    send: (wire) => exchange(agent, proxy, wire),
    close() {
      for (const socket of tunnels) socket.destroy();
      void agent.destroy();
    },
  };
}

/** The failure for an error of the SOCKS library. */
function socksFailure(error: Error, proxy: URL, target: string): NoAnswerError {
  if (/authentication/i.test(error.message)) return credentialsFailure(proxy);
  const [, why = error.message] = /rejected connection - (.*)/.exec(error.message) ?? [];
  const message = `Proxy ${proxy.host} did not connect to ${target}: ${why}`;
  return new NoAnswerError("proxy", message, "unsent", { hint: noProxyHint, cause: error });
}

function httpTransport(proxy: URL, ca?: string, shown?: ClientCertificate): Transport {
  const tunnels = new Set<Duplex>();
  const clients: Pool[] = [];
  const agent = new ProxyAgent({
    uri: proxy.origin,
    proxyTunnel: false,
    requestTls: { ...tlsSettings(ca, shown), timeout: 0 },
    // The certificate is for the server, not for the proxy.
    proxyTls: { ...tlsSettings(ca), timeout: 0 },
    clientFactory(origin, options) {
      const client = new Pool(origin, { ...options, ...limits });
      clients.push(client);
      return openTunnels(client, proxy, tunnels);
    },
    factory: (origin, options) => new Pool(origin, { ...options, ...limits }),
    ...(proxy.username === "" ? {} : { token: basicCredentials(proxy) }),
  });
  return {
    send: (wire) => exchange(agent, proxy, wire),
    close() {
      // The agent waits for tunnels that are being opened: end these first.
      for (const client of clients) void client.destroy();
      for (const socket of tunnels) socket.destroy();
      void agent.destroy();
    },
  };
}

/** Adds the tunnels that a client opens to `tunnels`. A proxy that closes one instead is a failure at once. */
function openTunnels(client: Pool, proxy: URL, tunnels: Set<Duplex>): Pool {
  const open = client.connect.bind(client);
  return Object.assign(client, {
    async connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
      try {
        const tunnel = await open(options);
        tunnels.add(tunnel.socket);
        tunnel.socket.once("close", () => tunnels.delete(tunnel.socket));
        return tunnel;
      } catch (error) {
        // undici would open tunnels again and again after an error of a socket.
        throw tunnelFailure(error, proxy, options.path);
      }
    },
  });
}

function tunnelFailure(error: unknown, proxy: URL, target: string): unknown {
  const known = connectionFailure(error, `Proxy ${proxy.host}`, "unsent");
  if (known.code === "not_http") return known;
  if (known.code !== "connection_lost") return error;
  const message = `Proxy ${proxy.host} closed the connection to ${target}`;
  return new NoAnswerError("proxy", message, "unsent", { hint: noProxyHint, cause: error });
}

async function exchange(agent: Dispatcher, proxy: URL, wire: WireRequest): Promise<WireResponse> {
  const { signal, url } = wire;
  let end = (_error: Error) => {};
  const ended = new Promise<never>((_resolve, reject) => {
    end = reject;
  });
  ended.catch(() => undefined);
  const timer = headTimer(wire, () => end(timeoutFailure(url.host, wire.timeout, "sent")));
  // undici does not listen to the signal while it connects.
  const interrupted = () => end(signal?.reason);
  signal?.addEventListener("abort", interrupted);
  const idle = wire.idleTimeout ?? wire.timeout;
  try {
    const sending = agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: wire.method as Dispatcher.HttpMethod,
      headers: requestHeaders(wire),
      body: requestBody(wire.body, timer.restart),
      bodyTimeout: timerDelay(idle),
      ...(signal === undefined ? {} : { signal }),
    });
    sending.catch(() => undefined);
    const { statusCode, headers, body: content } = await Promise.race([sending, ended]);
    if (statusCode < 300) timer.stop();
    else end = (error) => content.destroy(error);
    content.once("close", timer.stop);
    return { status: statusCode, headers: headersOf(headers), body: bodyOf(statusCode, content, wire, idle) };
  } catch (error) {
    timer.stop();
    throw headFailure(error, proxy, wire);
  } finally {
    signal?.removeEventListener("abort", interrupted);
  }
}

/** The body of a request; a large one is sent in pieces. */
function requestBody(body: WireRequest["body"], onPiece: () => void) {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  if (bytes === undefined || (Buffer.isBuffer(bytes) && bytes.length <= pieceSize)) return bytes ?? null;
  const { Readable } = process.getBuiltinModule("node:stream");
  return Readable.from(requestPieces(bytes, onPiece));
}

/** Of these only the first counts if they are repeated, as in Node. */
const singletons =
  /^(age|authorization|content-length|content-type|etag|expires|last-modified|location|retry-after|server)$/;

/** The headers of a response, as Node would return them. */
function headersOf(headers: Dispatcher.ResponseData["headers"]): Record<string, string | undefined> {
  const result: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    const values = [value ?? []].flat().map((one) => one.trim());
    result[name] = singletons.test(name) ? values[0] : values.join(", ");
  }
  return result;
}

/** The body of a response. Without content there is none, whatever length is stated. */
function bodyOf(status: number, content: Dispatcher.ResponseData["body"], wire: WireRequest, idle: number): Body {
  if (status !== 204 && status !== 304)
    return incomingBody(content, (error) => bodyFailure(error, wire, idle), paceOf(wire));
  content.on("error", () => undefined).resume();
  const { Readable } = process.getBuiltinModule("node:stream");
  return incomingBody(Readable.from([]), (error) => error);
}

function bodyFailure(error: Error, wire: WireRequest, idle: number): Error {
  const silent = "code" in error && error.code === "UND_ERR_BODY_TIMEOUT" && wire.signal?.aborted !== true;
  return silent ? timeoutFailure(wire.url.host, idle, "sent") : requestFailure(error, wire, "sent");
}

function headFailure(error: unknown, proxy: URL, wire: WireRequest): Error {
  const reason = error instanceof Error ? error.message : "";
  const [, status] = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(reason) ?? [];
  if (status !== undefined) return proxyFailure(Number(status), proxy, wire);
  // undici refused the request before it was sent: its method or a header is not valid.
  if (hasCode(error, "UND_ERR_INVALID_ARG", "UND_ERR_NOT_SUPPORTED")) return notSendable(error);
  const known = requestFailure(malformed(error), wire, "sent");
  const host = `${wire.url.host} through proxy ${proxy.host}`;
  return known instanceof NoAnswerError && known.code === "unreachable"
    ? connectionFailure(error, host, "unsent")
    : known;
}

/** Before the response has begun, these errors of undici mean that its head is not valid. */
function malformed(error: unknown): Error {
  const known = error instanceof Error ? error : new Error(String(error));
  if (!hasCode(known, "ERR_ASSERTION", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH")) return known;
  return Object.assign(new Error("Invalid response head", { cause: known }), { code: "HPE_INVALID_HEAD" });
}

const noProxyHint = "To connect to this host without the proxy, add it to NO_PROXY.";

function proxyFailure(status: number, proxy: URL, wire: WireRequest): NoAnswerError {
  if (status === 407) return credentialsFailure(proxy);
  const message = `Proxy ${proxy.host} refused the connection to ${wire.url.host} (${status})`;
  return new NoAnswerError("proxy", message, "unsent", { hint: noProxyHint });
}

function credentialsFailure({ host, protocol }: URL): NoAnswerError {
  const hint = `Set the credentials in its address, percent-encoded: ${protocol}//USERNAME:PASSWORD@HOST:PORT`;
  return new NoAnswerError("proxy", `Proxy ${host} requires authentication`, "unsent", { hint });
}

function basicCredentials(proxy: URL): string {
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}
