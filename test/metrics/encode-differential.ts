import { readingFromJson } from "../../src/metrics/encode/from-json.ts";
import { createLineEncoder } from "../../src/metrics/encode/line-encoder.ts";
import { TextFault } from "../../src/metrics/encode/pieces.ts";
import { frameHead } from "../../src/metrics/framing/framing.ts";
import { encodeReading } from "../../src/metrics/reading/codec.ts";
import { createBlock, slack } from "../../src/metrics/wire/block.ts";

const rejected = "rejected";

/** Encodes a line on the fast path; undefined if it leaves the line to the generic path. */
export type LinePrinter = (line: Uint8Array) => string | undefined;

/** Creates an encoder of lines with its own cache. */
export function linePrinter(): LinePrinter {
  const encode = createLineEncoder("delimited");
  const out = createBlock(256 * 1024);
  return (line) => {
    // What comes after the line feed must not affect the output.
    const padded = new Uint8Array(line.length + slack).fill(0x7d);
    padded.set(line);
    padded[line.length] = 0x0a;
    const end = encode(padded, new DataView(padded.buffer), 0, line.length, out, 0);
    return end < 0 ? undefined : Buffer.from(out.bytes.subarray(0, end)).toString("hex");
  };
}

/** Encodes a line with ts-proto's encoder. */
export function plainLine(line: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(line).replace(/,$/, "");
    const message = encodeReading(readingFromJson(text));
    return Buffer.concat([frameHead("delimited", message.length), message]).toString("hex");
  } catch (error) {
    if (error instanceof TextFault || error instanceof TypeError) return rejected;
    throw error;
  }
}

const pieces = [
  ...['"', "\\", "{", "}", "[", "]", ",", ":", "-", ".", "e", "E+5", "0", "9", "1", " ", "\n", "null", "true"],
  ...['"NaN"', '"Infinity"', '"-Infinity"', "18446744073709551615", "18446744073709551616", "-9223372036854775808"],
  ...["-9223372036854775809", "0.1", "1e400", "1e22", "123456789012345678", '"time"', '"values"', '"host"', "\\u0041"],
  ...['"interval":"5s",', '"time":null,', '"meta_data":{"a":{"bool_value":true}},', '"values":[],', "ü", "\u0000"],
  ...["\\udc80", '"value_list"', "plugin_instance", "pluginInstance", ".123456789", ".1234567891", "Z", "+01:00", "99"],
];

/** A line with one to three changes. */
export function changedLine(line: string, random: () => number): Uint8Array {
  const below = (limit: number) => Math.floor(random() * limit);
  let text = line;
  for (let change = 1 + below(3); change > 0; change -= 1) {
    const at = below(text.length + 1);
    const length = random() < 0.5 ? 0 : 1 + below(random() < 0.8 ? 2 : 20);
    const piece = random() < 0.2 ? text.slice(at, at + below(40)) : (pieces[below(pieces.length)] ?? "");
    text = text.slice(0, at) + (random() < 0.3 ? "" : piece) + text.slice(at + length);
  }
  const bytes = Buffer.from(text);
  if (random() < 0.05 && bytes.length > 0) bytes[below(bytes.length)] = 0x80 + below(128);
  return bytes;
}

/** Compares both encoders; undefined if they agree, or if the fast one leaves the line to the other. */
export function compareEncoders(print: LinePrinter, line: Uint8Array) {
  const one = print(line);
  if (one === undefined) return undefined;
  const other = plainLine(line);
  return one === other ? undefined : { what: `fast and plain encoding of ${Buffer.from(line)}`, one, other };
}
