import type { Reading } from "../../../src/metrics/reading/codec.ts";
import { identityParts, partOf } from "../../../src/metrics/reading/identity.ts";
import { displayText } from "../../../src/metrics/wire/text.ts";
import { metadataJson } from "./json.ts";
import { durationText, partsText, timestampText } from "./moments.ts";
import { kindOf, valueText } from "./values.ts";

/** The header line. */
export const csvHeader = "time,interval,host,plugin,plugin_instance,type,type_instance,ds_name,kind,value,meta\n";

/** One row per value, so none for a reading without values. Metadata is canonical JSON. */
export function readingCsv(reading: Reading): string {
  const time = csvTime(reading);
  const series = csvSeries(reading);
  const metadata = csvMetadata(reading);
  return reading.values
    .map((value, index) => `${time}${series}${csvName(reading, index)},${kindOf(value)},${valueText(value)}${metadata}`)
    .join("");
}

function csvTime({ time }: Reading): string {
  return time === undefined ? "" : (timestampText(time) ?? partsText(time));
}

/** The cells from the interval to the last part of the identifier, with a comma at both ends. */
export function csvSeries(reading: Reading): string {
  const { interval } = reading;
  const span = interval === undefined ? "" : (durationText(interval) ?? partsText(interval));
  return `,${span},${identityParts.map((part) => cell(partOf(reading, part))).join()},`;
}

/** The cell with the name of the data source. */
export function csvName(reading: Reading, index: number): string {
  return cell(reading.ds_names[index] ?? "");
}

/** The last cell of a row, with the comma before it and the line end. */
export function csvMetadata({ meta_data }: Reading): string {
  return `,${meta_data.size === 0 ? "" : cell(metadataJson(meta_data))}\n`;
}

function cell(text: string): string {
  const shown = displayText(text);
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
