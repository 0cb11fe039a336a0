import { createFileRegistry, type DescMessage, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import Long from "long";
import type { MetadataValue, Value } from "../../src/metrics/generated/collectd/types.ts";
import type { Reading } from "../../src/metrics/reading/codec.ts";
import { readField, WireFault, wireType } from "../../src/metrics/wire/fields.ts";
import { dataBytes } from "./data.ts";
import { type MessageShape, readingShape } from "./decode-reading.ts";
import { readingJson } from "./plain/json.ts";

interface Moment {
  readonly seconds: bigint;
  readonly nanos: number;
}

interface Oneof {
  readonly value: { readonly case: string | undefined; readonly value?: unknown };
}

/** `collectd.types.ValueList` as decoded by protobuf-es. */
interface OracleReading {
  readonly values: readonly Oneof[];
  readonly time?: Moment;
  readonly interval?: Moment;
  readonly identifier?: Record<"host" | "plugin" | "pluginInstance" | "type" | "typeInstance", string>;
  readonly dsNames: readonly string[];
  readonly metaData: Readonly<Record<string, Oneof>>;
}

/** Decodes with protobuf-es, which shares no decoding code with ts-proto or us, and prints our JSON. */
export function oracle(): (bytes: Uint8Array) => string {
  const set = fromBinary(FileDescriptorSetSchema, dataBytes("oracle.binpb"));
  const descriptor = createFileRegistry(set).getMessage("collectd.types.ValueList");
  if (descriptor === undefined) throw new Error("the descriptor set lacks ValueList");
  return (bytes) => readingJson(toReading(decode(descriptor, bytes)));
}

function decode(descriptor: DescMessage, bytes: Uint8Array): OracleReading {
  return fromBinary(descriptor, bytes, { readUnknownFields: false }) as unknown as OracleReading;
}

function toReading(message: OracleReading): Reading {
  const { identifier } = message;
  return {
    values: message.values.map(({ value }) => ({ value: member(value) as Value["value"] })),
    time: message.time && toMoment(message.time),
    interval: message.interval && toMoment(message.interval),
    identifier: identifier && {
      host: identifier.host,
      plugin: identifier.plugin,
      plugin_instance: identifier.pluginInstance,
      type: identifier.type,
      type_instance: identifier.typeInstance,
    },
    ds_names: [...message.dsNames],
    meta_data: new Map(
      Object.entries(message.metaData).map(([key, { value }]) => [
        key,
        { value: member(value) as MetadataValue["value"] },
      ]),
    ),
  };
}

const unsigned = new Set(["counter", "absolute", "uint64_value"]);

function member({ case: name, value }: Oneof["value"]): unknown {
  if (name === undefined) return undefined;
  const key = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const plain = typeof value === "bigint" ? Long.fromString(value.toString(), unsigned.has(key)) : value;
  return { $case: key, [key]: plain };
}

function toMoment({ seconds, nanos }: Moment) {
  return { seconds: Long.fromString(seconds.toString()), nanos };
}

/**
 * Whether protobuf-es decodes such a message correctly. Unlike libprotobuf, it ignores the wire type of known fields,
 * reads lengths modulo 2^32, and rejects tags with more than 32 bits.
 */
export function oracleSupports(bytes: Uint8Array, shape: MessageShape = readingShape): boolean {
  try {
    for (let at = 0; at < bytes.length; ) {
      const field = readField(bytes, at, bytes.length);
      if (hasWideTag(bytes.subarray(at, field.type === wireType.groupStart ? field.end : field.start))) return false;
      const known = shape.fields.get(field.number);
      if (known !== undefined && known.type !== field.type) return false;
      if (known?.message !== undefined && !oracleSupports(bytes.subarray(field.start, field.end), known.message))
        return false;
      at = field.end;
    }
    return true;
  } catch (error) {
    if (error instanceof WireFault) return false;
    throw error;
  }
}

/** Whether there is a tag with more than 32 bits. */
function hasWideTag(bytes: Uint8Array): boolean {
  return bytes.some(
    (last, at) => last > 0x0f && last < 0x80 && at >= 4 && bytes.subarray(at - 4, at).every(isContinued),
  );
}

const isContinued = (byte: number) => byte > 0x7f;
