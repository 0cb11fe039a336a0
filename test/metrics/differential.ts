import { slack } from "../../src/metrics/fast/block.ts";
import { readingJson } from "../../src/metrics/formats/json.ts";
import { decodeReading } from "../../src/metrics/reading/decode-reading.ts";
import { createReadingWriter, type ReadingFormat } from "../../src/metrics/reading-writer.ts";
import { WireFault } from "../../src/metrics/wire/fault.ts";
import { dataBytes, delimitedMessages, edgeCases } from "./data.ts";
import { mutate, randomFrom, rearrange } from "./mutate.ts";
import { oracle, oracleJudges } from "./oracle.ts";

/** Two decoders that do not agree on a message. */
export interface Difference {
  readonly what: string;
  readonly hex: string;
  readonly one: string;
  readonly other: string;
}

/** The text that a way of decoding makes of a message, or `refused`. */
export type Way = (bytes: Uint8Array) => string;

export const refused = "refused";

/** The way of the command: fast where it can, generic where it must. */
export async function commandWay(format: ReadingFormat, slowly: boolean, lenient = false): Promise<Way> {
  let printed = "";
  const sink = {
    write: (bytes: Uint8Array) => {
      printed += Buffer.from(bytes).toString();
    },
    settled: () => undefined,
  };
  const writer = createReadingWriter(sink, { format, lenient, utc: true, slowly });
  await writer.prepare();
  await writer.flush();
  return (bytes) => {
    printed = "";
    // Rubbish behind the message: nothing may be read from there.
    const padded = new Uint8Array(bytes.length + slack).fill(0x0a);
    padded.set(bytes);
    try {
      writer.take(padded, new DataView(padded.buffer), 0, bytes.length);
    } catch (error) {
      if (error instanceof WireFault) return refused;
      throw error;
    }
    void writer.flush();
    return printed;
  };
}

/** The independent decoder. */
export function oracleWay(): Way {
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
export function genericWay(bytes: Uint8Array): string {
  try {
    return `${readingJson(decodeReading(bytes, 0, bytes.length, { lenient: false }))}\n`;
  } catch (error) {
    if (error instanceof WireFault) return refused;
    throw error;
  }
}

/** What mutations begin with: real readings of every kind, and the edge cases. */
export function corpus(): Uint8Array[] {
  const captured = delimitedMessages(dataBytes("collectd-5.12.delimited.bin"));
  const kinds = captured.filter((_, index) => index < 400 || index % 40 === 0);
  return [...kinds, ...edgeCases().map(({ hex }) => Buffer.from(hex, "hex"))].filter((bytes) => bytes.length > 0);
}

/** Puts `count` mutated messages to every way, and returns the first differences. */
export async function fuzz(seed: number, count: number): Promise<{ differences: Difference[]; accepted: number }> {
  const random = randomFrom(seed);
  const messages = corpus();
  const fast = await Promise.all((["ndjson", "csv", "putval"] as const).map((format) => commandWay(format, false)));
  const slow = await Promise.all((["ndjson", "csv", "putval"] as const).map((format) => commandWay(format, true)));
  const independent = oracleWay();
  const differences: Difference[] = [];
  let accepted = 0;
  const pick = () => messages[Math.floor(random() * messages.length)] ?? new Uint8Array();
  for (let index = 0; index < count && differences.length < 10; index += 1) {
    const bytes = random() < 0.5 ? mutate(pick(), pick(), random) : rearrange(pick(), pick(), random);
    const hex = Buffer.from(bytes).toString("hex");
    const expected = genericWay(bytes);
    if (expected !== refused) accepted += 1;
    const compare = (what: string, one: string, other: string) => {
      if (one !== other) differences.push({ what, hex, one, other });
    };
    compare("fast and generic NDJSON", fast[0]?.(bytes) ?? "", expected);
    // One of the other formats each time is enough to meet every case in all of them.
    const turn = 1 + (index % 2);
    compare("fast and generic rows", fast[turn]?.(bytes) ?? "", slow[turn]?.(bytes) ?? "");
    // The independent decoder takes much that is malformed, and misreads known fields with another wire type; so it is
    // asked about what we take.
    if (expected === refused || !oracleJudges(bytes)) continue;
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
