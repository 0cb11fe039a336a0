import { createSocket, type Socket } from "node:dgram";
import { isIP } from "node:net";
import { type Address, addressText, cannotListen } from "../address.ts";
import { decodeReading, type Reading } from "../reading/codec.ts";
import type { WireFault } from "../wire/fields.ts";
import { droppedPackets } from "./dropped.ts";
import type { PacketRules } from "./packet.ts";
import { eachReading } from "./read-packets.ts";

/** What receives packets. */
export interface PacketListener {
  readonly port: number;
  /** The size of the system's receive buffer, in bytes. */
  readonly buffer: number;
  /** How many packets the system dropped because its receive buffer was full, as far as it tells. */
  readonly dropped: () => number;
  /** Takes the packets that the system has received, and ends. */
  readonly close: () => Promise<void>;
}

/** What is done with packets. */
export interface ListenOptions {
  readonly rules: PacketRules;
  readonly onReading: (encoded: Uint8Array, reading: Reading) => void;
  /** Called with the sender and the fault of a packet; the readings before the fault were delivered. */
  readonly onFault: (sender: string, fault: WireFault) => void;
}

// Bursts of a fleet that reports at the same second; the system may grant less.
const receiveBuffer = 4 * 1024 * 1024;

/**
 * Receives packets of collectd's binary network protocol on a UDP address, and joins its group if it is a multicast
 * address. Throws a `Failure` if it cannot listen.
 */
export async function listenForPackets(address: Address, options: ListenOptions): Promise<PacketListener> {
  const { rules, onReading, onFault } = options;
  const isIpv6 = isIP(address.host) === 6;
  const group = isMulticast(address.host) ? address.host : undefined;
  const socket = createSocket({ type: isIpv6 ? "udp6" : "udp4", reuseAddr: group !== undefined });
  let [taken, dropped] = [0, 0];
  socket.on("message", (packet, sender) => {
    taken += packet.length + 1;
    eachReading(packet, rules, (encoded, fault) => {
      if (fault !== undefined) onFault(addressText({ host: sender.address, port: sender.port }), fault);
      else onReading(encoded, decodeReading(encoded, 0, encoded.length, { lenient: true }));
      return true;
    });
  });
  const everywhere = isIpv6 ? "::" : "0.0.0.0";
  await bind(socket, address, group === undefined ? address.host : everywhere);
  if (group !== undefined) join(socket, group, address);
  allowBursts(socket);
  const { port } = socket.address();
  const buffer = socket.getRecvBufferSize();

  /** Waits until the socket is empty. A sender that never pauses does not keep it: what it held at first is less than this. */
  async function takeRest(): Promise<void> {
    const limit = taken + buffer;
    for (let idle = 0; idle < 2 && taken < limit; idle += 1) {
      const before = taken;
      // The first may come before the socket is looked at.
      await new Promise((resolve) => setImmediate(resolve));
      if (taken > before) idle = -1;
    }
  }

  function countDropped(): number {
    dropped = droppedPackets(port) ?? dropped;
    return dropped;
  }

  const close = async () => {
    await takeRest();
    countDropped();
    await new Promise<void>((resolve) => socket.close(() => resolve()));
  };
  return { port, buffer, dropped: countDropped, close };
}

function bind(socket: Socket, address: Address, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(address, error)));
    socket.bind(address.port, host, resolve);
  });
}

function join(socket: Socket, group: string, address: Address): void {
  try {
    const [host = "", zone] = group.split("%");
    // The zone of an IPv6 address is the interface of its group.
    socket.addMembership(host, zone === undefined ? undefined : `::%${zone}`);
  } catch (error) {
    socket.close();
    throw cannotListen(address, error as NodeJS.ErrnoException);
  }
}

function allowBursts(socket: Socket): void {
  try {
    socket.setRecvBufferSize(receiveBuffer);
  } catch (error) {
    // A system that grants less keeps its own size.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

function isMulticast(host: string): boolean {
  return /^(22[4-9]|23\d)\./.test(host) || /^ff/i.test(host);
}
