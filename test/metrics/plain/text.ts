import type { Reading } from "../../../src/metrics/reading/codec.ts";
import { seriesName } from "../../../src/metrics/reading/identity.ts";
import { displayText } from "../../../src/metrics/wire/text.ts";
import { safeLine } from "../../../src/text/safe.ts";
import { metadataJson } from "./json.ts";
import { partsText, timestampText } from "./moments.ts";
import { kindOf, valueText } from "./values.ts";

/** Options of the text format. */
export interface TextOptions {
  readonly utc: boolean;
  /** The column of the series, which several printers of the same output share. */
  readonly column?: SeriesColumn;
}

/** The width of the column of the series, including one of this length. */
export type SeriesColumn = (length: number) => number;

// The series column grows with longer names up to a maximum; it never shrinks.
const minWidth = 24;
const maxWidth = 72;

/** Creates a column that has its least width. */
export function createSeriesColumn(): SeriesColumn {
  let width = minWidth;
  return (length) => {
    width = Math.min(maxWidth, Math.max(width, length));
    return width;
  };
}

/** Creates a function that prints a reading on one line: time, series, values with their types, metadata. */
export function textPrinter({ utc, column = createSeriesColumn() }: TextOptions): (reading: Reading) => string {
  return (reading) => {
    const series = textSeries(reading);
    const time = shownTime(reading, utc).padEnd(timeWidth(utc));
    const parts = [time, series.padEnd(column(series.length)), values(reading)];
    return `${parts.join("  ")}${textMetadata(reading)}`;
  };
}

/** The width of the column of times. */
export function timeWidth(utc: boolean): number {
  return utc ? 24 : 23;
}

/** The name of the series. */
export function textSeries(reading: Reading): string {
  return safeLine(displayText(seriesName(reading)));
}

/** The name of a data source. */
export function textName(reading: Reading, index: number): string {
  return safeLine(displayText(reading.ds_names[index] ?? "value"));
}

/** The rest of the line: metadata, with the space before it. */
export function textMetadata({ meta_data }: Reading): string {
  return meta_data.size === 0 ? "\n" : `  ${safeLine(metadataJson(meta_data))}\n`;
}

function values(reading: Reading): string {
  const kinds = reading.values.map((value) => kindOf(value) || "no type");
  const uniform = kinds.every((kind) => kind === kinds[0]);
  const texts = reading.values.map(
    (value, index) => `${textName(reading, index)}=${valueText(value)}${uniform ? "" : ` (${kinds[index]})`}`,
  );
  if (uniform && kinds[0] !== undefined) texts.push(`(${kinds[0]})`);
  return texts.length === 0 ? "(no values)" : texts.join(" ");
}

function shownTime({ time }: Reading, utc: boolean): string {
  if (time === undefined) return "-";
  if (timestampText(time) === undefined) return partsText(time);
  const milliseconds = String(Math.floor(time.nanos / 1_000_000)).padStart(3, "0");
  return `${textSecond(time.seconds.toNumber(), utc)}.${milliseconds}${utc ? "Z" : ""}`;
}

/** A time up to its second, in UTC or local time. */
export function textSecond(seconds: number, utc: boolean): string {
  const date = new Date(seconds * 1000);
  if (utc) return date.toISOString().slice(0, 19).replace("T", " ");
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
