import type http from "node:http";
import type https from "node:https";
import type { Duplex } from "node:stream";
import { trusting } from "../system/network.ts";
import { incomingBody } from "./incoming-body.ts";
import { inWords, timedOut } from "./no-answer-error.ts";
import { connections, type Transport, type WireRequest, type WireResponse } from "./transport.ts";

const agentSettings = {
  keepAlive: true,
  maxSockets: connections,
  maxFreeSockets: connections,
  scheduling: "lifo",
  // Milliseconds. An idle connection is closed before servers do that (5 s and more), or no write would be safe on it.
  timeout: 4_000,
  // Node gives the first of several addresses 250 ms, which is not enough for a distant server.
  autoSelectFamilyAttemptTimeout: 1_500,
} as const;

/** The most that the head of a response may have, in bytes. Node's own limit is a quarter of it. */
const maxHeaderSize = 64 * 1024;

/** Node's HTTP or HTTPS client with its pool of connections. */
interface Client {
  readonly request: typeof https.request;
  readonly agent: http.Agent;
  /** Emitted by a socket as soon as a request can be written. */
  readonly ready: "connect" | "secureConnect";
}

/**
 * The transport without a proxy: Node's HTTP client with keep-alive agents. The client is loaded with the first
 * request, by `getBuiltinModule`: importing `node:http` takes 20 ms more on Node 22 and later.
 */
export function directTransport(ca?: string): Transport {
  const clients = new Map<string, Client>();
  const open = new Set<http.ClientRequest>();
  let closed = false;

  function clientFor(protocol: string): Client {
    let client = clients.get(protocol);
    client ??= protocol === "https:" ? secureClient(ca) : plainClient();
    clients.set(protocol, client);
    return client;
  }

  return {
    async send(wire) {
      if (closed) throw new Error("closed");
      const client = clientFor(wire.url.protocol);
      const request = openRequest(client, wire);
      open.add(request);
      request.once("close", () => open.delete(request));
      return exchange(request, wire, client.ready);
    },
    close() {
      closed = true;
      for (const request of open) request.destroy(new Error("closed"));
      for (const { agent } of clients.values()) agent.destroy();
    },
  };
}

function plainClient(): Client {
  const { Agent, request } = process.getBuiltinModule("node:http");
  return { request, agent: guarded(new Agent(agentSettings)), ready: "connect" };
}

function secureClient(ca: string | undefined): Client {
  const { Agent, request } = process.getBuiltinModule("node:https");
  return { request, agent: guarded(new Agent({ ...agentSettings, ...trusting(ca) })), ready: "secureConnect" };
}

/**
 * Makes an agent close an idle connection on which the server sends something: Node would go on using it, and could
 * take the rest for the answer to the next request. The two methods are Node's documented hooks.
 */
function guarded<A extends http.Agent>(agent: A): A {
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

/** What the connection decides, whatever the caller passes. */
const connectionHeaders = /^(connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** Makes a request, nothing of it written yet. Throws where a header or the method cannot be sent. */
function openRequest(client: Client, wire: WireRequest): http.ClientRequest {
  const { method, url, body, signal } = wire;
  const headers: Record<string, string> = { host: url.host };
  for (const [name, value] of Object.entries(wire.headers)) {
    // Node writes header values as Latin-1; these are UTF-8.
    if (!connectionHeaders.test(name)) headers[name] = Buffer.from(value).toString("latin1");
  }
  if (body !== undefined) headers["content-length"] = String(Buffer.byteLength(body));
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isAddress = host !== url.hostname || /^[\d.]+$/.test(host);
  try {
    return client.request({
      ...{ method, headers, host, port: url.port, path: url.pathname + url.search, agent: client.agent, maxHeaderSize },
      // Otherwise Node takes the name from a Host header.
      servername: isAddress ? "" : host,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    throw new Error(`The request cannot be sent: ${error instanceof Error ? error.message : error}`);
  }
}

/** Sends a request and waits for the head of its response. */
function exchange(request: http.ClientRequest, wire: WireRequest, ready: Client["ready"]): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    let response: http.IncomingMessage | undefined;
    let sent = false;
    let failure: Error | undefined;

    request.once("socket", (socket) => {
      if (request.reusedSocket) sent = true;
      else {
        socket.once(ready, () => {
          sent = true;
        });
      }
      const onTimeout = () => {
        // While the reader is the slow one the server is not to blame.
        if (response?.isPaused()) socket.setTimeout(wire.timeout);
        else (response ?? request).destroy(timedOut(wire.url.host, wire.timeout, sent ? "sent" : "unsent"));
      };
      socket.setTimeout(wire.timeout);
      socket.on("timeout", onTimeout);
      request.once("close", () => socket.off("timeout", onTimeout));
    });
    request.once("response", (incoming) => {
      const { statusCode: status = 0 } = incoming;
      if (status < 200) {
        request.destroy(Object.assign(new Error(`Unexpected status ${status}`), { code: "HPE_INVALID_STATUS" }));
        return;
      }
      response = incoming;
      incoming.once("end", () => {
        // Answered early: the rest of the request would be of no use.
        if (!request.writableFinished) request.destroy();
      });
      // What is wrong with the body is emitted by the request; the response reports a lost connection.
      const body = incomingBody(incoming, (error) => inWords(failure ?? error, wire, "sent"));
      resolve({ status, headers: headersOf(incoming), body });
    });
    request.on("error", (error) => {
      failure = error;
      reject(inWords(error, wire, sent ? "sent" : "unsent"));
    });
    // As bytes: with a string Node would write the head in the encoding of the body.
    request.end(Buffer.from(wire.body ?? ""));
  });
}

/** The headers of a response. Without a prototype: a server may send any name. */
function headersOf(response: http.IncomingMessage): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(response.headers)) {
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}
