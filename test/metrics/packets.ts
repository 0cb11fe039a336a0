import { createPacketReader, type PacketRules } from "../../src/metrics/network/packet.ts";
import { datagramOf, readCaptureHead, readPacketHead } from "../../src/metrics/network/pcap.ts";
import { readPackets } from "../../src/metrics/network/read-packets.ts";
import type { Reading } from "../../src/metrics/reading/codec.ts";
import type { StreamFault } from "../../src/metrics/stream/messages.ts";
import { dataBytes } from "./data.ts";
import { decodeReading } from "./decode-reading.ts";
import { readingJson } from "./plain/json.ts";

/** The only user of the captured packets. */
export const keys: ReadonlyMap<string, string> = new Map([["edge", "false-password"]]);

/** Rules that accept all captured packets. */
export const openRules: PacketRules = { types: new Map(), keys, level: "none" };

/** The readings of a packet, up to the fault that is thrown. */
export function* readingsOf(packet: Uint8Array, rules: PacketRules): Generator<Reading> {
  const found: Reading[] = [];
  let fault: unknown;
  try {
    createPacketReader(rules).read(packet, (bytes, _view, start, end) => {
      found.push(decodeReading(bytes, start, end, { lenient: true }));
      return true;
    });
  } catch (error) {
    fault = error;
  }
  yield* found;
  if (fault !== undefined) throw fault;
}

/** Packets as collectd sent the same readings: plain, signed and encrypted. */
export function capturedPackets(): Record<"plain" | "signed" | "encrypted", Buffer[]> {
  const bytes = dataBytes("collectd-5.12.network.pcap");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const capture = readCaptureHead(view, 0);
  const packets = { plain: [] as Buffer[], signed: [] as Buffer[], encrypted: [] as Buffer[] };
  for (let at = 24; at < bytes.length; ) {
    const { start, end } = readPacketHead(view, at, capture);
    const datagram = Buffer.from(datagramOf(bytes.subarray(start, end), capture.link) ?? []);
    const first = datagram.readUInt16BE(0);
    packets[first === 0x0200 ? "signed" : first === 0x0210 ? "encrypted" : "plain"].push(datagram);
    at = end;
  }
  return packets;
}

/** A reading as JSON, as far as the tests look at it. */
export interface ReadingRecord {
  readonly values: readonly Record<string, string | number>[];
  readonly time: string;
  readonly interval: string;
  readonly identifier: Record<string, string>;
  readonly ds_names?: readonly string[];
}

/** Reads an input, at most `step` bytes at a time. */
export async function readAll(
  bytes: Uint8Array,
  { rules = openRules, skips = false, step = 1_000_000 }: { rules?: PacketRules; skips?: boolean; step?: number } = {},
) {
  const records: ReadingRecord[] = [];
  const skipped: StreamFault[] = [];
  let from = 0;
  const source = {
    read: (into: Uint8Array, at: number, room: number) => {
      const size = Math.min(step, room, bytes.length - from);
      into.set(bytes.subarray(from, from + size), at);
      from += size;
      return size;
    },
  };
  const result = await readPackets(source, {
    rules,
    handle: (message, _view, start, end) => {
      records.push(JSON.parse(readingJson(decodeReading(message, start, end, { lenient: true }))) as ReadingRecord);
      return true;
    },
    onIdle: () => undefined,
    skip: (fault) => {
      if (skips) skipped.push(fault);
      return skips;
    },
  });
  return { ...result, records, skipped };
}

/** A libpcap file of packets with their link-level headers. */
export function pcapOf(
  link: number,
  packets: readonly Uint8Array[],
  { bigEndian = false, cutTo = 65_536 } = {},
): Buffer {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    if (bigEndian) bytes.writeUInt32BE(value);
    else bytes.writeUInt32LE(value);
    return bytes;
  };
  const head = [number(0xa1b23c4d), number(0x00040002), number(0), number(0), number(cutTo), number(link)];
  const records = packets.flatMap((packet) => {
    const kept = packet.subarray(0, cutTo);
    return [number(1), number(2), number(kept.length), number(packet.length), kept];
  });
  return Buffer.concat([...head, ...records]);
}

/** A UDP datagram in IPv4 or IPv6. */
export function inUdp(content: Uint8Array, { version = 4, protocol = 17, fragment = 0 } = {}): Buffer {
  const udp = Buffer.alloc(8);
  udp.writeUInt16BE(content.length + 8, 4);
  const head = Buffer.alloc(version === 4 ? 20 : 48);
  head[0] = version === 4 ? 0x45 : 0x60;
  if (version === 4) {
    head.writeUInt16BE(fragment, 6);
    head[9] = protocol;
  } else {
    // An empty hop-by-hop header precedes the datagram.
    head[6] = 0;
    head[40] = protocol;
  }
  return Buffer.concat([head, udp, content]);
}
