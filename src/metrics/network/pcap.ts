import { WireFault } from "../wire/fields.ts";

/** The header of a capture file. */
export interface Capture {
  readonly littleEndian: boolean;
  /** The number of the link type. */
  readonly type: number;
  readonly link: LinkType;
}

/** A packet of a capture: the range of its bytes, and whether the capture cut it. */
export interface Captured {
  readonly start: number;
  readonly end: number;
  readonly cut: boolean;
}

/** The size of the header of a capture file, and of the head of each packet in it. */
export const captureHead = 24;
export const packetHead = 16;

// The largest snapshot length of tcpdump is a quarter of this.
const maxPacket = 1024 * 1024;

// The second one has times in nanoseconds.
const magics = [0xa1b2c3d4, 0xa1b23c4d];

/** Whether an input starts like a classic libpcap file, as `tcpdump -w` writes. */
export function looksLikeCapture(bytes: Uint8Array): boolean {
  if (bytes.length < 4) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 4);
  return magics.includes(view.getUint32(0)) || magics.includes(view.getUint32(0, true));
}

/** Reads the header of a capture at `at`. Throws a `WireFault` for an unknown link type. */
export function readCaptureHead(view: DataView, at: number): Capture {
  const littleEndian = magics.includes(view.getUint32(at, true));
  const type = view.getUint32(at + 20, littleEndian) & 0x0fffffff;
  const link = linkTypes[type];
  if (link === undefined) throw new WireFault(at + 20, `the capture has the unsupported link type ${type}`);
  return { littleEndian, type, link };
}

/** Reads the head of the packet at `at`. Throws a `WireFault` for an impossible length. */
export function readPacketHead(view: DataView, at: number, { littleEndian }: Capture): Captured {
  const size = view.getUint32(at + 8, littleEndian);
  if (size > maxPacket) throw new WireFault(at + 8, `the capture has a packet of ${size} bytes`);
  return { start: at + packetHead, end: at + packetHead + size, cut: size < view.getUint32(at + 12, littleEndian) };
}

/** The size of a link-level header, and where the protocol is in it: an EtherType, or found from the IP version. */
interface LinkType {
  readonly size: number;
  readonly protocolAt?: number;
}

// The numbers are those of https://www.tcpdump.org/linktypes.html.
const linkTypes: Readonly<Record<number, LinkType>> = {
  0: { size: 4 },
  1: { size: 14, protocolAt: 12 },
  12: { size: 0 },
  101: { size: 0 },
  108: { size: 4 },
  113: { size: 16, protocolAt: 14 },
  228: { size: 0 },
  229: { size: 0 },
  276: { size: 20, protocolAt: 0 },
};

const vlanTags = new Set([0x8100, 0x88a8, 0x9100]);
const internet = new Set([0x0800, 0x86dd]);
const udp = 17;
// Hop-by-hop, routing and destination options, whose second byte is their length.
const extensions = new Set([0, 43, 60]);

/** The content of a UDP datagram in a captured packet; undefined for any other packet and for fragments. */
export function datagramOf(packet: Uint8Array, link: LinkType): Uint8Array | undefined {
  const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
  try {
    let at = link.size;
    if (link.protocolAt !== undefined) {
      let protocol = view.getUint16(link.protocolAt);
      for (; vlanTags.has(protocol); at += 4) protocol = view.getUint16(at + 2);
      if (!internet.has(protocol)) return undefined;
    }
    const payload = view.getUint8(at) >> 4 === 4 ? udpOfIpv4(view, at) : udpOfIpv6(view, at);
    if (payload < 0) return undefined;
    const size = view.getUint16(payload + 4);
    return size < 8 ? undefined : packet.subarray(payload + 8, payload + size);
  } catch (error) {
    // Shorter than its headers.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function udpOfIpv4(view: DataView, at: number): number {
  const isFragment = (view.getUint16(at + 6) & 0x3fff) !== 0;
  return view.getUint8(at + 9) === udp && !isFragment ? at + (view.getUint8(at) & 0x0f) * 4 : -1;
}

function udpOfIpv6(view: DataView, at: number): number {
  if (view.getUint8(at) >> 4 !== 6) return -1;
  let next = view.getUint8(at + 6);
  let start = at + 40;
  while (extensions.has(next)) {
    next = view.getUint8(start);
    start += (view.getUint8(start + 1) + 1) * 8;
  }
  return next === udp ? start : -1;
}
