import { type Fields, kind } from "../decode/fields.ts";
import { seriesOf } from "../decode/series.ts";
import { partOf } from "../reading/identity.ts";
import { isUsual, nanosecondsOf } from "../reading/moments.ts";
import { displayText } from "../wire/text.ts";
import { requireNanoseconds } from "./check-time.ts";
import type { Output } from "./output.ts";
import type { Printer } from "./printer.ts";
import { writeInteger } from "./values.ts";
import { writeDouble, writeNine, writeText, writeWhole } from "./write.ts";

const tags = ["host", "plugin", "plugin_instance", "type_instance"] as const;

/**
 * Prints InfluxDB's line protocol: the type is the measurement, because the sources of a type have the same kinds everywhere;
 * the other parts of the identifier are tags; data sources are fields; the time is in nanoseconds. NaN and the infinities do
 * not exist there: such fields are left out, and so is a reading without fields. A tail has the line up to the fields, and
 * the key of each field, empty without a name.
 */
export function createInfluxPrinter(out: Output): Printer {
  const { view, limit, send, copy } = out;
  // Read these from the import once instead of for each value.
  const { derive, gauge } = kind;

  let leftOut = 0;

  function hasField(fields: Fields, index: number): boolean {
    const which = fields.kinds[index];
    if (which !== gauge) return which !== 0;
    if (Number.isFinite(fields.gauges[index])) return true;
    leftOut += 1;
    return false;
  }

  /** Integers end in `i`, and unsigned ones in `u`. */
  function writeField(fields: Fields, index: number, at: number): number {
    const which = fields.kinds[index];
    if (which === gauge) return writeDouble(view, at, fields.gauges[index] ?? 0);
    at = writeInteger(fields, index, view, at);
    view.setUint8(at, which === derive ? 0x69 : 0x75);
    return at + 1;
  }

  function writeTime({ time }: Fields, at: number): number {
    if (!time.isSet) return at;
    view.setUint8(at, 0x20);
    at += 1;
    if (!isUsual(time)) return writeText(view, at, String(nanosecondsOf(time)));
    if (time.seconds === 0) return writeWhole(view, at, time.nanos);
    return writeNine(view, writeWhole(view, at, time.seconds), time.nanos);
  }

  const print: Printer["print"] = (fields, tails, entry) => {
    const { text } = tails;
    const { count } = fields;
    const names = tails.tag(entry);
    let at = out.at;
    let isFirst = true;
    for (let index = 0; index < count; index += 1) {
      if (!hasField(fields, index)) continue;
      if (isFirst) at = copy(text, tails.partAt(entry, 0), tails.partAt(entry, 1), at);
      if (at > limit) at = send(at);
      if (!isFirst) {
        view.setUint8(at, 0x2c);
        at += 1;
      }
      isFirst = false;
      const key = tails.partAt(entry, 1 + index);
      const keyEnd = tails.partAt(entry, 2 + index);
      if (index < names && key < keyEnd) at = copy(text, key, keyEnd, at);
      // As dataSource names it.
      else at = writeText(view, at, count === 1 ? "value" : `value_${index + 1}`);
      if (at > limit) at = send(at);
      view.setUint8(at, 0x3d);
      at = writeField(fields, index, at + 1);
    }
    if (isFirst) return;
    at = writeTime(fields, at);
    view.setUint8(at, 0x0a);
    out.at = at + 1;
  };

  return {
    tail: (fields) => {
      const series = seriesOf(fields);
      const labels = tags.flatMap((tag) => {
        const part = partOf(series, tag);
        return part === "" ? [] : [`,${tag}=${keyText(part)}`];
      });
      const type = partOf(series, "type");
      const measurement = cleaned(type === "" ? "value" : type).replace(/[, ]/g, "\\$&");
      const names = series.ds_names;
      return { texts: [`${measurement}${labels.join("")} `, ...names.map(keyText)], tag: names.length };
    },
    checkTime: requireNanoseconds,
    print,
    leftOut: () => leftOut,
  };
}

/** Says how many values were left out, of the formats that leave out some. */
export function leftOutText(count: number, format = "influx"): string {
  const why =
    format === "influx"
      ? "InfluxDB has no NaN and no infinities"
      : "a series in OpenMetrics has a time with each value or with none";
  return `Left out ${count} ${count === 1 ? "value" : "values"}: ${why}`;
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
