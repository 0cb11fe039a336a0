import type http from "node:http";
import type https from "node:https";
import type { Duplex } from "node:stream";
import { type ClientCertificate, tlsSettings } from "../system/network.ts";
import { type HeadTimer, headTimer, paceOf, pieceSize, requestPieces, timerDelay } from "./head-timer.ts";
import { incomingBody } from "./incoming-body.ts";
import { requestFailure, timeoutFailure } from "./no-answer-error.ts";
import { notSendable, requestHeaders } from "./request-headers.ts";
import { maxConnections, maxHeaderSize, type Transport, type WireRequest, type WireResponse } from "./transport.ts";

const agentSettings = {
  keepAlive: true,
  maxSockets: maxConnections,
  maxFreeSockets: maxConnections,
  scheduling: "lifo",
  // Milliseconds. Servers close idle connections after 5 s or more; a write on a closing connection would be lost.
  timeout: 4_000,
  // Node tries each address of a host for 250 ms, which is too short for distant servers.
  autoSelectFamilyAttemptTimeout: 1_500,
} as const;

/** Node's HTTP or HTTPS client with its connection pool. */
interface Client {
  readonly request: typeof https.request;
  readonly agent: http.Agent;
  /** The socket event after which a request can be written. */
  readonly ready: "connect" | "secureConnect";
}

/**
 * Sends requests without a proxy, with Node's HTTP client and keep-alive agents. The client is loaded on the first
 * request with `getBuiltinModule`: importing `node:http` takes 20 ms longer on Node 22 and later.
 */
export function directTransport(ca?: string, shown?: ClientCertificate): Transport {
  const clients = new Map<string, Client>();
  const open = new Map<http.ClientRequest, AbortSignal | undefined>();
  const watched = new WeakSet<AbortSignal>();
  let closed = false;

  function clientFor(protocol: string): Client {
    let client = clients.get(protocol);
    client ??= protocol === "https:" ? secureClient(ca, shown) : plainClient();
    clients.set(protocol, client);
    return client;
  }

  /**
   * Ends the requests of a signal when it aborts, by one listener for all. Node's own option for it loads more of its stream
   * library.
   */
  function endOnAbort(signal: AbortSignal): void {
    if (watched.has(signal)) return;
    watched.add(signal);
    const onAbort = () => {
      // The error events of the request and of its response carry the reason.
      for (const [request, its] of open) if (its === signal) request.destroy(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
  }

  return {
    async send(wire) {
      if (closed) throw new Error("closed");
      const { signal, url } = wire;
      const client = clientFor(url.protocol);
      const request = openRequest(client, wire);
      open.set(request, signal);
      request.once("close", () => open.delete(request));
      if (signal?.aborted) request.destroy(signal.reason);
      else if (signal !== undefined) endOnAbort(signal);
      return exchange(request, wire, client.ready);
    },
    close() {
      closed = true;
      for (const request of open.keys()) request.destroy(new Error("closed"));
      for (const { agent } of clients.values()) agent.destroy();
    },
  };
}

function plainClient(): Client {
  const { Agent, request } = process.getBuiltinModule("node:http");
  return { request, agent: closeOnUnexpectedData(new Agent(agentSettings)), ready: "connect" };
}

function secureClient(ca: string | undefined, shown: ClientCertificate | undefined): Client {
  const { Agent, request } = process.getBuiltinModule("node:https");
  return {
    request,
    agent: closeOnUnexpectedData(new Agent({ ...agentSettings, ...tlsSettings(ca, shown) })),
    ready: "secureConnect",
  };
}

/**
 * Makes an agent close an idle connection when the server sends data on it. Node would reuse the connection and could
 * read the rest as the response to the next request. Node documents both methods for overriding.
 */
function closeOnUnexpectedData<A extends http.Agent>(agent: A): A {
  const { keepSocketAlive, reuseSocket } = agent;
  function close(this: Duplex): void {
    this.destroy();
  }
  agent.keepSocketAlive = (socket) => {
    socket.once("data", close);
    return keepSocketAlive.call(agent, socket);
  };
  agent.reuseSocket = (socket, request) => {
    socket.off("data", close);
    reuseSocket.call(agent, socket, request);
  };
  return agent;
}

/** Creates a request without sending it. Throws a usage error if the method or a header is not valid. */
function openRequest(client: Client, wire: WireRequest): http.ClientRequest {
  const { method, url } = wire;
  const headers = requestHeaders(wire);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isAddress = host !== url.hostname || /^[\d.]+$/.test(host);
  try {
    return client.request({
      method,
      headers,
      host,
      port: url.port,
      path: url.pathname + url.search,
      agent: client.agent,
      maxHeaderSize,
      // By default Node takes the name from the Host header.
      servername: isAddress ? "" : host,
    });
  } catch (error) {
    throw notSendable(error);
  }
}

/** The connections on which a request can be written. Node marks only some of the requests that reuse one. */
const established = new WeakSet<Duplex>();

/** Sends a request and waits for the response headers. */
function exchange(request: http.ClientRequest, wire: WireRequest, ready: Client["ready"]): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    let response: http.IncomingMessage | undefined;
    let sent = false;
    let failure: Error | undefined;
    let timer: HeadTimer | undefined;

    function expire(milliseconds: number): void {
      (response ?? request).destroy(timeoutFailure(wire.url.host, milliseconds, sent ? "sent" : "unsent"));
    }

    request.once("socket", (socket) => {
      if (established.has(socket)) sent = true;
      else {
        socket.once(ready, () => {
          established.add(socket);
          sent = true;
        });
      }
      socket.setTimeout(0);
      timer = headTimer(wire, () => expire(wire.timeout));
    });
    request.once("finish", () => timer?.restart());
    request.once("close", () => timer?.stop());
    request.once("response", (incoming) => {
      const { statusCode: status = 0 } = incoming;
      if (status < 200) {
        request.destroy(Object.assign(new Error(`Unexpected status ${status}`), { code: "HPE_INVALID_STATUS" }));
        return;
      }
      response = incoming;
      // The body of an error or a redirect has to arrive in the time of the head.
      if (status < 300) {
        timer?.stop();
        const silence = wire.idleTimeout ?? wire.timeout;
        limitSilence(request, incoming, silence, () => expire(silence));
      }
      incoming.once("end", () => {
        timer?.stop();
        // The server responded early: do not send the rest of the request.
        if (!request.writableFinished) request.destroy();
      });
      // Node emits errors in the body on the request; the response emits only a lost connection.
      const body = incomingBody(incoming, (error) => requestFailure(failure ?? error, wire, "sent"), paceOf(wire));
      resolve({ status, headers: headersOf(incoming), body });
    });
    request.on("error", (error) => {
      failure = error;
      reject(requestFailure(error, wire, sent ? "sent" : "unsent"));
    });
    writeBody(request, wire.body ?? "", () => timer?.restart());
  });
}

/** Calls `expire` when nothing of a body arrives for a time, unless its reader is slow. */
function limitSilence(
  request: http.ClientRequest,
  response: http.IncomingMessage,
  milliseconds: number,
  expire: () => void,
): void {
  const { socket } = response;
  const delay = timerDelay(milliseconds);
  const onTimeout = () => {
    if (response.isPaused()) socket.setTimeout(delay);
    else expire();
  };
  socket.setTimeout(delay);
  socket.on("timeout", onTimeout);
  request.once("close", () => socket.off("timeout", onTimeout));
}

function writeBody(request: http.ClientRequest, body: NonNullable<WireRequest["body"]>, onPiece: () => void): void {
  // As bytes: for a string Node writes the headers in the encoding of the body.
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  if (Buffer.isBuffer(bytes) && bytes.length <= pieceSize) {
    request.end(bytes);
    return;
  }
  const { Readable } = process.getBuiltinModule("node:stream");
  const pieces = Readable.from(requestPieces(bytes, onPiece));
  pieces.once("error", (error) => request.destroy(error));
  request.once("close", () => pieces.destroy());
  pieces.pipe(request);
}

/** The headers of a response, without a prototype: a server can send any name. */
function headersOf(response: http.IncomingMessage): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(response.headers)) {
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}
