import { WireFault } from "../wire/fields.ts";

/** Levels of security, weakest first, named as in `SecurityLevel` of collectd. */
export const securityLevels = ["none", "sign", "encrypt"] as const;
export type SecurityLevel = (typeof securityLevels)[number];

/** Part types of collectd's binary network protocol. */
export const partType = {
  host: 0x0000,
  time: 0x0001,
  plugin: 0x0002,
  pluginInstance: 0x0003,
  type: 0x0004,
  typeInstance: 0x0005,
  values: 0x0006,
  interval: 0x0007,
  timeHigh: 0x0008,
  intervalHigh: 0x0009,
  message: 0x0100,
  severity: 0x0101,
  signature: 0x0200,
  encryption: 0x0210,
} as const;

const knownTypes: ReadonlySet<number> = new Set(Object.values(partType));

/** A part of a packet: a type and the range of its content, after the four bytes of type and length. */
export interface Part {
  readonly type: number;
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** The size of the type and the length of a part. */
export const partHead = 4;

/** Reads the part at `at`. Throws a `WireFault` if its length is less than its head or exceeds the packet. */
export function readPart(packet: DataView, at: number): Part {
  const left = packet.byteLength - at;
  if (left < partHead) throw new WireFault(at, `the packet ends in the middle of a part, after ${left} bytes`);
  const length = packet.getUint16(at + 2);
  if (length < partHead) throw new WireFault(at, `a part has the length ${length}, less than its head`);
  if (length > left) throw new WireFault(at, `a part of ${length} bytes exceeds the ${left} bytes left`);
  return { type: packet.getUint16(at), at, start: at + partHead, end: at + length };
}

/** Whether a datagram starts like a packet of collectd: with a part of a known type whose length fits. */
export function looksLikePacket(bytes: Uint8Array): boolean {
  if (bytes.length < partHead) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = view.getUint16(2);
  return knownTypes.has(view.getUint16(0)) && length >= partHead && length <= bytes.length;
}

/** Where the text of a part ends, which starts with its content: before a zero byte. Throws a `WireFault` without one. */
export function textEnd(bytes: Uint8Array, { at, start, end }: Part): number {
  const stop = bytes.indexOf(0, start);
  if (stop < 0 || stop >= end) throw new WireFault(at, "a string does not end with a zero byte");
  return stop;
}

/** Throws a `WireFault` if the content of a part is not a number. */
export function checkNumber({ at, start, end }: Part): void {
  if (end - start !== 8) throw new WireFault(at, `a number has ${end - start} bytes instead of 8`);
}
