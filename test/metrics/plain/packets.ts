import Long from "long";
import type { TypesDb } from "../../../src/metrics/encode/types-db.ts";
import type { Value } from "../../../src/metrics/generated/collectd/types.ts";
import type { PacketRules } from "../../../src/metrics/network/packet.ts";
import {
  checkNumber,
  type Part,
  partType,
  readPart,
  type SecurityLevel,
  securityLevels,
  textEnd,
} from "../../../src/metrics/network/parts.ts";
import { decrypt, verify } from "../../../src/metrics/network/security.ts";
import type { Reading } from "../../../src/metrics/reading/codec.ts";
import { WireFault } from "../../../src/metrics/wire/fields.ts";
import { decodeText } from "../../../src/metrics/wire/text.ts";

/** What the parts so far have set. A part holds until another one of its type replaces it. */
interface State {
  host: string;
  plugin: string;
  pluginInstance: string;
  type: string;
  typeInstance: string;
  time: bigint;
  interval: bigint;
}

/**
 * The readings of a packet of collectd's binary network protocol as objects, in order: what those of `createPacketReader`
 * are compared with. Notifications and parts of unknown types are
 * skipped. Throws a `WireFault` for a damaged packet and one whose signature or encryption does not fit the keys; the
 * readings before the damage come first.
 */
export function* readingsOf(packet: Uint8Array, rules: PacketRules): Generator<Reading> {
  const state: State = { host: "", plugin: "", pluginInstance: "", type: "", typeInstance: "", time: 0n, interval: 0n };
  yield* readParts(packet, rules, state, "none");
}

function* readParts(packet: Uint8Array, rules: PacketRules, state: State, reached: SecurityLevel): Generator<Reading> {
  const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
  let level = reached;
  for (let at = 0; at < packet.length; ) {
    const part = readPart(view, at);
    at = part.end;
    if (part.type === partType.signature) {
      if (verify(packet, part, rules.keys)) level = "sign";
    } else if (part.type === partType.encryption) {
      yield* readParts(decrypt(packet, part, rules.keys), rules, state, "encrypt");
    } else if (securityLevels.indexOf(level) < securityLevels.indexOf(rules.level)) {
      throw new WireFault(part.at, `the packet is not ${rules.level === "sign" ? "signed" : "encrypted"}`);
    } else if (part.type === partType.values) {
      yield readingOf(state, valuesOf(packet, view, part), rules.types, part);
    } else apply(state, packet, view, part);
  }
}

function apply(state: State, packet: Uint8Array, view: DataView, part: Part): void {
  switch (part.type) {
    case partType.host:
      state.host = textOf(packet, part);
      break;
    case partType.plugin:
      state.plugin = textOf(packet, part);
      break;
    case partType.pluginInstance:
      state.pluginInstance = textOf(packet, part);
      break;
    case partType.type:
      state.type = textOf(packet, part);
      break;
    case partType.typeInstance:
      state.typeInstance = textOf(packet, part);
      break;
    case partType.time:
      state.time = numberOf(view, part) << 30n;
      break;
    case partType.timeHigh:
      state.time = numberOf(view, part);
      break;
    case partType.interval:
      state.interval = numberOf(view, part) << 30n;
      break;
    case partType.intervalHigh:
      state.interval = numberOf(view, part);
      break;
    default:
      // A notification, or a part that a later collectd added.
      break;
  }
}

/** Values: their number, a byte for the type of each, and eight bytes for each. Gauges are little-endian, as on x86. */
function valuesOf(packet: Uint8Array, view: DataView, { at, start, end }: Part): Value[] {
  const count = end - start < 2 ? 0 : view.getUint16(start);
  if (end - start !== 2 + count * 9)
    throw new WireFault(at, "the number of values does not match the length of their part");
  return Array.from({ length: count }, (_, index) => {
    const place = start + 2 + count + index * 8;
    const integer = (unsigned: boolean) => Long.fromBytesBE([...packet.subarray(place, place + 8)], unsigned);
    const kind = packet[start + 2 + index];
    if (kind === 0) return { value: { $case: "counter", counter: integer(true) } };
    if (kind === 1) return { value: { $case: "gauge", gauge: view.getFloat64(place, true) } };
    if (kind === 2) return { value: { $case: "derive", derive: integer(false) } };
    if (kind === 3) return { value: { $case: "absolute", absolute: integer(true) } };
    throw new WireFault(start + 2 + index, `a value has the unknown type ${kind}`);
  });
}

function readingOf(state: State, values: Value[], types: TypesDb, { at }: Part): Reading {
  for (const part of ["host", "plugin", "type"] as const)
    if (state[part] === "") throw new WireFault(at, `a reading has no ${part}`);
  const sources = types.get(state.type);
  const names = sources?.length === values.length ? sources.map(({ name }) => name) : [];
  return {
    values,
    time: state.time === 0n ? undefined : momentOf(state.time),
    interval: state.interval === 0n ? undefined : momentOf(state.interval),
    identifier: {
      host: state.host,
      plugin: state.plugin,
      plugin_instance: state.pluginInstance,
      type: state.type,
      type_instance: state.typeInstance,
    },
    ds_names: names,
    meta_data: new Map(),
  };
}

/** A time or interval in units of 2^-30 seconds, rounded to nanoseconds as collectd does. */
function momentOf(time: bigint): { seconds: Long; nanos: number } {
  const nanoseconds = (time >> 30n) * 1_000_000_000n + (((time & 0x3fffffffn) * 1_000_000_000n + (1n << 29n)) >> 30n);
  const seconds = Long.fromString(String(nanoseconds / 1_000_000_000n));
  return { seconds, nanos: Number(nanoseconds % 1_000_000_000n) };
}

/** The text of a part; text that is not UTF-8 is decoded without loss. */
function textOf(bytes: Uint8Array, part: Part): string {
  return decodeText(bytes.subarray(part.start, textEnd(bytes, part)));
}

function numberOf(packet: DataView, part: Part): bigint {
  checkNumber(part);
  return packet.getBigUint64(part.start);
}
