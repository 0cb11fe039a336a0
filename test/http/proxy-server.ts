import http from "node:http";
import https from "node:https";
import net from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { listen } from "../support/at-end.ts";

/** A proxy on loopback, and its requests. */
export interface ProxyServer {
  readonly url: string;
  /** `CONNECT host:port` or `METHOD absolute-address` of each request. */
  readonly lines: string[];
  /** The credentials of each request. */
  readonly credentials: (string | undefined)[];
  /** The headers of the absolute-form requests. */
  readonly headers: http.IncomingHttpHeaders[];
  /** The name in the client certificate of each request, if one was shown. */
  readonly clients: (string | undefined)[];
  close(): Promise<void>;
}

/** The behavior of a proxy. */
export interface Rules {
  /** The credentials it requires, `USERNAME:PASSWORD`. */
  readonly requires?: string;
  /** The status it returns for every request. */
  readonly refuses?: number;
  /** Never responds. */
  readonly silent?: boolean;
  /** Addresses by host name. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** Uses TLS. */
  readonly tls?: https.ServerOptions;
}

/** Starts a proxy that tunnels by CONNECT and forwards absolute-form requests. */
export async function serveProxy(rules: Rules = {}): Promise<ProxyServer> {
  const lines: string[] = [];
  const credentials: (string | undefined)[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const clients: (string | undefined)[] = [];

  const refusal = (request: http.IncomingMessage): number | undefined => {
    lines.push(`${request.method} ${request.url}`);
    const shown =
      "getPeerCertificate" in request.socket ? (request.socket as TLSSocket).getPeerCertificate() : undefined;
    clients.push([shown?.subject?.CN].flat()[0]);
    const sent = request.headers["proxy-authorization"];
    credentials.push(sent === undefined ? undefined : Buffer.from(sent.replace("Basic ", ""), "base64").toString());
    if (rules.requires !== undefined && credentials.at(-1) !== rules.requires) return 407;
    return rules.refuses;
  };
  const known = (hostname: string) => rules.hosts?.[hostname] ?? hostname;

  const forward: http.RequestListener = (request, response) => {
    const status = refusal(request);
    headers.push(request.headers);
    if (rules.silent) return;
    if (status !== undefined) {
      response.writeHead(status, { "content-type": "text/html" }).end("<h1>proxy</h1>");
      return;
    }
    const target = new URL(request.url ?? "");
    const { "proxy-authorization": _own, ...passed } = request.headers;
    const options = { host: known(target.hostname), port: target.port, path: target.pathname + target.search };
    const onward = http.request({ ...options, method: request.method, headers: passed }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  };

  const connect = (request: http.IncomingMessage, socket: Duplex) => {
    const status = refusal(request);
    if (rules.silent) return;
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const [hostname = "", port = ""] = (request.url ?? "").split(":");
    const onward = net.connect(Number(port), known(hostname), () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    onward.on("close", () => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("close", () => onward.destroy());
  };

  const server = rules.tls === undefined ? http.createServer(forward) : https.createServer(rules.tls, forward);
  server.on("connect", connect);
  const { port, close } = await listen(server);
  return {
    url: rules.tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    lines,
    credentials,
    headers,
    clients,
    close,
  };
}
