import { Failure } from "../failure/failure.ts";
import { createDecoder, type DecoderOptions } from "./decode/decoder.ts";
import { createCsvPrinter } from "./formats/csv.ts";
import { createInfluxPrinter } from "./formats/influx.ts";
import { createJsonPrinter } from "./formats/json.ts";
import { createOutput, type Output } from "./formats/output.ts";
import { faultOf, type Printer, Unrepresentable } from "./formats/printer.ts";
import { createPutvalPrinter } from "./formats/putval.ts";
import { createTextPrinter } from "./formats/text.ts";
import type { Sink } from "./outputs.ts";
import type { AheadReadings } from "./series/ahead.ts";
import type { Rates } from "./series/rates.ts";
import type { Spans } from "./series/spans.ts";
import type { MessageHandler } from "./stream/messages.ts";

/** Output formats that print readings one by one. */
export const readingFormats = ["ndjson", "json", "csv", "putval", "text", "influx"] as const;
export type ReadingFormat = (typeof readingFormats)[number];

/** Options for writing readings. */
export interface WriterOptions extends Pick<DecoderOptions, "lenient" | "filter" | "timeRange"> {
  readonly format: ReadingFormat | ((out: Output) => Printer);
  /** For `text`: show times in UTC instead of local time. */
  readonly utc: boolean;
  /** Leaves out readings that are ahead of the clock. */
  readonly ahead?: AheadReadings | undefined;
  /** Replaces counters by rates. */
  readonly rates?: Rates | undefined;
  /** Replaces readings by those of spans. */
  readonly spans?: Spans | undefined;
  /** Stop after this many readings. */
  readonly count?: number | undefined;
}

/** Creates a writer. `handle` throws a `WireFault` for a bad message and for one that the format cannot represent. */
export function createReadingWriter(sink: Sink, options: WriterOptions) {
  const { lenient, filter, timeRange, ahead, rates, spans } = options;
  const count = options.count ?? Number.POSITIVE_INFINITY;
  const out = createOutput(sink);
  const printer = printerOf(out, options);
  const printed = { lenient, tail: printer.tail, added: printer.added };
  let written = 0;

  /** Writes the buffered output; returns a promise to wait for if the reader is slow. */
  function flush(): Promise<void> | undefined {
    out.at = out.send(out.at);
    return sink.drained();
  }

  const decoder = createDecoder({
    ...(spans === undefined ? printed : { lenient }),
    filter,
    timeRange,
    added: (entry, fields) => {
      ahead?.added(entry, fields);
      rates?.added(entry, fields);
      (spans ?? printer).added?.(entry, fields);
    },
  });
  const { fields, read } = decoder;

  const handle: MessageHandler = (bytes, view, start, end) => {
    const entry = read(bytes, view, start, end);
    if (entry < 0) return true;
    try {
      printer.checkTime?.(fields.time);
      if (ahead?.has(fields, entry) === true || rates?.push(fields, entry) === false) return true;
      if (spans === undefined) {
        printer.print(fields, decoder.tails, entry);
        written += 1;
      } else spans.push(fields, entry, printMessage);
    } catch (error) {
      throw faultOf(error, start);
    }
    return written < count;
  };

  /** Readings of spans are messages, which are decoded like any other. */
  const ofSpans = createDecoder({ ...printed, lenient: true });
  const printMessage: MessageHandler = (bytes, view, start, end) => {
    if (written >= count) return false;
    const entry = ofSpans.read(bytes, view, start, end);
    printer.checkTime?.(ofSpans.fields.time);
    printer.print(ofSpans.fields, ofSpans.tails, entry);
    written += 1;
    return true;
  };

  return {
    handle,
    flush,
    /** Writes the end of the document, and flushes. */
    end: () => {
      try {
        spans?.end(printMessage);
      } catch (error) {
        throw error instanceof Unrepresentable ? new Failure("bad_data", error.message) : error;
      }
      printer.end?.();
      return flush();
    },
    /** How many readings were written. */
    written: () => written,
    /** How many values the format has no form for, and were left out. */
    leftOut: () => printer.leftOut?.() ?? 0,
  };
}

function printerOf(out: Output, { format, utc }: WriterOptions): Printer {
  switch (format) {
    case "ndjson":
    case "json":
      return createJsonPrinter(out, format === "json");
    case "csv":
      return createCsvPrinter(out);
    case "putval":
      return createPutvalPrinter(out);
    case "text":
      return createTextPrinter(out, utc);
    case "influx":
      return createInfluxPrinter(out);
    default:
      return format(out);
  }
}
