import { Unrepresentable } from "../../../src/metrics/formats/printer.ts";
import type { Value } from "../../../src/metrics/generated/collectd/types.ts";
import type { Reading } from "../../../src/metrics/reading/codec.ts";
import { partOf, seriesName } from "../../../src/metrics/reading/identity.ts";
import { displayText } from "../../../src/metrics/wire/text.ts";
import { checkTime, durationText, nanosecondsOf, secondsText } from "./moments.ts";
import { doubleText, integerOf } from "./values.ts";

/**
 * A line of collectd's plain text protocol: `PUTVAL "host/plugin/type" interval=10 1700000000.250:1:2`. It omits the types
 * of values, the names of data sources, and metadata other than strings. A reading without a time gets `N` (now). Throws
 * `Unrepresentable` for a reading that PUTVAL cannot represent.
 */
export function readingPutval(reading: Reading): string {
  checkTime(reading.time);
  if (reading.values.length === 0) throw new Unrepresentable("the reading has no values, which PUTVAL requires");
  const time = reading.time === undefined ? "N" : secondsText(nanosecondsOf(reading.time));
  return `${putvalHead(reading)}${time}:${reading.values.map(putvalValue).join(":")}\n`;
}

/** The line up to the time, including the space before it. */
export function putvalHead(reading: Reading): string {
  for (const part of ["host", "plugin", "type"] as const) {
    if (partOf(reading, part) === "") throw new Unrepresentable(`the reading has no ${part}, which PUTVAL requires`);
  }
  if (reading.interval !== undefined && durationText(reading.interval) === undefined)
    throw new Unrepresentable("interval");
  const interval = reading.interval === undefined ? [] : [`interval=${secondsText(nanosecondsOf(reading.interval))}`];
  const texts = [...reading.meta_data].flatMap(([key, { value }]) =>
    value?.$case === "string_value" && /^[\w:.-]+$/.test(key) ? [`meta:${key}=${quoted(value.string_value)}`] : [],
  );
  return `${["PUTVAL", quoted(seriesName(reading)), ...interval, ...texts].join(" ")} `;
}

function putvalValue(value: Value): string {
  if (value.value?.$case !== "gauge") return integerOf(value) ?? "U";
  const { gauge } = value.value;
  if (Number.isNaN(gauge)) return "U";
  return Number.isFinite(gauge) ? doubleText(gauge) : gauge > 0 ? "inf" : "-inf";
}

function quoted(text: string): string {
  const shown = displayText(text);
  if (/[\0\r\n]/.test(shown))
    throw new Unrepresentable("a string contains a line break, which PUTVAL cannot represent");
  return `"${shown.replace(/["\\]/g, "\\$&")}"`;
}
