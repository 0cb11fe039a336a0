import type { Value } from "../../../src/metrics/generated/collectd/types.ts";
import type { Reading } from "../../../src/metrics/reading/codec.ts";
import { dataSource, partOf } from "../../../src/metrics/reading/identity.ts";
import { displayText } from "../../../src/metrics/wire/text.ts";
import { checkTime, nanosecondsOf } from "./moments.ts";
import { doubleText, integerOf } from "./values.ts";

const tags = ["host", "plugin", "plugin_instance", "type_instance"] as const;

/**
 * A line of InfluxDB's line protocol: the type is the measurement, because the sources of a type have the same kinds
 * everywhere; the other parts of the identifier are tags; data sources are fields; the time is in nanoseconds. NaN and
 * the infinities do not exist there: such fields are left out, and so is a reading without fields.
 */
export function readingInflux(reading: Reading): string {
  checkTime(reading.time, 64);
  const fields = reading.values.flatMap((value, index) => {
    const text = fieldText(value);
    return text === undefined ? [] : [`${keyText(dataSource(reading, index, reading.values.length))}=${text}`];
  });
  if (fields.length === 0) return "";
  const labels = tags.flatMap((tag) => {
    const part = partOf(reading, tag);
    return part === "" ? [] : [`,${tag}=${keyText(part)}`];
  });
  const type = partOf(reading, "type");
  const measurement = cleaned(type === "" ? "value" : type).replace(/[, ]/g, "\\$&");
  const time = reading.time === undefined ? "" : ` ${nanosecondsOf(reading.time)}`;
  return `${measurement}${labels.join("")} ${fields.join()}${time}\n`;
}

/** Integers end in `i`, and unsigned ones in `u`. */
function fieldText(value: Value): string | undefined {
  if (value.value?.$case === "gauge") {
    return Number.isFinite(value.value.gauge) ? doubleText(value.value.gauge) : undefined;
  }
  const integer = integerOf(value);
  return integer === undefined ? undefined : `${integer}${value.value?.$case === "derive" ? "i" : "u"}`;
}

function keyText(text: string): string {
  return cleaned(text).replace(/[,= ]/g, "\\$&");
}

/**
 * The protocol has no escapes for line breaks, which get their symbols (␊), nor for a backslash before a character that is
 * escaped.
 */
function cleaned(text: string): string {
  return displayText(text)
    .replace(/[\0\r\n]/g, (character) => String.fromCharCode(0x2400 + character.charCodeAt(0)))
    .replace(/\\(?=[,= ]|$)/g, "/");
}
