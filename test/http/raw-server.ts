import net, { type Socket } from "node:net";
import { listen } from "../support/at-end.ts";

/** A TCP server, for responses that no HTTP library would send. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** The headers of each request, in order. */
  readonly requests: string[];
  /** The number of connections so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Called with the headers of each request; `count` is the number of requests so far. */
export type RawHandler = (socket: Socket, head: string, count: number) => void;

/** Starts a server on loopback. It does not wait for request bodies. */
export async function serveRaw(handler: RawHandler): Promise<RawServer> {
  const requests: string[] = [];
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    let pending = "";
    socket.on("data", (chunk) => {
      pending += chunk.toString("latin1");
      const heads = pending.match(/(GET|POST|PUT|PATCH|DELETE|HEAD) [\s\S]*?\r\n\r\n/g) ?? [];
      if (heads.length === 0) return;
      pending = "";
      for (const head of heads) handler(socket, head, requests.push(head));
    });
  });
  const { port, close } = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    close,
  };
}

/** A complete response. */
export function answer(body: string, status = "200 OK", headers = ""): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
