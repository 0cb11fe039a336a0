import { join } from "node:path";
import { Worker } from "node:worker_threads";

/** What a UDP socket receives. */
export interface DatagramSettings {
  readonly type: "udp4" | "udp6";
  readonly host: string;
  readonly port: number;
  /** A multicast address to join, by the interface `via`. */
  readonly group?: string | undefined;
  readonly via?: string | undefined;
  /** The size of the system's receive buffer to ask for, in bytes. */
  readonly receiveBuffer: number;
  /** How many bytes may wait to be taken here; more are lost. */
  readonly most: number;
}

/** A UDP socket that a thread of its own reads. */
export interface Datagrams {
  readonly port: number;
  /** The size of the system's receive buffer, in bytes. */
  readonly granted: number;
  /** How many packets were lost because too many waited to be taken. */
  readonly lost: () => number;
  /** Takes what the socket has, and calls `last` before it is closed. */
  readonly close: (last: () => void) => Promise<void>;
}

/** What the thread sends. */
interface Message {
  readonly failed?: string;
  readonly listening?: number;
  readonly granted?: number;
  readonly ended?: boolean;
  readonly buffer?: ArrayBuffer;
  readonly used?: number;
  readonly count?: number;
  readonly lost?: number;
  readonly since?: number;
}

/** Takes a packet with the address and port of its sender, and when the first of those that came with it was received. */
export type TakeDatagram = (packet: Uint8Array, host: string, port: number, since: number) => void;

const headSize = 5;

/**
 * Receives UDP packets in a thread of its own (`workers/datagrams.js`): work of this one, such as decoding them, does not
 * keep it from emptying the system's buffer. Rejects with an error that has a code if it cannot listen.
 */
export async function receiveDatagrams(settings: DatagramSettings, take: TakeDatagram): Promise<Datagrams> {
  const file = join(__dirname, "workers", "datagrams.js");
  const waiting = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(file, { workerData: { ...settings, waiting }, execArgv: [] });
  let lost = 0;
  let ended = () => {};
  let broken = (_error: unknown) => {};

  function takeAll({ buffer, used = 0, count = 0, since = 0 }: Message): void {
    if (buffer === undefined) return;
    const piece = Buffer.from(buffer);
    for (let at = 0, index = 0; index < count; index += 1) {
      const size = piece.readUInt16LE(at);
      const start = at + headSize + piece.readUInt8(at + 4);
      const host = piece.toString("latin1", at + headSize, start);
      take(piece.subarray(start, start + size), host, piece.readUInt16LE(at + 2), since);
      at = start + size;
    }
    Atomics.sub(waiting, 0, used);
  }

  const opened = await new Promise<{ readonly port: number; readonly granted: number }>((resolve, reject) => {
    broken = reject;
    worker.on("error", (error) => broken(error));
    worker.on("message", (message: Message) => {
      if (message.failed !== undefined) reject(Object.assign(new Error(message.failed), { code: message.failed }));
      if (message.listening !== undefined) resolve({ port: message.listening, granted: message.granted ?? 0 });
      lost += message.lost ?? 0;
      takeAll(message);
      if (message.ended === true) ended();
    });
  });
  // An error of the thread is one of this process.
  broken = (error) => {
    throw error;
  };
  return {
    ...opened,
    lost: () => lost,
    close: async (last) => {
      const done = new Promise<void>((resolve) => {
        ended = resolve;
      });
      worker.postMessage("empty");
      await done;
      last();
      const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
      worker.postMessage("socket");
      await exited;
    },
  };
}
