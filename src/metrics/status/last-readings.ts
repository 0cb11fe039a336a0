import type { Fields } from "../decode/fields.ts";
import { type Series, seriesOf } from "../decode/series.ts";
import { createOpenMetricsPrinter } from "../formats/openmetrics.ts";
import { createReadingCache, type ReadingTime } from "../grpc/reading-cache.ts";
import type { QueryPatterns } from "../grpc/service.ts";
import { createReadingWriter } from "../reading-writer.ts";
import { handleAlone } from "../stream/messages.ts";

/** A reading: its series, where it is, and its time. */
export interface LastReading {
  readonly series: Series | undefined;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly time: ReadingTime;
}

// Of a page, as of collectd_exporter: no more than the memory of a large fleet.
const ofPage = { maxSeries: 1_000_000, maxBytes: 1024 * 1024 * 1024 };
const everything = { host: "*", plugin: "*", plugin_instance: "*", type: "*", type_instance: "*" };

/** Keeps the last reading of each series, for `QueryValues` and for a page of OpenMetrics. */
export function createLastReadings(now: () => Date, hasPage = false) {
  const cache = createReadingCache({ now, ...(hasPage && ofPage) });
  const series: Series[] = [];
  return {
    /** A series of the decoder, when it is new. */
    added: (entry: number, fields: Fields) => {
      series[entry] = seriesOf(fields);
    },
    /** That series; later, its entry may be of another one. */
    series: (entry: number) => series[entry],
    keep: ({ series: one, bytes, start, end, time }: LastReading) => {
      if (one !== undefined) cache.keep(one, bytes.subarray(start, end), time);
    },
    query: (patterns: QueryPatterns) => cache.query(patterns),
    /** The readings that are not older than two of their intervals. */
    page: async () => {
      const pieces: Buffer[] = [];
      const sink = { write: (bytes: Uint8Array) => void pieces.push(Buffer.from(bytes)), drained: () => undefined };
      const writer = createReadingWriter(sink, { format: createOpenMetricsPrinter, utc: true, lenient: true });
      // Those that it has no form for are not shown.
      handleAlone(writer.handle, cache.query(everything), () => {});
      await writer.end();
      return Buffer.concat(pieces).toString();
    },
  };
}
