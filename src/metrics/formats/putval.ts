import { type Fields, kind, metaKind } from "../decode/fields.ts";
import { seriesOf, textAt } from "../decode/series.ts";
import { partOf, seriesName } from "../reading/identity.ts";
import { durationText, isUsual, nanosecondsOf, partsText, secondsText } from "../reading/moments.ts";
import { displayText, utf8Text } from "../wire/text.ts";
import { requireNanos } from "./check-time.ts";
import type { Output } from "./output.ts";
import { type Printer, Unrepresentable } from "./printer.ts";
import { writeInteger } from "./values.ts";
import { writeDouble, writeFraction, writeText, writeWhole } from "./write.ts";

/**
 * Prints lines of collectd's plain text protocol: `PUTVAL "host/plugin/type" interval=10 1700000000.250:1:2`. They omit the
 * types of values, the names of data sources, and metadata other than strings. A reading without a time gets `N` (now).
 * A tail has the line up to the time, or, with the tag 1, why there is none.
 */
export function createPutvalPrinter(out: Output): Printer {
  const { view, limit, send, copy } = out;
  // Read it from the import once instead of for each value.
  const { gauge } = kind;

  function writeTime({ time }: Fields, at: number): number {
    if (!time.isSet) return writeText(view, at, "N");
    if (isUsual(time)) return writeFraction(view, writeWhole(view, at, time.seconds), time.nanos);
    return writeText(view, at, secondsText(nanosecondsOf(time)));
  }

  function writeOne(fields: Fields, index: number, at: number): number {
    const which = fields.kinds[index];
    if (which === 0) return writeText(view, at, "U");
    if (which !== gauge) return writeInteger(fields, index, view, at);
    const value = fields.gauges[index] ?? 0;
    if (Number.isFinite(value)) return writeDouble(view, at, value);
    return writeText(view, at, Number.isNaN(value) ? "U" : value > 0 ? "inf" : "-inf");
  }

  const print: Printer["print"] = (fields, tails, entry) => {
    const [start, end] = [tails.partAt(entry, 0), tails.partAt(entry, 1)];
    if (fields.count === 0) throw new Unrepresentable("the reading has no values, which PUTVAL requires");
    if (tails.tag(entry) === 1) throw new Unrepresentable(utf8Text(tails.text.bytes.subarray(start, end)));
    let at = copy(tails.text, start, end, out.at);
    if (at > limit) at = send(at);
    at = writeTime(fields, at);
    for (let index = 0; index < fields.count; index += 1) {
      if (at > limit) at = send(at);
      view.setUint8(at, 0x3a);
      at = writeOne(fields, index, at + 1);
    }
    view.setUint8(at, 0x0a);
    out.at = at + 1;
  };

  const tail: Printer["tail"] = (fields) => {
    try {
      return { texts: [head(fields)], tag: 0 };
    } catch (error) {
      if (error instanceof Unrepresentable) return { texts: [error.message], tag: 1 };
      throw error;
    }
  };
  return { tail, checkTime: requireNanos, print };
}

/** The line up to the time, including the space before it. */
function head(fields: Fields): string {
  const series = seriesOf(fields);
  for (const part of ["host", "plugin", "type"] as const) {
    if (partOf(series, part) === "") throw new Unrepresentable(`the reading has no ${part}, which PUTVAL requires`);
  }
  const { interval } = series;
  if (interval !== undefined && durationText(interval) === undefined)
    throw new Unrepresentable(`the interval ${partsText(interval)} is invalid, which PUTVAL cannot represent`);
  const options = interval === undefined ? [] : [`interval=${secondsText(nanosecondsOf(interval))}`];
  return `${["PUTVAL", quoted(seriesName(series)), ...options, ...texts(fields)].join(" ")} `;
}

/** Metadata that are strings. */
function texts(fields: Fields): string[] {
  const { metadata, metaKinds, metaCount } = fields;
  const found: string[] = [];
  for (let entry = 0; entry < metaCount; entry += 1) {
    if (metaKinds[entry] !== metaKind.text) continue;
    const [start = 0, end = 0, from = 0, to = 0] = metadata.subarray(4 * entry, 4 * entry + 4);
    const key = textAt(fields, start, end);
    if (/^[\w:.-]+$/.test(key)) found.push(`meta:${key}=${quoted(textAt(fields, from, to))}`);
  }
  return found;
}

function quoted(text: string): string {
  const shown = displayText(text);
  if (/[\0\r\n]/.test(shown))
    throw new Unrepresentable("a string contains a line break, which PUTVAL cannot represent");
  return `"${shown.replace(/["\\]/g, "\\$&")}"`;
}
