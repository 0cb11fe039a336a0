import { readingCsv } from "../../src/metrics/formats/csv.ts";
import { readingJson } from "../../src/metrics/formats/json.ts";
import { readingPutval, Unrepresentable } from "../../src/metrics/formats/putval.ts";
import { textPrinter } from "../../src/metrics/formats/text.ts";
import { decodeReading, type Reading } from "../../src/metrics/reading/codec.ts";
import { createReadingWriter, type ReadingFormat, readingFormats } from "../../src/metrics/reading-writer.ts";
import { slack } from "../../src/metrics/wire/block.ts";
import { WireFault } from "../../src/metrics/wire/fields.ts";
import { dataBytes, delimitedMessages, edgeCases } from "./data.ts";
import { makeReading } from "./make-reading.ts";
import { mutate, randomFrom, rearrange } from "./mutate.ts";
import { oracle, oracleSupports } from "./oracle.ts";

/** Two decoders that do not agree on a message. */
export interface Difference {
  readonly what: string;
  readonly hex: string;
  readonly one: string;
  readonly other: string;
}

/** The text that a way of decoding makes of a message, or `refused`. */
export type MessagePrinter = (bytes: Uint8Array) => string;

export const refused = "refused";

/** The way of the command: fast where it can, generic where it must. */
export async function commandPrinter(
  format: ReadingFormat,
  genericOnly: boolean,
  lenient = false,
): Promise<MessagePrinter> {
  let printed = "";
  const sink = {
    write: (bytes: Uint8Array) => {
      printed += Buffer.from(bytes).toString();
    },
    drained: () => undefined,
  };
  const writer = createReadingWriter(sink, { format, lenient, utc: true, genericOnly });
  await writer.loadDecoder();
  await writer.flush();
  return (bytes) => {
    printed = "";
    // Rubbish behind the message: nothing may be read from there.
    const padded = new Uint8Array(bytes.length + slack).fill(0x0a);
    padded.set(bytes);
    try {
      writer.handle(padded, new DataView(padded.buffer), 0, bytes.length);
    } catch (error) {
      if (error instanceof WireFault) return refused;
      throw error;
    }
    void writer.flush();
    return printed;
  };
}

/** The independent decoder. */
export function oraclePrinter(): MessagePrinter {
  const decode = oracle();
  return (bytes) => {
    try {
      return `${decode(bytes)}\n`;
    } catch {
      return refused;
    }
  };
}

/** The generic decoder alone. */
export function genericNdjson(bytes: Uint8Array): string {
  return plainText(plainReading(bytes), (reading) => `${readingJson(reading)}\n`);
}

/** The text of a message in every format by ts-proto's decoder and the format's own function: nothing of the fast way. */
export function plainPrinters(): (bytes: Uint8Array) => Readonly<Record<ReadingFormat, string>> {
  const text = textPrinter({ utc: true });
  let items = 0;
  return (bytes) => {
    const reading = plainReading(bytes);
    const item = plainText(reading, readingJson);
    if (item !== refused) items += 1;
    return {
      ndjson: item === refused ? refused : `${item}\n`,
      json: item === refused ? refused : `${items === 1 ? "[\n" : ",\n"}${item}`,
      csv: plainText(reading, readingCsv),
      putval: plainText(reading, readingPutval),
      text: plainText(reading, text),
    };
  };
}

function plainReading(bytes: Uint8Array): Reading | undefined {
  try {
    return decodeReading(bytes, 0, bytes.length, { lenient: false });
  } catch (error) {
    if (error instanceof WireFault) return undefined;
    throw error;
  }
}

function plainText(reading: Reading | undefined, print: (reading: Reading) => string): string {
  if (reading === undefined) return refused;
  try {
    return print(reading);
  } catch (error) {
    if (error instanceof Unrepresentable) return refused;
    throw error;
  }
}

/** Compares all printers of the command with `plainPrinters`; returns the formats that differ on a message. */
export async function comparePrinters(): Promise<(bytes: Uint8Array) => readonly Omit<Difference, "hex">[]> {
  const ways = await Promise.all(
    readingFormats.map(async (format) => ({ format, way: await commandPrinter(format, false) })),
  );
  const plain = plainPrinters();
  return (bytes) => {
    const expected = plain(bytes);
    return ways.flatMap(({ format, way }) => {
      const one = way(bytes);
      const other = expected[format];
      return one === other ? [] : [{ what: `fast and plain ${format}`, one, other }];
    });
  };
}

/** What mutations begin with: real readings of every kind, and the edge cases. */
export function corpus(): Uint8Array[] {
  const captured = delimitedMessages(dataBytes("collectd-5.12.delimited.bin"));
  const kinds = captured.filter((_, index) => index < 400 || index % 40 === 0);
  return [...kinds, ...edgeCases().map(({ hex }) => Buffer.from(hex, "hex"))].filter((bytes) => bytes.length > 0);
}

/**
 * Puts `count` messages to every way, and returns the first differences. A third are readings made with long texts and
 * padded varints; the others are real readings and those, mutated and rearranged.
 */
export async function fuzz(seed: number, count: number): Promise<{ differences: Difference[]; accepted: number }> {
  const random = randomFrom(seed);
  const messages = corpus();
  const compare = await comparePrinters();
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
    if (expected !== refused) accepted += 1;
    // The independent decoder takes much that is malformed, and misreads known fields with another wire type; so it is
    // asked about what we take.
    if (expected === refused || !oracleSupports(bytes)) continue;
    const theirs = independent(bytes);
    if (!sameJson(theirs, expected))
      differences.push({ what: "generic and protobuf-es", hex, one: expected, other: theirs });
  }
  return { differences, accepted };
}

/** Equal as values: the order of metadata is free, and protobuf-es keeps it in an object. */
export function sameJson(one: string, other: string): boolean {
  if (one === other) return true;
  if (one === refused || other === refused) return false;
  return stable(JSON.parse(one)) === stable(JSON.parse(other));
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (Object.is(inner, -0)) return "-0";
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.entries(inner).sort(([first], [second]) => (first < second ? -1 : 1));
  });
}
