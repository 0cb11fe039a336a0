import { layoutOf } from "../framing/framing.ts";
import type { StreamFault } from "../stream/messages.ts";
import type { ReadOptions, ReadResult } from "../stream/read-messages.ts";
import { createWindow, fill, type Source, type Window } from "../stream/source.ts";
import { WireFault } from "../wire/fields.ts";
import { createPacketReader, type PacketReader, type PacketRules } from "./packet.ts";
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
  const reader = createPacketReader(options.rules);
  const counts = { messages: 0, readings: 0, others: 0 };
  const ended = async (fault?: StreamFault, stopped = false): Promise<PacketsResult> => {
    await options.onIdle?.();
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
    const { fault, stopped } = deliver(window.start, window.end, options, counts, window, reader);
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
      if (options.skip?.(fault) !== true) return ended(fault);
      continue;
    }
    const from = datagram.byteOffset - window.block.bytes.byteOffset;
    const { fault, stopped } = deliver(from, from + datagram.length, options, counts, window, reader);
    if (fault !== undefined || stopped) return ended(fault, stopped);
  }

  /** Reads until the window has `size` bytes, or the input ends. */
  async function need(size: number): Promise<void> {
    while (!window.ended && window.end - window.start < size) {
      const later = fill(window, source);
      if (later !== undefined) {
        await options.onIdle?.();
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
  { handle, skip }: PacketOptions,
  counts: { messages: number; readings: number },
  window: Window,
  reader: PacketReader,
): { readonly fault?: StreamFault; readonly stopped: boolean } {
  counts.messages += 1;
  const at = window.base + start;
  let unskipped: StreamFault | undefined;

  /** Whether to go on after a fault. */
  function goesOn(fault: WireFault, where: number): boolean {
    const described = { kind: "bad-message", unit: "packet", message: counts.messages, at: where } as const;
    const known: StreamFault = { ...described, what: fault.message };
    if (skip?.(known) === true) return true;
    unskipped = known;
    return false;
  }

  let stopped = false;
  try {
    stopped = !reader.read(window.block.bytes.subarray(start, end), (bytes, view, from, to) => {
      try {
        const more = handle(bytes, view, from, to);
        counts.readings += 1;
        return more;
      } catch (error) {
        // Its position in a message that was encoded here means nothing to the user.
        if (error instanceof WireFault) return goesOn(error, at);
        throw error;
      }
    });
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    goesOn(error, at + error.at);
  }
  return unskipped === undefined ? { stopped } : { fault: unskipped, stopped: false };
}
