import { safeLine } from "../../text/safe.ts";
import type { Fields } from "../decode/fields.ts";
import { seriesOf } from "../decode/series.ts";
import { seriesName } from "../reading/identity.ts";
import { isUsual, partsText, timestampText } from "../reading/moments.ts";
import { createBlock, literal } from "../wire/block.ts";
import { displayText } from "../wire/text.ts";
import { createJsonTail } from "./json-tail.ts";
import type { Output } from "./output.ts";
import type { Printer } from "./printer.ts";
import { writeValue } from "./values.ts";
import { copyText, writeFour, writeLiteral, writeText } from "./write.ts";

// The series column grows with longer names up to a maximum; it never shrinks.
const minWidth = 24;
const maxWidth = 72;

/**
 * Prints one line per reading: time, series, values with their types, metadata. A tail has the series, the end of the line,
 * and a name for each value; its tag is the length of the series.
 */
export function createTextPrinter(out: Output, utc: boolean): Printer {
  const { view, limit, send, copy } = out;
  const clock = createTextClock(utc);
  const json = createJsonTail();
  const kinds = ["no type", "counter", "gauge", "derive", "absolute"].map((name) => literal(` (${name})`));
  const noKind = literal("");
  const unnamed = literal("value");
  const noValues = literal("(no values)");
  let width = minWidth;

  function isUniform({ count, kinds }: Fields): boolean {
    for (let index = 1; index < count; index += 1) if (kinds[index] !== kinds[0]) return false;
    return true;
  }

  const print: Printer["print"] = (fields, tails, entry) => {
    const { text } = tails;
    const { count } = fields;
    const length = tails.tag(entry);
    const end = tails.partAt(entry, 1);
    let at = out.at;
    if (at > limit) at = send(at);
    at = copy(text, tails.partAt(entry, 0), end, clock(view, at, fields));
    if (at > limit) at = send(at);
    width = Math.min(maxWidth, Math.max(width, length));
    at = writeSpaces(view, at, Math.max(0, width - length) + 2);
    if (count === 0) at = writeLiteral(view, at, noValues);
    const uniform = isUniform(fields);
    for (let index = 0; index < count; index += 1) {
      if (index > 0) at = writeSpaces(view, at, 1);
      const name = tails.partAt(entry, 2 + index);
      const nameEnd = index < tails.parts(entry) - 2 ? tails.partAt(entry, 3 + index) : -1;
      at = nameEnd < 0 ? writeLiteral(view, at, unnamed) : copy(text, name, nameEnd, at);
      if (at > limit) at = send(at);
      view.setUint8(at, 0x3d);
      at = writeValue(fields, index, view, at + 1);
      if (!uniform || index === count - 1) at = writeLiteral(view, at, kinds[fields.kinds[index] ?? 0] ?? noKind);
      if (at > limit) at = send(at);
    }
    out.at = copy(text, end, tails.partAt(entry, 2), at);
  };

  return {
    tail: (fields) => {
      const series = seriesOf(fields);
      const name = safeLine(displayText(seriesName(series)));
      const metadata = fields.metaCount === 0 ? "" : `  ${safeLine(json.metadata(fields))}`;
      const names = series.ds_names.map((one) => safeLine(displayText(one)));
      return { texts: [name, `${metadata}\n`, ...names], tag: name.length };
    },
    print,
  };
}

function writeSpaces(view: DataView, at: number, count: number): number {
  for (let index = 0; index < count; index += 4) view.setInt32(at + index, 0x20202020, true);
  return at + count;
}

/** Writes the column of times with the space after it. Caches the last second. */
function createTextClock(utc: boolean) {
  const cached = createBlock(32);
  const width = utc ? 24 : 23;
  let second = Number.NaN;
  let length = 0;
  return (view: DataView, at: number, { time }: Fields): number => {
    const end = at + width + 2;
    const { isSet, seconds, nanos } = time;
    const isText = isSet && (isUsual(time) || timestampText(time) !== undefined);
    if (!isText) {
      at = writeText(view, at, isSet ? partsText(time) : "-");
      return writeSpaces(view, at, Math.max(2, end - at));
    }
    if (second !== seconds) {
      second = seconds;
      length = writeText(cached.view, 0, textSecond(seconds, utc));
    }
    at = copyText(cached.view, 0, length, view, at);
    // The decimal point overwrites the leading zero of the four digits.
    writeFour(view, at, Math.floor(nanos / 1_000_000));
    view.setUint8(at, 0x2e);
    at += 4;
    if (utc) {
      view.setUint8(at, 0x5a);
      at += 1;
    }
    return writeSpaces(view, at, Math.max(2, end - at));
  };
}

/** A time up to its second, in UTC or local time. */
function textSecond(seconds: number, utc: boolean): string {
  const date = new Date(seconds * 1000);
  if (utc) return date.toISOString().slice(0, 19).replace("T", " ");
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
