import { kind } from "../decode/fields.ts";
import type { TypesDb } from "../encode/types-db.ts";
import type { MessageHandler } from "../stream/messages.ts";
import { createBlock } from "../wire/block.ts";
import { WireFault } from "../wire/fields.ts";
import { decodeText, encodeText } from "../wire/text.ts";
import { lengthSize, type MomentWords, writeMoment, writeValue, writeVarint } from "../wire/write-fields.ts";
import { checkNumber, type Part, partType, readPart, type SecurityLevel, securityLevels, textEnd } from "./parts.ts";
import { decrypt, type PacketKeys, verify } from "./security.ts";

/** What reading packets needs besides their bytes. */
export interface PacketRules {
  /** Names of data sources, which packets do not contain. */
  readonly types: TypesDb;
  readonly keys: PacketKeys;
  /** Packets below this level are rejected, as by `SecurityLevel` of collectd. */
  readonly level: SecurityLevel;
}

/** Where the text is that a part has set; empty until then. A part holds until another one of its type replaces it. */
interface Text {
  bytes: Uint8Array;
  start: number;
  end: number;
}

// The texts in the order of their fields in an identifier.
const textTypes: readonly number[] = [
  partType.host,
  partType.plugin,
  partType.pluginInstance,
  partType.type,
  partType.typeInstance,
];
const required = [
  [0, "host"],
  [1, "plugin"],
  [3, "type"],
] as const;
const typeAt = 3;

// Types of values in packets, by their number.
const kinds = [kind.counter, kind.gauge, kind.derive, kind.absolute];

// The largest value, time or interval with tag and length; and the tags and lengths of an identifier.
const largest = 26;
const blockSize = 256 * 1024;
const nobody = new Uint8Array();

/** Reads packets one after the other. */
export type PacketReader = ReturnType<typeof createPacketReader>;

/** Creates a reader. Objects and 64-bit integers of a library for each reading would take five times the processor time. */
export function createPacketReader({ types, keys, level: least }: PacketRules) {
  const texts = textTypes.map((): Text => ({ bytes: nobody, start: 0, end: 0 }));
  const time: MomentWords = { high: 0, low: 0, nanos: 0 };
  const interval: MomentWords = { high: 0, low: 0, nanos: 0 };
  /** The encoded names of the data sources of a type, and how many values they are for. */
  let names: { readonly count: number; readonly bytes: Uint8Array } | undefined;
  const known = new Map<string, typeof names>();
  let block = createBlock(blockSize);
  let at = 0;

  /**
   * Passes the readings of a packet on, in order, each encoded as `collectd.types.ValueList` byte for byte as collectd
   * does, until `take` returns false. The bytes stay as they are. Notifications and parts of unknown types are skipped.
   * Throws a `WireFault` for a damaged packet and one whose signature or encryption does not fit the keys; the readings
   * before the damage come first. Returns whether `take` wants more.
   */
  function read(packet: Uint8Array, take: MessageHandler): boolean {
    for (const text of texts) Object.assign(text, { bytes: nobody, start: 0, end: 0 });
    for (const moment of [time, interval]) Object.assign(moment, { high: 0, low: 0, nanos: 0 });
    names = undefined;
    return readParts(packet, "none", take);
  }

  function readParts(packet: Uint8Array, reached: SecurityLevel, take: MessageHandler): boolean {
    const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
    let level = reached;
    for (let next = 0; next < packet.length; ) {
      const part = readPart(view, next);
      next = part.end;
      if (part.type === partType.signature) {
        if (verify(packet, part, keys)) level = "sign";
      } else if (part.type === partType.encryption) {
        if (!readParts(decrypt(packet, part, keys), "encrypt", take)) return false;
      } else if (securityLevels.indexOf(level) < securityLevels.indexOf(least)) {
        throw new WireFault(part.at, `the packet is not ${least === "sign" ? "signed" : "encrypted"}`);
      } else if (part.type === partType.values) {
        const start = encode(view, part);
        if (!take(block.bytes, block.view, start, at)) return false;
      } else apply(packet, view, part);
    }
    return true;
  }

  function apply(packet: Uint8Array, view: DataView, part: Part): void {
    const which = textTypes.indexOf(part.type);
    const text = texts[which];
    if (text !== undefined) {
      text.end = textEnd(packet, part);
      text.bytes = packet;
      text.start = part.start;
      if (which === typeAt) names = namesOf(text);
    } else if (part.type === partType.time) setSeconds(time, view, part);
    else if (part.type === partType.timeHigh) setFraction(time, view, part);
    else if (part.type === partType.interval) setSeconds(interval, view, part);
    else if (part.type === partType.intervalHigh) setFraction(interval, view, part);
    // Others are notifications, or parts that a later collectd added.
  }

  function namesOf({ bytes, start, end }: Text): typeof names {
    const type = decodeText(bytes.subarray(start, end));
    const sources = types.get(type);
    if (sources === undefined) return undefined;
    const found = known.get(type);
    if (found !== undefined) return found;
    const encoded = sources.map(({ name }) => encodeText(name));
    const all = createBlock(encoded.reduce((sum, one) => sum + one.length + 6, 0));
    let to = 0;
    for (const one of encoded) {
      all.view.setUint8(to, 0x2a);
      to = writeVarint(all.view, to + 1, 0, one.length);
      all.bytes.set(one, to);
      to += one.length;
    }
    const made = { count: sources.length, bytes: all.bytes.subarray(0, to) };
    known.set(type, made);
    return made;
  }

  /** Writes a reading behind the last one, to a new block if that has no room, and returns where it starts. */
  function encode(from: DataView, part: Part): number {
    const { start, end } = part;
    const count = end - start < 2 ? 0 : from.getUint16(start);
    if (end - start !== 2 + count * 9)
      throw new WireFault(part.at, "the number of values does not match the length of their part");
    let most = (count + 3) * largest + (names?.bytes.length ?? 0);
    for (const text of texts) most += text.end - text.start + 4;
    if (at + most > block.capacity) {
      block = createBlock(Math.max(most, blockSize));
      at = 0;
    }
    const begun = at;
    const { view } = block;
    let to = at;
    for (let index = 0; index < count; index += 1) {
      const which = kinds[from.getUint8(start + 2 + index)];
      const place = start + 2 + count + index * 8;
      if (which === undefined)
        throw new WireFault(start + 2 + index, `a value has the unknown type ${from.getUint8(start + 2 + index)}`);
      // Gauges are as on x86.
      const isLittle = which === kind.gauge;
      const [first, second] = [from.getUint32(place, isLittle), from.getUint32(place + 4, isLittle)];
      to = writeValue(view, to, which, isLittle ? second : first, isLittle ? first : second);
    }
    for (const [index, name] of required)
      if (texts[index]?.start === texts[index]?.end) throw new WireFault(part.at, `a reading has no ${name}`);
    if (!isUnset(time)) to = writeMoment(view, to, 0x12, time);
    if (!isUnset(interval)) to = writeMoment(view, to, 0x1a, interval);
    to = writeIdentifier(view, to, texts);
    if (names?.count === count) {
      block.bytes.set(names.bytes, to);
      to += names.bytes.length;
    }
    at = to;
    return begun;
  }

  return { read };
}

function isUnset({ high, low, nanos }: MomentWords): boolean {
  return high === 0 && low === 0 && nanos === 0;
}

function setSeconds(moment: MomentWords, view: DataView, part: Part): void {
  checkNumber(part);
  moment.high = view.getUint32(part.start);
  moment.low = view.getUint32(part.start + 4);
  moment.nanos = 0;
}

/** Units of 2^-30 seconds, rounded to nanoseconds as collectd does. */
function setFraction(moment: MomentWords, view: DataView, part: Part): void {
  checkNumber(part);
  const [high, low] = [view.getUint32(part.start), view.getUint32(part.start + 4)];
  moment.high = high >>> 30;
  moment.low = ((high << 2) | (low >>> 30)) >>> 0;
  // Times 10^9 / 2^30, in numbers that a double holds exactly.
  moment.nanos = Math.floor(((low & 0x3fffffff) * 1_953_125 + 2 ** 20) / 2 ** 21);
}

function writeIdentifier(view: DataView, at: number, texts: readonly Text[]): number {
  let size = 0;
  for (const { start, end } of texts) if (end > start) size += 1 + lengthSize(end - start) + end - start;
  view.setUint8(at, 0x22);
  let to = writeVarint(view, at + 1, 0, size);
  let number = 1;
  for (const { bytes, start, end } of texts) {
    if (end > start) {
      view.setUint8(to, number * 8 + 2);
      to = writeVarint(view, to + 1, 0, end - start);
      // Most are short: a copy by `set` takes longer.
      for (let from = start; from < end; from += 1, to += 1) view.setUint8(to, bytes[from] ?? 0);
    }
    number += 1;
  }
  return to;
}
