import Long from "long";
import { frameHead } from "../../../src/metrics/framing/framing.ts";
import type { Value } from "../../../src/metrics/generated/collectd/types.ts";
import { encodeReading, type Reading } from "../../../src/metrics/reading/codec.ts";

type Given = { gauge: number } | { counter: bigint } | { derive: bigint } | { absolute: bigint };

const usual = { host: "h", plugin: "p", plugin_instance: "", type: "t", type_instance: "" };

/** A reading of one value, a number of seconds after 1970. */
export function reading(given: Given, seconds: number, identifier = usual): Reading {
  return {
    values: [{ value: oneOf(given) }],
    time: { seconds: Long.fromNumber(seconds), nanos: 0 },
    interval: { seconds: Long.fromNumber(10), nanos: 0 },
    identifier,
    ds_names: ["value"],
    meta_data: new Map(),
  };
}

/** The same, encoded. */
export function readingWith(given: Given, seconds: number, identifier = usual): Uint8Array {
  return encodeReading(reading(given, seconds, identifier));
}

function oneOf(given: Given): Value["value"] {
  if ("gauge" in given) return { $case: "gauge", ...given };
  if ("derive" in given) return { $case: "derive", derive: Long.fromBigInt(given.derive) };
  if ("counter" in given) return { $case: "counter", counter: Long.fromBigInt(given.counter, true) };
  return { $case: "absolute", absolute: Long.fromBigInt(given.absolute, true) };
}

/** Encoded readings as a recording. */
export function delimited(readings: readonly Uint8Array[]): Buffer {
  return Buffer.concat(readings.flatMap((encoded) => [frameHead("delimited", encoded.length), encoded]));
}
