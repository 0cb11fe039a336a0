import { safeLine } from "../../text/safe.ts";
import type { Reading } from "../reading/codec.ts";
import { seriesName } from "../reading/identity.ts";
import { partsText, timestampText } from "../reading/moments.ts";
import { kindOf, valueText } from "../reading/values.ts";
import { displayText } from "../wire/text.ts";
import { metadataJson } from "./json.ts";

/** Options of the text format. */
export interface TextOptions {
  readonly utc: boolean;
}

// The series column grows with longer names up to a maximum; it never shrinks.
const minWidth = 24;
const maxWidth = 72;

/** Creates a function that prints a reading on one line: time, series, values with their types, metadata. */
export function textPrinter({ utc }: TextOptions): (reading: Reading) => string {
  let width = minWidth;
  return (reading) => {
    const series = safeLine(displayText(seriesName(reading)));
    width = Math.min(maxWidth, Math.max(width, series.length));
    const parts = [shownTime(reading, utc).padEnd(utc ? 24 : 23), series.padEnd(width), values(reading)];
    if (reading.meta_data.size > 0) parts.push(safeLine(metadataJson(reading.meta_data)));
    return `${parts.join("  ").trimEnd()}\n`;
  };
}

function values(reading: Reading): string {
  const kinds = reading.values.map((value) => kindOf(value) || "no type");
  const uniform = kinds.every((kind) => kind === kinds[0]);
  const texts = reading.values.map((value, index) => {
    const name = safeLine(displayText(reading.ds_names[index] ?? "value"));
    return `${name}=${valueText(value)}${uniform ? "" : ` (${kinds[index]})`}`;
  });
  if (uniform && kinds[0] !== undefined) texts.push(`(${kinds[0]})`);
  return texts.length === 0 ? "(no values)" : texts.join(" ");
}

function shownTime({ time }: Reading, utc: boolean): string {
  if (time === undefined) return "-";
  if (timestampText(time) === undefined) return partsText(time);
  const date = new Date(time.seconds.toNumber() * 1000 + Math.floor(time.nanos / 1_000_000));
  if (utc) return `${date.toISOString().replace("T", " ")}`;
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day} ${clock}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
