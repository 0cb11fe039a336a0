import { readingFromJson } from "../../src/metrics/encode/from-json.ts";
import { TextFault } from "../../src/metrics/encode/pieces.ts";
import { encodeReading } from "../../src/metrics/reading/codec.ts";

/** A text as a message in hexadecimal, or where and why there is none. */
export function encodedText(text: string): string {
  try {
    return Buffer.from(encodeReading(readingFromJson(text))).toString("hex");
  } catch (error) {
    if (error instanceof TextFault) return `${error.at}: ${error.message}`;
    throw error;
  }
}

/** The same JSON as other programs write it: with spaces, and integers that are numbers. */
export function spaced(text: string): string {
  const tokens = /"(?:[^"\\]|\\.)*"|[^"]/g;
  const numbers = text.replace(/(?<="(?:counter|derive|absolute)":)"(-?(?:0|[1-9]\d*))"/g, "$1");
  return numbers.replace(tokens, (token) => (token === ":" || token === "," ? `${token} ` : token));
}

const pieces = [
  ...['"', "\\", "{", "}", "[", "]", ",", ":", "-", ".", "e", "E+5", "0", "9", "1", " ", "\n", "null", "true"],
  ...['"NaN"', '"Infinity"', '"-Infinity"', "18446744073709551615", "18446744073709551616", "-9223372036854775808"],
  ...["-9223372036854775809", "0.1", "1e400", "1e22", "123456789012345678", '"time"', '"values"', '"host"', "\\u0041"],
  ...['"interval":"5s",', '"time":null,', '"meta_data":{"a":{"bool_value":true}},', '"values":[],', "ü", "\u0000"],
  ...["\\udc80", '"value_list"', "plugin_instance", "pluginInstance", ".123456789", ".1234567891", "Z", "+01:00", "99"],
];

/** A line with one to three changes. */
export function changedLine(line: string, random: () => number): string {
  const below = (limit: number) => Math.floor(random() * limit);
  let text = line;
  for (let change = 1 + below(3); change > 0; change -= 1) {
    const at = below(text.length + 1);
    const length = random() < 0.5 ? 0 : 1 + below(random() < 0.8 ? 2 : 20);
    const piece = random() < 0.2 ? text.slice(at, at + below(40)) : (pieces[below(pieces.length)] ?? "");
    text = text.slice(0, at) + (random() < 0.3 ? "" : piece) + text.slice(at + length);
  }
  return text;
}
