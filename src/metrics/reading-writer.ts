import { createCsvPrinter, createNdjsonPrinter, createPutvalPrinter } from "./fast/printers.ts";
import { createTextPrinter } from "./fast/text-printer.ts";
import { createTranscoder, outputFull, type Printer, useGeneric } from "./fast/transcoder.ts";
import { csvHeader, readingCsv } from "./formats/csv.ts";
import { readingInflux } from "./formats/influx.ts";
import { readingJson } from "./formats/json.ts";
import { readingPutval, Unrepresentable } from "./formats/putval.ts";
import { createSeriesColumn, textPrinter } from "./formats/text.ts";
import type { Sink } from "./outputs.ts";
import type { Reading } from "./reading/codec.ts";
import { inTimeRange, type TimeRange } from "./reading/select.ts";
import type { Transform } from "./series/transform.ts";
import { DecoderNotLoaded, type MessageHandler } from "./stream/messages.ts";
import { createBlock } from "./wire/block.ts";
import { WireFault } from "./wire/fields.ts";
import { utf8Bytes } from "./wire/text.ts";

/** Output formats that print readings one by one. */
export const readingFormats = ["ndjson", "json", "csv", "putval", "text", "influx"] as const;
export type ReadingFormat = (typeof readingFormats)[number];

/** Another output for readings, such as a file. */
export interface ReadingConsumer {
  readonly consume: (reading: Reading) => void;
  /** The text to print at the end. */
  readonly foot?: () => Iterable<string>;
}

/** Options for writing readings. */
export interface WriterOptions {
  readonly format: ReadingFormat | ReadingConsumer;
  readonly lenient: boolean;
  /** For `text`: show times in UTC instead of local time. */
  readonly utc: boolean;
  readonly filter?: ((reading: Reading) => boolean) | undefined;
  readonly timeRange?: TimeRange | undefined;
  /** Replaces the selected readings before they are written. */
  readonly transform?: Transform | undefined;
  /** Stop after this many readings. */
  readonly count?: number | undefined;
  /** Do not use the fast path; for tests. */
  readonly genericOnly?: boolean;
}

type DecodeReading = typeof import("./reading/codec.ts").decodeReading;

/** Writes the readings of all inputs of a command in one format. */
export interface ReadingWriter {
  readonly handle: MessageHandler;
  /** Loads the generic decoder, which most inputs do not need. Call it after `handle` throws `DecoderNotLoaded`. */
  readonly loadDecoder: () => Promise<void>;
  /** Writes the buffered output; returns a promise to wait for if the reader is slow. */
  readonly flush: () => Promise<void> | undefined;
  /** Writes the end of the document, and flushes. */
  readonly end: () => Promise<void> | undefined;
}

interface FormatParts {
  readonly text: (reading: Reading) => string;
  readonly printer?: () => Printer;
  readonly head?: string;
  readonly foot?: () => Iterable<string>;
}

const outputCapacity = 256 * 1024;

/** Creates a writer. `handle` throws a `WireFault` for a bad message and for one that the format cannot represent. */
export function createReadingWriter(sink: Sink, options: WriterOptions): ReadingWriter {
  const { lenient, filter, timeRange, transform } = options;
  const genericOnly = options.genericOnly === true || transform !== undefined;
  const count = options.count ?? Number.POSITIVE_INFINITY;
  const parts = partsOf(options);
  const array = options.format === "json";
  const rule = { lenient };
  // Read these from the import once instead of for each message.
  const [needsGeneric, isOutputFull] = [useGeneric, outputFull];
  let decodeReading: DecodeReading | undefined;
  const loadDecoder = async () => {
    ({ decodeReading } = await import("./reading/codec.ts"));
  };
  const decode = (bytes: Uint8Array, start: number, end: number) => {
    if (decodeReading === undefined) throw new DecoderNotLoaded();
    return decodeReading(bytes, start, end, rule);
  };
  const printer = genericOnly ? undefined : parts.printer?.();
  const transcode = printer && createTranscoder({ printer, decode, filter, timeRange });
  const out = createBlock(outputCapacity);
  let at = 0;
  let written = 0;
  put(utf8Bytes(parts.head ?? ""));

  function send(): void {
    if (at > 0) sink.write(out.bytes.subarray(0, at));
    at = 0;
  }

  function put(bytes: Uint8Array): void {
    if (bytes.length > out.capacity - at) send();
    if (bytes.length > out.capacity) sink.write(bytes);
    else {
      out.bytes.set(bytes, at);
      at += bytes.length;
    }
  }

  /** In an array, each item is written without its line end, and preceded by a bracket or comma. */
  function separate(): void {
    if (array) put(utf8Bytes(written === 0 ? "[\n" : ",\n"));
  }

  function slow(bytes: Uint8Array, start: number, end: number): void {
    const reading = decode(bytes, start, end);
    if (!inTimeRange(reading, timeRange) || filter?.(reading) === false) return;
    if (transform === undefined) write(reading, start);
    else for (const one of transform.push(reading)) write(one, start);
  }

  function write(reading: Reading, start: number): void {
    let text: string;
    try {
      text = parts.text(reading);
    } catch (error) {
      if (error instanceof Unrepresentable) throw new WireFault(start, error.message);
      throw error;
    }
    separate();
    put(utf8Bytes(array ? text.slice(0, -1) : text));
    written += 1;
  }

  const handle: MessageHandler = (bytes, view, start, end) => {
    if (transcode === undefined) {
      slow(bytes, start, end);
      return written < count;
    }
    // Reserve two bytes for the separator of array items.
    const room = array ? 2 : 0;
    let next = transcode(bytes, view, start, end, out, at + room);
    if (next === isOutputFull) {
      send();
      next = transcode(bytes, view, start, end, out, at + room);
    }
    if (next === needsGeneric || next === isOutputFull) slow(bytes, start, end);
    else if (next > at + room) {
      if (array) {
        separate();
        next -= 1;
      }
      at = next;
      written += 1;
    }
    return written < count;
  };

  const flush = () => {
    send();
    return sink.drained();
  };

  const end = () => {
    if (transform !== undefined) for (const reading of transform.end()) if (written < count) write(reading, 0);
    if (parts.foot !== undefined) for (const text of parts.foot()) put(utf8Bytes(text));
    if (array) put(utf8Bytes(written === 0 ? "[]\n" : "\n]\n"));
    return flush();
  };
  return { handle, loadDecoder, flush, end };
}

function partsOf({ format, utc }: WriterOptions): FormatParts {
  if (typeof format === "object") {
    const text = (reading: Reading) => {
      format.consume(reading);
      return "";
    };
    return { text, ...(format.foot && { foot: format.foot }) };
  }
  switch (format) {
    case "ndjson":
    case "json":
      return { text: (reading) => `${readingJson(reading)}\n`, printer: createNdjsonPrinter };
    case "csv":
      return { text: readingCsv, printer: createCsvPrinter, head: csvHeader };
    case "putval":
      return { text: readingPutval, printer: createPutvalPrinter };
    case "text": {
      const layout = { utc, column: createSeriesColumn() };
      return { text: textPrinter(layout), printer: () => createTextPrinter(layout) };
    }
    case "influx":
      return { text: readingInflux };
  }
}
