import net, { type Socket } from "node:net";
import { listen } from "../support/at-end.ts";

/** A SOCKS5 proxy on loopback (RFC 1928, RFC 1929), and what it was asked. */
export interface SocksServer {
  readonly url: string;
  /** `HOST:PORT` of each connection. */
  readonly targets: string[];
  /** Resolves when a client has connected. */
  readonly greeted: Promise<void>;
  close(): Promise<void>;
}

/** Its behavior: `USERNAME:PASSWORD` that it requires, addresses by host name, the code of its reply, or no reply at all. */
export interface SocksRules {
  readonly requires?: string;
  readonly hosts?: Readonly<Record<string, string>>;
  readonly reply?: number;
  readonly silent?: boolean;
}

/** Starts a SOCKS5 proxy. */
export async function serveSocks({
  requires,
  hosts = {},
  reply = 0,
  silent = false,
}: SocksRules = {}): Promise<SocksServer> {
  const targets: string[] = [];
  let greet = () => {};
  const greeted = new Promise<void>((resolve) => {
    greet = resolve;
  });
  /** Resolves with the next message; each is sent at once by clients. */
  const next = (socket: Socket) => new Promise<Buffer>((resolve) => socket.once("data", resolve));

  async function answer(socket: Socket): Promise<void> {
    const methods = await next(socket);
    greet();
    if (silent) return;
    const method = requires === undefined ? 0 : 2;
    if (!methods.subarray(2).includes(method)) return void socket.end(Buffer.from([5, 0xff]));
    socket.write(Buffer.from([5, method]));
    if (requires !== undefined) {
      const said = await next(socket);
      const at = 2 + (said[1] ?? 0);
      const given = `${said.subarray(2, at)}:${said.subarray(at + 1)}`;
      if (given !== requires) return void socket.end(Buffer.from([1, 1]));
      socket.write(Buffer.from([1, 0]));
    }
    const request = await next(socket);
    const isName = request[3] === 3;
    const host = isName ? `${request.subarray(5, -2)}` : [...request.subarray(4, 8)].join(".");
    const port = request.readUInt16BE(request.length - 2);
    targets.push(`${host}:${port}`);
    const said = Buffer.from([5, reply, 0, 1, 127, 0, 0, 1, 0, 0]);
    if (reply !== 0) return void socket.end(said);
    const onward = net.connect(port, hosts[host] ?? host, () => {
      socket.write(said);
      socket.pipe(onward).pipe(socket);
    });
    for (const [one, other] of [
      [onward, socket],
      [socket, onward],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
  }

  const server = net.createServer((socket) => {
    void answer(socket);
  });
  const { port, close } = await listen(server);
  return {
    url: `socks5://127.0.0.1:${port}`,
    targets,
    greeted,
    close,
  };
}
