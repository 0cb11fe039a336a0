import { createCsvPrinter, createNdjsonPrinter, createPutvalPrinter } from "./fast/printers.ts";
import { createTranscoder, outputFull, type Printer, useGeneric } from "./fast/transcoder.ts";
import { csvHeader, readingCsv } from "./formats/csv.ts";
import { readingJson } from "./formats/json.ts";
import { readingPutval, Unrepresentable } from "./formats/putval.ts";
import { textPrinter } from "./formats/text.ts";
import type { Sink } from "./outputs.ts";
import type { Reading } from "./reading/codec.ts";
import { inTimeRange, type TimeRange } from "./reading/select.ts";
import { DecoderNotLoaded, type MessageHandler } from "./stream/messages.ts";
import { createBlock } from "./wire/block.ts";
import { WireFault } from "./wire/fields.ts";
import { utf8Bytes } from "./wire/text.ts";

/** The forms that readings can be written in. */
export const readingFormats = ["ndjson", "json", "csv", "putval", "text"] as const;
export type ReadingFormat = (typeof readingFormats)[number];

/** What is written, and how. */
export interface WriterOptions {
  readonly format: ReadingFormat;
  readonly lenient: boolean;
  /** For `text`: times in UTC instead of local time. */
  readonly utc: boolean;
  readonly filter?: ((reading: Reading) => boolean) | undefined;
  readonly timeRange?: TimeRange | undefined;
  /** Stop after this many. */
  readonly count?: number | undefined;
  /** Leave the fast way out; for comparing the two. */
  readonly genericOnly?: boolean;
}

type DecodeReading = typeof import("./reading/codec.ts").decodeReading;

/** Writes readings in one format, from all inputs of a command together. */
export interface ReadingWriter {
  readonly handle: MessageHandler;
  /** Loads the generic way, after `handle` has thrown `DecoderNotLoaded`. The fast way alone is enough for most inputs. */
  readonly loadDecoder: () => Promise<void>;
  /** Sends what has gathered; returns something to wait for when the other side is slow. */
  readonly flush: () => Promise<void> | undefined;
  /** Writes what the format has at its end, and flushes. */
  readonly end: () => Promise<void> | undefined;
}

interface FormatParts {
  readonly text: (reading: Reading) => string;
  readonly printer?: () => Printer;
  readonly head?: string;
}

const outputCapacity = 256 * 1024;

/** A writer to a sink. Its `handle` throws a `WireFault` for a message that is bad, or that the format cannot say. */
export function createReadingWriter(sink: Sink, options: WriterOptions): ReadingWriter {
  const { lenient, filter, timeRange, genericOnly = false } = options;
  const count = options.count ?? Number.POSITIVE_INFINITY;
  const parts = partsOf(options);
  const array = options.format === "json";
  const rule = { lenient };
  // Taken out of the import once, not at every message.
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

  /** An array's brackets and commas go before each item, in place of the line end behind the one before. */
  function separate(): void {
    if (array) put(utf8Bytes(written === 0 ? "[\n" : ",\n"));
  }

  function slow(bytes: Uint8Array, start: number, end: number): void {
    const reading = decode(bytes, start, end);
    if (!inTimeRange(reading, timeRange) || filter?.(reading) === false) return;
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
    // Two bytes stay free for what separates the items of an array.
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
    if (array) put(utf8Bytes(written === 0 ? "[]\n" : "\n]\n"));
    return flush();
  };
  return { handle, loadDecoder, flush, end };
}

function partsOf({ format, utc }: WriterOptions): FormatParts {
  switch (format) {
    case "ndjson":
    case "json":
      return { text: (reading) => `${readingJson(reading)}\n`, printer: createNdjsonPrinter };
    case "csv":
      return { text: readingCsv, printer: createCsvPrinter, head: csvHeader };
    case "putval":
      return { text: readingPutval, printer: createPutvalPrinter };
    case "text":
      return { text: textPrinter({ utc }) };
  }
}
