import type net from "node:net";
import type { Deadlines } from "../deadlines.ts";
import { inWords, timedOut } from "../no-answer-error.ts";
import type { WireRequest, WireResponse } from "../transport.ts";
import { IncomingBody } from "./incoming-body.ts";
import { type ResponseHead, ResponseReader } from "./response-reader.ts";

/** Opens a socket whose bytes are read into one buffer. */
export type Opener = (onread: net.OnReadOpts) => net.Socket;

/** A connection to a server: one exchange after the other. */
export interface Connection {
  /** Sends a request, whose head is made. Only one at a time. */
  exchange(wire: WireRequest, requestHead: string): Promise<WireResponse>;
  /** What can end the exchange under way. */
  signal(): AbortSignal | undefined;
  /** Whether the server still keeps it, as far as is known. */
  fresh(): boolean;
  /** Ends it, and with it the exchange under way. */
  destroy(reason?: Error): void;
}

/** What the owner of a connection is told. */
export interface Owner {
  /** It can take another exchange. */
  free(connection: Connection): void;
  /** It is there no more. */
  gone(connection: Connection): void;
}

/** Room for what comes in at a time, in bytes: for an answer that has filled it so often, larger. */
const usualRoom = 64 * 1024;
const largeRoom = 512 * 1024;
const oftenFilled = 4;

/** Bodies above this are sent piece by piece, so that a slow but steady upload is not taken for a silent server. */
const largePiece = 256 * 1024;

/** An idle connection is let go before servers do (5 s and more), so that no write meets one that is being closed. */
const idleSeconds = 4;

interface Exchange {
  readonly wire: WireRequest;
  readonly requestHead: string;
  readonly resolve: (response: WireResponse) => void;
  readonly reject: (error: unknown) => void;
  readonly clock: ReturnType<Deadlines>;
  head?: ResponseHead;
  body?: IncomingBody;
  /** Whether all of the request was handed over. */
  sent: boolean;
}

/** Opens a connection. The socket is read into a buffer of its own, again and again: making one each time costs more. */
export function openConnection(
  open: Opener,
  ready: "connect" | "secureConnect",
  deadlines: Deadlines,
  owner: Owner,
): Connection {
  const usual = Buffer.allocUnsafeSlow(usualRoom);
  let room = usual;
  let filled = 0;
  let connected = false;
  let current: Exchange | undefined;
  let moved = false;
  let paused = false;
  let failure: Error | undefined;
  let idleUntil = Number.POSITIVE_INFINITY;

  const reader = new ResponseReader({
    onHead(head) {
      const exchange = current as Exchange;
      const { status, headers } = head;
      exchange.head = head;
      exchange.body = new IncomingBody(source);
      exchange.resolve({ status, headers, body: exchange.body });
    },
    onPiece: (piece) => current?.body?.push(piece),
  });

  const source = {
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      moved = true;
      socket.resume();
    },
    stop: () => connection.destroy(),
  };

  const onread = {
    buffer: () => room,
    callback(count: number, bytes: Uint8Array): boolean {
      moved = true;
      if (current === undefined) {
        // Nobody asked for anything.
        socket.destroy();
        return false;
      }
      if (count === usualRoom) {
        filled += 1;
        if (filled === oftenFilled) room = Buffer.allocUnsafeSlow(largeRoom);
      }
      try {
        const read = reader.feed((bytes as Buffer).subarray(0, count));
        if (reader.done && current !== undefined) ended(read === count);
      } catch (error) {
        socket.destroy(error as Error);
      }
      return !paused;
    },
  };
  const socket = open(onread);
  socket.on(ready, () => {
    connected = true;
    if (current !== undefined) write(current);
  });
  socket.on("end", () => {
    if (current !== undefined && reader.finish()) ended(false);
    socket.destroy();
  });
  socket.on("error", (error) => {
    failure = error;
  });
  socket.on("close", () => {
    owner.gone(connection);
    if (current !== undefined) fail(failure ?? Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
  });

  function write(exchange: Exchange): void {
    const { wire, requestHead: head, clock } = exchange;
    const { body = "" } = wire;
    [moved, filled] = [false, 0];
    clock.restart();
    if (body.length > largePiece) {
      socket.write(head);
      void writePieces(exchange, Buffer.from(body));
      return;
    }
    socket.write(typeof body === "string" ? head + body : Buffer.concat([Buffer.from(head), body]));
    exchange.sent = true;
  }

  async function writePieces(exchange: Exchange, body: Buffer): Promise<void> {
    for (let at = 0; at < body.length && current === exchange; at += largePiece) {
      const more = socket.write(body.subarray(at, at + largePiece));
      if (!more) await new Promise<void>((resolve) => socket.once("drain", resolve));
      moved = true;
    }
    exchange.sent = true;
  }

  function ended(reusable: boolean): void {
    const { head, body, sent, clock } = current as Exchange;
    current = undefined;
    paused = false;
    clock.stop();
    body?.end("whole");
    if (!reusable || !sent || !head?.keepAlive) {
      socket.destroy();
      return;
    }
    room = usual;
    socket.unref();
    idleUntil = process.uptime() + Math.min(idleSeconds, (head.idleSeconds ?? Number.POSITIVE_INFINITY) - 1);
    owner.free(connection);
  }

  function fail(error: Error): void {
    const { wire, reject, clock, body } = current as Exchange;
    current = undefined;
    clock.stop();
    const known = inWords(error, wire, connected ? "sent" : "unsent");
    reject(known);
    body?.end(known);
  }

  const connection: Connection = {
    exchange(wire, requestHead) {
      return new Promise((resolve, reject) => {
        const clock = deadlines(wire.timeout, () => {
          // While the reader is the slow one, nothing is held against the server.
          if (moved || paused) {
            moved = false;
            clock.restart();
          } else connection.destroy(timedOut(wire.url.host, wire.timeout, connected ? "sent" : "unsent"));
        });
        current = { wire, requestHead, resolve, reject, clock, sent: false };
        reader.begin(wire.method);
        socket.ref();
        if (connected) write(current);
        else clock.restart();
      });
    },
    signal: () => current?.wire.signal,
    fresh: () => !socket.destroyed && process.uptime() < idleUntil,
    destroy(reason) {
      failure ??= reason;
      socket.destroy();
      if (current !== undefined) fail(failure ?? new Error("closed before its end"));
    },
  };
  return connection;
}
