import type { Fields } from "../decode/fields.ts";
import { type Series, seriesOf } from "../decode/series.ts";
import { createOpenMetricsPrinter } from "../formats/openmetrics.ts";
import { createReadingCache, type ReadingTime } from "../grpc/reading-cache.ts";
import { createReadingWriter } from "../reading-writer.ts";
import { handleAlone } from "../stream/messages.ts";

/** Where a reading is, and when it was taken. */
export interface ReadingRange {
  readonly start: number;
  readonly end: number;
  readonly time: ReadingTime;
}

/** The last reading of each series, as OpenMetrics. */
export interface LastReadings {
  /** A series of the decoder, when it is new. */
  readonly added: (entry: number, fields: Fields) => void;
  /** A reading of it. */
  readonly keep: (entry: number, bytes: Uint8Array, range: ReadingRange) => void;
  /** The readings that are not older than two of their intervals. */
  readonly page: () => Promise<string>;
}

// As collectd_exporter: no more than the memory of a large fleet.
const limits = { maxSeries: 1_000_000, maxBytes: 1024 * 1024 * 1024 };
const everything = { host: "*", plugin: "*", plugin_instance: "*", type: "*", type_instance: "*" };

/** Creates it, empty. */
export function createLastReadings(now: () => Date): LastReadings {
  const cache = createReadingCache({ now, ...limits });
  const series: Series[] = [];
  return {
    added: (entry, fields) => {
      series[entry] = seriesOf(fields);
    },
    keep: (entry, bytes, { start, end, time }) => {
      const one = series[entry];
      if (one !== undefined) cache.keep(one, bytes.subarray(start, end), time);
    },
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
