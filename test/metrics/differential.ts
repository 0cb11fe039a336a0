import { Unrepresentable } from "../../src/metrics/formats/printer.ts";
import type { Reading } from "../../src/metrics/reading/codec.ts";
import {
  createReadingWriter,
  type ReadingFormat,
  readingFormats,
  type WriterOptions,
} from "../../src/metrics/reading-writer.ts";
import { slack } from "../../src/metrics/wire/block.ts";
import { WireFault } from "../../src/metrics/wire/fields.ts";
import { randomFrom } from "../support/random.ts";
import { dataBytes, delimitedMessages, edgeCases } from "./data.ts";
import { decodeReading } from "./decode-reading.ts";
import { changedLine, encodedText, spaced } from "./encode-differential.ts";
import { makeReading } from "./make-reading.ts";
import { mutate, rearrange } from "./mutate.ts";
import { oracle, oracleSupports } from "./oracle.ts";
import { readingCsv } from "./plain/csv.ts";
import { readingInflux } from "./plain/influx.ts";
import { readingJson } from "./plain/json.ts";
import { readingPutval } from "./plain/putval.ts";
import { textPrinter } from "./plain/text.ts";

/** A message for which two decoders give different output. */
export interface Difference {
  readonly what: string;
  readonly hex: string;
  readonly one: string;
  readonly other: string;
}

/** Prints a message, or returns `rejected`. */
export type MessagePrinter = (bytes: Uint8Array) => string;

export const rejected = "rejected";

type PrinterOptions = Partial<Pick<WriterOptions, "lenient" | "utc" | "filter">>;

/** The printer of the command. */
export function commandPrinter(
  format: ReadingFormat,
  { lenient = false, utc = true, filter }: PrinterOptions = {},
): MessagePrinter {
  let printed = "";
  const sink = {
    write: (bytes: Uint8Array) => {
      printed += Buffer.from(bytes).toString();
    },
    drained: () => undefined,
  };
  const writer = createReadingWriter(sink, { format, lenient, utc, filter });
  void writer.flush();
  return (bytes) => {
    printed = "";
    // The bytes after the message must not affect the output.
    const padded = new Uint8Array(bytes.length + slack).fill(0x0a);
    padded.set(bytes);
    try {
      writer.handle(padded, new DataView(padded.buffer), 0, bytes.length);
    } catch (error) {
      if (error instanceof WireFault) return rejected;
      throw error;
    }
    void writer.flush();
    return printed;
  };
}

/** The printer of the independent decoder. */
export function oraclePrinter(): MessagePrinter {
  const decode = oracle();
  return (bytes) => {
    try {
      return `${decode(bytes)}\n`;
    } catch {
      return rejected;
    }
  };
}

/** Prints NDJSON with ts-proto's decoder. */
export const genericNdjson: MessagePrinter = plainPrinter("ndjson");

/** Prints messages with ts-proto's decoder, from objects. */
export function plainPrinter(
  format: ReadingFormat,
  { lenient = false, utc = true, filter }: PrinterOptions = {},
): MessagePrinter {
  const text = textPrinter({ utc });
  let items = 0;
  const print = {
    ndjson: (reading: Reading) => `${readingJson(reading)}\n`,
    json: (reading: Reading) => {
      items += 1;
      return `${items === 1 ? "[\n" : ",\n"}${readingJson(reading)}`;
    },
    csv: readingCsv,
    putval: readingPutval,
    text,
    influx: readingInflux,
  }[format];
  return (bytes) => {
    const strict = plainReading(bytes, lenient);
    // What is not selected may have strings that are not UTF-8.
    const reading = strict ?? (filter === undefined ? undefined : plainReading(bytes, true));
    if (strict === undefined && reading !== undefined && filter?.(reading) !== false) return rejected;
    return reading !== undefined && filter?.(reading) === false ? "" : plainText(reading, print);
  };
}

function plainReading(bytes: Uint8Array, lenient: boolean): Reading | undefined {
  try {
    return decodeReading(bytes, 0, bytes.length, { lenient });
  } catch (error) {
    if (error instanceof WireFault) return undefined;
    throw error;
  }
}

function plainText(reading: Reading | undefined, print: (reading: Reading) => string): string {
  if (reading === undefined) return rejected;
  try {
    return print(reading);
  } catch (error) {
    if (error instanceof Unrepresentable) return rejected;
    throw error;
  }
}

/** Compares all printers of the command with plain ones, and returns the differences for a message. */
export function comparePrinters(): (bytes: Uint8Array) => readonly Omit<Difference, "hex">[] {
  const printers = readingFormats.map((format) => {
    return { format, print: commandPrinter(format), plain: plainPrinter(format) };
  });
  return (bytes) =>
    printers.flatMap(({ format, print, plain }) => {
      const [one, other] = [print(bytes), plain(bytes)];
      return one === other ? [] : [{ what: `${format} of the command and plain`, one, other }];
    });
}

/** The messages to mutate: captured readings of all types, and the edge cases. */
export function corpus(): Uint8Array[] {
  const captured = delimitedMessages(dataBytes("collectd-5.12.delimited.bin"));
  const kinds = captured.filter((_, index) => index < 400 || index % 40 === 0);
  return [...kinds, ...edgeCases().map(({ hex }) => Buffer.from(hex, "hex"))].filter((bytes) => bytes.length > 0);
}

/**
 * Compares all decoders on `count` messages, and all encoders on their JSON, and returns the first differences. A third
 * are generated readings with long strings and padded varints; the others are mutated and rearranged.
 */
export function fuzz(seed: number, count: number): { differences: Difference[]; accepted: number } {
  const random = randomFrom(seed);
  const messages = corpus();
  const compare = comparePrinters();
  const independent = oraclePrinter();
  const differences: Difference[] = [];
  let accepted = 0;
  const pick = () =>
    random() < 0.1 ? makeReading(random) : (messages[Math.floor(random() * messages.length)] ?? new Uint8Array());
  for (let index = 0; index < count && differences.length < 10; index += 1) {
    const turn = random() * 3;
    const bytes =
      turn < 1 ? makeReading(random) : turn < 2 ? mutate(pick(), pick(), random) : rearrange(pick(), pick(), random);
    const hex = Buffer.from(bytes).toString("hex");
    differences.push(...compare(bytes).map((difference) => ({ ...difference, hex })));
    const expected = genericNdjson(bytes);
    if (expected !== rejected) {
      accepted += 1;
      const line = expected.trimEnd();
      for (const text of [line, changedLine(line, random)]) {
        const [one, other] = [encodedText(text), encodedText(spaced(text))];
        if (one !== other && !one.includes(":"))
          differences.push({ what: `encoding with and without spaces of ${text}`, hex, one, other });
      }
    }
    // The independent decoder accepts many malformed messages, and misreads known fields with another wire type, so only
    // compare messages that we accept.
    if (expected === rejected || !oracleSupports(bytes)) continue;
    const theirs = independent(bytes);
    if (!sameJson(theirs, expected))
      differences.push({ what: "generic and protobuf-es", hex, one: expected, other: theirs });
  }
  return { differences, accepted };
}

/** Whether two JSON texts are equal as values; the order of metadata may differ. */
export function sameJson(one: string, other: string): boolean {
  if (one === other) return true;
  if (one === rejected || other === rejected) return false;
  return stable(JSON.parse(one)) === stable(JSON.parse(other));
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (Object.is(inner, -0)) return "-0";
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.entries(inner).sort(([first], [second]) => (first < second ? -1 : 1));
  });
}
