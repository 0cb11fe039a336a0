import net, { type AddressInfo, type Socket } from "node:net";

/** A server that speaks bytes, for answers that no HTTP library would send. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** The head of each request, in order. */
  readonly requests: string[];
  /** How many connections were opened. */
  connections(): number;
  close(): Promise<void>;
}

/** Told of each request's head; `count` counts the requests of the whole server from 1. */
export type RawHandler = (socket: Socket, head: string, count: number) => void;

/** Starts one on loopback. Bodies of requests are not waited for. */
export async function serveRaw(handler: RawHandler): Promise<RawServer> {
  const requests: string[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    let pending = "";
    socket.on("data", (chunk) => {
      pending += chunk.toString("latin1");
      const heads = pending.match(/(GET|POST|PUT|PATCH|DELETE|HEAD) [\s\S]*?\r\n\r\n/g) ?? [];
      if (heads.length === 0) return;
      pending = "";
      for (const head of heads) handler(socket, head, requests.push(head));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A whole answer with a right length. */
export function answer(body: string, status = "200 OK", headers = ""): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
