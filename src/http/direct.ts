import type { TcpSocketConnectOpts } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { authorities } from "./authorities.ts";
import { type Deadlines, deadlineMaker } from "./deadlines.ts";
import { type Connection, type Opener, openConnection } from "./direct/connection.ts";
import { requestHead } from "./direct/request-head.ts";
import { connections, type Transport, type WireRequest, type WireResponse } from "./transport.ts";

const socketSettings = {
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 1_000,
  // Node gives the first of several addresses a quarter of a second, which far servers do not keep.
  autoSelectFamilyAttemptTimeout: 1_500,
};

/**
 * The way to a server without a proxy: HTTP/1.1 on Node's sockets. Connections are kept and used again, the one that
 * was used last first. Node's own HTTP client takes four times the processor time for a request, and undici more than
 * that; both read a large body into ever new buffers. What a connection needs is loaded with the first request: not
 * every command sends one.
 */
export function directTransport(ca?: string): Transport {
  const deadlines = deadlineMaker();
  const pools = new Map<string, Promise<Pool>>();
  const heard = new WeakSet<AbortSignal>();
  let closed = false;

  const each = (work: (pool: Pool) => void) => {
    for (const pool of pools.values()) void pool.then(work, () => undefined);
  };
  /** One listener for all requests of a signal. */
  function listen(signal: AbortSignal): void {
    if (heard.has(signal)) return;
    heard.add(signal);
    signal.addEventListener("abort", () => each((pool) => pool.stop(signal)), { once: true });
  }

  return {
    async send(wire) {
      const head = requestHead(wire);
      if (wire.signal) listen(wire.signal);
      let pool = pools.get(wire.url.origin);
      if (pool === undefined) {
        pool = opener(wire.url, ca).then((open) => connectionPool(open, wire.url, deadlines));
        pools.set(wire.url.origin, pool);
      }
      const { send } = await pool;
      if (wire.signal?.aborted) throw wire.signal.reason;
      if (closed) throw new Error("closed");
      return send(wire, head);
    },
    close() {
      closed = true;
      each((pool) => pool.close());
    },
  };
}

/** How sockets to an origin are opened. */
async function opener({ protocol, hostname, port }: URL, ca: string | undefined): Promise<Opener> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const { connect, isIP } = await import("node:net");
  if (protocol === "http:") {
    return (onread) => connect({ ...socketSettings, host, port: Number(port || 80), onread });
  }
  const tls = await import("node:tls");
  const secureContext = tls.createSecureContext(await authorities(ca));
  let session: Buffer | undefined;
  return (onread) => {
    const options: ConnectionOptions & Pick<TcpSocketConnectOpts, "onread"> = {
      ...socketSettings,
      secureContext,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(session === undefined ? {} : { session }),
      ALPNProtocols: ["http/1.1"],
      host,
      port: Number(port || 443),
      onread,
    };
    const socket = tls.connect(options);
    // The next connection is spared a part of the handshake.
    socket.on("session", (one) => {
      session = one;
    });
    return socket;
  };
}

/** The connections to one origin. */
interface Pool {
  send(wire: WireRequest, head: string): Promise<WireResponse>;
  /** Ends the requests of a signal. */
  stop(signal: AbortSignal): void;
  close(): void;
}

/** A request that waits for a connection. */
interface Waiting {
  readonly wire: WireRequest;
  readonly take: (connection: Connection) => void;
  readonly reject: (reason: unknown) => void;
}

function connectionPool(open: Opener, { protocol }: URL, deadlines: Deadlines): Pool {
  const ready = protocol === "https:" ? "secureConnect" : "connect";
  const all = new Set<Connection>();
  const idle: Connection[] = [];
  let waiting: Waiting[] = [];

  function free(connection: Connection): void {
    const next = waiting.shift();
    if (next === undefined) idle.push(connection);
    else next.take(connection);
  }
  function gone(connection: Connection): void {
    all.delete(connection);
    const at = idle.indexOf(connection);
    if (at >= 0) idle.splice(at, 1);
    const next = waiting.shift();
    if (next !== undefined) next.take(another());
  }
  function another(): Connection {
    const connection = openConnection(open, ready, deadlines, { free, gone });
    all.add(connection);
    return connection;
  }
  /** The connection that was used last; those that the server may be closing are let go. */
  function kept(): Connection | undefined {
    for (;;) {
      const connection = idle.pop();
      if (connection === undefined || connection.fresh()) return connection;
      connection.destroy();
    }
  }

  return {
    send(wire, head) {
      const connection = kept() ?? (all.size < connections ? another() : undefined);
      if (connection !== undefined) return connection.exchange(wire, head);
      return new Promise((resolve, reject) => {
        waiting.push({ wire, take: (one) => void one.exchange(wire, head).then(resolve, reject), reject });
      });
    },
    stop(signal) {
      const stopped = waiting.filter(({ wire }) => wire.signal === signal);
      waiting = waiting.filter(({ wire }) => wire.signal !== signal);
      for (const { reject } of stopped) reject(signal.reason);
      for (const connection of all) if (connection.signal() === signal) connection.destroy(signal.reason);
    },
    close() {
      for (const { reject } of waiting) reject(new Error("closed"));
      waiting = [];
      for (const connection of all) connection.destroy();
    },
  };
}
