import { layoutOf } from "../framing/framing.ts";
import { encodeReading } from "../reading/codec.ts";
import type { MessageHandler, StreamFault } from "../stream/messages.ts";
import type { ReadOptions, ReadResult } from "../stream/read-messages.ts";
import { createWindow, fill, type Source, type Window } from "../stream/source.ts";
import { slack } from "../wire/block.ts";
import { WireFault } from "../wire/fields.ts";
import { type PacketRules, readingsOf } from "./packet.ts";
import { looksLikePacket } from "./parts.ts";
import * as pcap from "./pcap.ts";

/** The result of reading packets. */
export interface PacketsResult extends ReadResult {
  /** UDP packets in the capture that are not collectd's. */
  readonly others: number;
}

/** How packets are handled; the rest is as for messages. */
export type PacketOptions = Pick<ReadOptions, "handle" | "onIdle" | "skip" | "checkAborted"> & {
  readonly rules: PacketRules;
};

// The largest content of a UDP packet is smaller.
const maxPacketSize = 65_536;

/**
 * Reads packets of collectd's binary network protocol: from a libpcap file, as `tcpdump -w` writes, or one packet as it
 * was sent. Ends like `readMessages`: at the end, at a bad packet that is not skipped, or when the handler stops.
 */
export async function readPackets(source: Source, options: PacketOptions): Promise<PacketsResult> {
  const window = createWindow();
  const counts = { messages: 0, readings: 0, others: 0 };
  const ended = async (fault?: StreamFault, stopped = false): Promise<PacketsResult> => {
    await options.onIdle();
    return { ...counts, layout: layoutOf("delimited"), stopped, ...(fault === undefined ? {} : { fault }) };
  };
  const faultAt = (kind: StreamFault["kind"], at: number, what: string): StreamFault => {
    return { kind, unit: "packet", message: counts.messages + 1, at, what };
  };

  await need(pcap.captureHead);
  const head = window.block.bytes.subarray(window.start, window.end);
  if (!pcap.looksLikeCapture(head)) {
    await need(maxPacketSize);
    if (window.end - window.start >= maxPacketSize)
      return ended(faultAt("bad-frame", 0, "neither a libpcap file nor a single packet"));
    if (window.end === window.start) return ended();
    const { fault, stopped } = deliver(window.start, window.end, options, counts, window);
    return ended(fault, stopped);
  }
  if (window.end - window.start < pcap.captureHead) return ended(faultAt("truncated", 0, "the header is not complete"));
  const capture = attempt(() => pcap.readCaptureHead(window.block.view, window.start), window);
  if (capture instanceof WireFault) return ended(faultAt("bad-frame", capture.at, capture.message));
  window.start += pcap.captureHead;
  let [packets, datagrams] = [0, 0];
  for (;;) {
    await need(pcap.packetHead);
    if (window.start === window.end) {
      const what = `none of the ${packets} packets of this capture is UDP (link type ${capture.type})`;
      return packets > 0 && datagrams === 0 ? ended(faultAt("bad-frame", 20, what)) : ended();
    }
    const at = window.base + window.start;
    const left = window.end - window.start;
    if (left < pcap.packetHead) return ended(faultAt("truncated", at, "the capture ends in the middle of a packet"));
    const first = attempt(() => pcap.readPacketHead(window.block.view, window.start, capture), window);
    if (first instanceof WireFault) return ended(faultAt("bad-frame", first.at, first.message));
    const size = first.end - window.start;
    await need(size);
    if (window.end - window.start < size)
      return ended(faultAt("truncated", at, "the capture ends in the middle of a packet"));
    const start = window.start + pcap.packetHead;
    const end = window.start + size;
    window.start = end;
    packets += 1;
    const datagram = pcap.datagramOf(window.block.bytes.subarray(start, end), capture.link);
    if (datagram === undefined) continue;
    datagrams += 1;
    if (!looksLikePacket(datagram)) {
      counts.others += 1;
      continue;
    }
    if (first.cut) {
      counts.messages += 1;
      const what = "the capture cut this packet; capture with tcpdump -s 0";
      const fault = { kind: "bad-message", unit: "packet", message: counts.messages, at, what } as const;
      if (!options.skip(fault)) return ended(fault);
      continue;
    }
    const from = datagram.byteOffset - window.block.bytes.byteOffset;
    const { fault, stopped } = deliver(from, from + datagram.length, options, counts, window);
    if (fault !== undefined || stopped) return ended(fault, stopped);
  }

  /** Reads until the window has `size` bytes, or the input ends. */
  async function need(size: number): Promise<void> {
    while (!window.ended && window.end - window.start < size) {
      const later = fill(window, source);
      if (later !== undefined) {
        await options.onIdle();
        await later;
      }
      options.checkAborted?.();
    }
  }
}

/** Runs `read`. A `WireFault` is returned, with its position in the input. */
function attempt<T>(read: () => T, window: Window): T | WireFault {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireFault) return new WireFault(window.base + error.at, error.message);
    throw error;
  }
}

/** Passes the readings of the packet to the handler. Returns the fault that is not skipped, if any. */
function deliver(
  start: number,
  end: number,
  { rules, handle, skip }: PacketOptions,
  counts: { messages: number; readings: number },
  window: Window,
): { readonly fault?: StreamFault; readonly stopped: boolean } {
  counts.messages += 1;
  const at = window.base + start;
  const problem = eachReading(window.block.bytes.subarray(start, end), rules, (encoded, fault) => {
    const failed = fault ?? passed(encoded, handle, counts);
    if (!(failed instanceof WireFault)) return failed;
    // The position of a fault in a message that was encoded here means nothing to the user.
    const where = fault === undefined ? at : at + fault.at;
    const described = { kind: "bad-message", unit: "packet", message: counts.messages, at: where } as const;
    const known: StreamFault = { ...described, what: failed.message };
    return skip(known) ? true : known;
  });
  if (problem === false) return { stopped: true };
  return typeof problem === "object" ? { fault: problem, stopped: false } : { stopped: false };
}

/** Passes an encoded reading on. Returns whether the handler wants more, or its fault. */
function passed(encoded: Uint8Array, handle: MessageHandler, counts: { readings: number }): boolean | WireFault {
  const padded = new Uint8Array(encoded.length + slack);
  padded.set(encoded);
  try {
    const more = handle(padded, new DataView(padded.buffer), 0, encoded.length);
    counts.readings += 1;
    return more;
  } catch (error) {
    if (error instanceof WireFault) return error;
    throw error;
  }
}

/**
 * Calls `take` with each encoded reading of a packet, and with the fault that ends the packet, until it returns something
 * other than true.
 */
export function eachReading<R>(
  packet: Uint8Array,
  rules: PacketRules,
  take: (encoded: Uint8Array, fault?: WireFault) => R | true,
): R | true {
  try {
    for (const reading of readingsOf(packet, rules)) {
      const result = take(encodeReading(reading));
      if (result !== true) return result;
    }
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    return take(new Uint8Array(), error);
  }
  return true;
}
