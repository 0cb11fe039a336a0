import { AsyncLocalStorage } from "node:async_hooks";
import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type Address, addressText, listenOn } from "../address.ts";
import { type TlsFiles, tlsProblem } from "./tls.ts";

/** How connections are accepted. */
export interface FrontOptions {
  /** Certificate and key; undefined for connections without TLS. */
  readonly tls?: TlsFiles | undefined;
  /** Whether clients need a certificate that the authority signed. */
  readonly verifyPeer?: boolean;
  /** Called with the address of a client, and why its connection was refused. */
  readonly onRefused: (peer: string, reason: string) => void;
  /** Takes an accepted connection. */
  readonly onConnection: (socket: Socket) => void;
}

const startOfHandshake = 0x16;
const maxSilence = 30_000;

/**
 * Listens for connections. The first byte tells a client with TLS from one without: the wrong kind is refused with its
 * reason instead of an error of the protocol. Throws a `Failure` if it cannot listen.
 */
export async function startFront(address: Address, options: FrontOptions) {
  const { tls, verifyPeer = false, onRefused, onConnection } = options;
  const secure =
    tls &&
    createTlsServer(
      { ...tls.own, ca: tls.ca, requestCert: verifyPeer, rejectUnauthorized: verifyPeer, ALPNProtocols: ["h2"] },
      onConnection,
    );
  // A socket that was reset has no address any more.
  const client = new AsyncLocalStorage<string>();
  secure?.on("tlsClientError", (error, socket) => {
    onRefused(client.getStore() ?? peerOf(socket), tlsProblem(error, "client"));
    socket.destroy();
  });

  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  const front = createServer((socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      silent.delete(socket);
    });
    const peer = peerOf(socket);
    socket.setTimeout(maxSilence, () => socket.destroy());
    // A connection that breaks before it is taken over is of no interest.
    socket.on("error", () => socket.destroy());
    const look = () => {
      const first: unknown = socket.read();
      if (!(first instanceof Uint8Array)) return;
      socket.off("readable", look);
      silent.delete(socket);
      socket.setTimeout(0);
      const isTls = first[0] === startOfHandshake;
      if (isTls !== (secure !== undefined)) {
        onRefused(
          peer,
          isTls ? "it uses TLS, and this server does not (--tls)" : "it does not use TLS, which --tls requires",
        );
        // Not a TLS record, so that a client with TLS knows what is wrong.
        socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
        return;
      }
      socket.unshift(first);
      if (secure === undefined) onConnection(socket);
      else client.run(peer, () => secure.emit("connection", socket));
    };
    socket.on("readable", look);
  });
  const port = await listenOn(front, address);
  const destroyAll = (sockets: ReadonlySet<Socket>) => {
    for (const socket of sockets) socket.destroy();
  };
  /** Stops listening, and closes the connections that have sent nothing. */
  const stop = () => {
    front.close();
    destroyAll(silent);
  };
  return { port, stop, isBusy: () => open.size > 0, destroy: () => destroyAll(open) };
}

/** The address of the other side. */
export function peerOf({ remoteAddress = "a client", remotePort }: Socket): string {
  return remotePort === undefined ? remoteAddress : addressText({ host: remoteAddress, port: remotePort });
}
