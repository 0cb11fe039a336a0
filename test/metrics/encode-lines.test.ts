import { parse } from "lossless-json";
import { expect, test } from "vitest";
import { TextError } from "../../src/metrics/encode/pieces.ts";
import { readText } from "../../src/metrics/encode/read-text.ts";
import { encodeReading } from "../../src/metrics/reading/codec.ts";
import { randomFrom } from "../support/random.ts";
import { dataBytes, delimitedMessages } from "./data.ts";
import { genericNdjson } from "./differential.ts";
import { changedLine, encodedText, spaced } from "./encode-differential.ts";

const messages = delimitedMessages(dataBytes("collectd-5.12.delimited.bin"));
const lines = messages.map((bytes) => genericNdjson(bytes).trimEnd());

test("what decode printed is encoded as the bytes that it was, with spaces and numbers, too", () => {
  for (const [index, line] of lines.entries()) {
    const hex = Buffer.from(messages[index] ?? []).toString("hex");
    // One of many, as text.
    const expected = line.includes('"NaN"') ? encodedText(line) : hex;
    expect([encodedText(line), encodedText(spaced(line))]).toEqual([expected, expected]);
  }
});

/** The readings in a text that comes in parts, and the error. */
async function readAll(bytes: Uint8Array, size: number): Promise<readonly string[]> {
  const found: string[] = [];
  let from = 0;
  const read = (into: Uint8Array, at: number, room: number) => {
    const part = bytes.subarray(from, from + Math.min(size, room));
    into.set(part, at);
    from += part.length;
    return part.length;
  };
  const onReading = (reading: Parameters<typeof encodeReading>[0]) =>
    void found.push(Buffer.from(encodeReading(reading)).toString("hex"));
  try {
    await readText({ read }, { types: undefined, now: () => 0 }, { onReading, onIdle: () => undefined });
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    found.push(`${error.position.line}:${error.position.column}: ${error.message}`);
  }
  return found;
}

test("lines, arrays and objects on several lines give the same in parts of any size, up to the first error", async () => {
  const some = lines
    .slice(0, 60)
    .map((line, index) => (index % 7 === 3 ? line.replace('"host":"', '"host":"ü€') : line));
  const pretty = some.map((line) => line.replaceAll(",", ",\r\n  ")).join("\n");
  const expected = some.map(encodedText);
  const forms = [some.join("\n"), `[\n${some.join(",\n")}\n]\n`, `[${some.join(",")}]`, pretty, some.join(" ")];
  for (const form of forms)
    for (const size of [1, 7, 1000, 1_000_000])
      for (const bad of ["", '\n{"values":[{"gauge":x}]}\n', '\n{"values":[{"other":1}]}', "\n\xff\n"]) {
        if (bad !== "" && (form.endsWith("\n") || form.startsWith("["))) continue;
        const found = await readAll(Buffer.concat([Buffer.from(form), Buffer.from(bad, "latin1")]), size);
        const line = form.split("\n").length + 1;
        expect(found.slice(0, some.length)).toEqual(expected);
        if (bad === "") expect(found).toHaveLength(some.length);
        else expect(found.at(-1)).toMatch(new RegExp(`^${line}:`));
      }
});

test("20,000 changed lines are read as JSON is, or refused with a place in them", () => {
  const random = randomFrom(20_261_122);
  let taken = 0;
  for (let index = 0; index < 20_000; index += 1) {
    const text = changedLine(lines[index % lines.length] ?? "", random);
    const found = encodedText(text);
    const [, at] = /^(\d+): /.exec(found) ?? [];
    if (at === undefined) {
      taken += 1;
      expect(() => parse(text, undefined, { onDuplicateKey: () => undefined }), text).not.toThrow();
    } else expect(Number(at)).toBeLessThanOrEqual(text.length);
    if (at === undefined) expect(encodedText(spaced(text)), text).toBe(found);
  }
  expect(taken).toBeGreaterThan(1000);
});

test("numbers of any length are encoded exactly, as numbers and as strings", () => {
  const random = randomFrom(3);
  const below = (limit: number) => Math.floor(random() * limit);
  const digits = (count: number) => Array.from({ length: count }, () => below(10)).join("");
  for (let index = 0; index < 20_000; index += 1) {
    const whole = `${below(2) === 0 ? "-" : ""}${digits(1 + below(21)).replace(/^0+(?=\d)/, "")}`;
    for (const kind of ["counter", "derive", "absolute"]) {
      const of = (number: string) => encodedText(`{"values":[{"${kind}":${number}}]}`);
      const [one, other] = [of(whole), of(`"${whole}"`)];
      if (!one.includes(":")) expect(BigInt(whole) >= -(2n ** 63n) && BigInt(whole) < 2n ** 64n).toBe(true);
      expect(one).toBe(other);
    }
    const decimals = below(2) === 0 ? "" : `.${digits(1 + below(19))}`;
    const number = `${whole}${decimals}${random() < 0.2 ? `e${below(2) === 0 ? "-" : ""}${below(330)}` : ""}`;
    const gauge = encodedText(`{"values":[{"gauge":${number}}]}`);
    const value = Buffer.alloc(8);
    value.writeDoubleLE(Number(number));
    if (Number.isFinite(Number(number))) expect(gauge, number).toBe(`0a0911${value.toString("hex")}`);
    else expect(gauge).toContain("is not a valid double");
  }
});
