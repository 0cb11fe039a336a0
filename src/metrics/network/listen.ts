import { isIP } from "node:net";
import { receiveDatagrams } from "../../system/datagrams.ts";
import { type Address, addressText, cannotListen } from "../address.ts";
import type { MessageHandler } from "../stream/messages.ts";
import { WireFault } from "../wire/fields.ts";
import { droppedPackets } from "./dropped.ts";
import { createPacketReader, type PacketRules } from "./packet.ts";
import { receiveBuffer } from "./receive-buffer.ts";

/** What is done with packets. */
export interface ListenOptions {
  readonly rules: PacketRules;
  /** Takes each reading; see `PacketReader`. */
  readonly onReading: (...message: Parameters<MessageHandler>) => void;
  /** Called with the sender and the fault of a packet; the readings before the fault were delivered. */
  readonly onFault: (sender: string, fault: WireFault) => void;
}

// Of packets that wait to be decoded; some seconds of the most that can be.
const mostWaiting = 64 * 1024 * 1024;

/**
 * Receives packets of collectd's binary network protocol on a UDP address, and joins its group if it is a multicast
 * address. Throws a `Failure` if it cannot listen.
 */
export async function listenForPackets(address: Address, options: ListenOptions) {
  const { rules, onReading, onFault } = options;
  const type = isIP(address.host) === 6 ? "udp6" : "udp4";
  // The zone of an IPv6 address is the interface of its group.
  const [group, zone] = isMulticast(address.host) ? address.host.split("%") : [];
  const via = zone === undefined ? undefined : `::%${zone}`;
  const everywhere = type === "udp6" ? "::" : "0.0.0.0";
  const reader = createPacketReader(rules);
  const take: MessageHandler = (...message) => {
    onReading(...message);
    return true;
  };
  let [packets, lag] = [0, 0];
  let dropped: number | undefined;
  const host = group === undefined ? address.host : everywhere;
  const settings = { type, host, port: address.port, group, via, receiveBuffer, most: mostWaiting } as const;
  const socket = await receiveDatagrams(settings, (packet, sender, port, since) => {
    packets += 1;
    lag = (Date.now() - since) / 1000;
    try {
      reader.read(packet, take);
    } catch (error) {
      if (!(error instanceof WireFault)) throw error;
      onFault(addressText({ host: sender, port }), error);
    }
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === undefined ? error : cannotListen(address, error);
  });
  const countDropped = () => {
    dropped = droppedPackets(socket.port) ?? dropped;
  };
  return {
    port: socket.port,
    /** The size of the system's receive buffer, in bytes. */
    buffer: socket.granted,
    /**
     * `dropped` are packets that the system dropped because its receive buffer was full, undefined if it does not tell; `late`
     * were lost because too many waited to be decoded and recorded; `lag` is how long the last one had waited, in seconds.
     */
    counts: () => {
      countDropped();
      return { packets, dropped, late: socket.lost(), lag };
    },
    /** Takes the packets that the system has received, and ends. */
    close: () => socket.close(countDropped),
  };
}

function isMulticast(host: string): boolean {
  return /^(22[4-9]|23\d)\./.test(host) || /^ff/i.test(host);
}
