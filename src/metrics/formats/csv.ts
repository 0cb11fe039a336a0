import type { Fields } from "../decode/fields.ts";
import { seriesOf } from "../decode/series.ts";
import { identityParts, partOf } from "../reading/identity.ts";
import { durationText, isUsual, partsText, timestampText } from "../reading/moments.ts";
import { literal } from "../wire/block.ts";
import { displayText } from "../wire/text.ts";
import { createJsonTail } from "./json-tail.ts";
import type { Output } from "./output.ts";
import type { Printer } from "./printer.ts";
import { writeValue } from "./values.ts";
import { createClock, writeLiteral, writeText } from "./write.ts";

const header = "time,interval,host,plugin,plugin_instance,type,type_instance,ds_name,kind,value,meta\n";

/**
 * Prints a header, and one row per value, so none for a reading without values. Metadata is canonical JSON. A tail has the
 * cells of the series, the last cell, and a cell for the name of each value.
 */
export function createCsvPrinter(out: Output): Printer {
  const { view, limit, send, copy } = out;
  const clock = createClock();
  const json = createJsonTail();
  const kinds = [",,", ",counter,", ",gauge,", ",derive,", ",absolute,"].map(literal);
  const noKind = literal(",,");
  out.put(header);

  function writeTime({ time }: Fields, at: number): number {
    if (!time.isSet) return at;
    if (isUsual(time)) return clock(view, at, time.seconds, time.nanos);
    return writeText(view, at, timestampText(time) ?? partsText(time));
  }

  const print: Printer["print"] = (fields, tails, entry) => {
    const { text } = tails;
    const names = tails.tag(entry);
    const series = tails.partAt(entry, 0);
    const metadata = tails.partAt(entry, 1);
    const metadataEnd = tails.partAt(entry, 2);
    let at = out.at;
    for (let index = 0; index < fields.count; index += 1) {
      if (at > limit) at = send(at);
      at = copy(text, series, metadata, writeTime(fields, at));
      if (index < names) at = copy(text, tails.partAt(entry, 2 + index), tails.partAt(entry, 3 + index), at);
      if (at > limit) at = send(at);
      at = writeLiteral(view, at, kinds[fields.kinds[index] ?? 0] ?? noKind);
      at = copy(text, metadata, metadataEnd, writeValue(fields, index, view, at));
    }
    out.at = at;
  };

  return {
    tail: (fields) => {
      const { identifier, interval, ds_names } = seriesOf(fields);
      const span = interval === undefined ? "" : (durationText(interval) ?? partsText(interval));
      const cells = identityParts.map((part) => cell(partOf({ identifier }, part)));
      const metadata = fields.metaCount === 0 ? "" : cell(json.metadata(fields));
      return { texts: [`,${span},${cells.join()},`, `,${metadata}\n`, ...ds_names.map(cell)], tag: ds_names.length };
    },
    print,
  };
}

function cell(text: string): string {
  const shown = displayText(text);
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
