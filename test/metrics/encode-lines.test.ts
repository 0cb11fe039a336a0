import { expect, test } from "vitest";
import { randomFrom } from "../support/random.ts";
import { dataBytes, delimitedMessages } from "./data.ts";
import { genericNdjson } from "./differential.ts";
import { changedLine, compareEncoders, linePrinter, plainLine } from "./encode-differential.ts";

const lines = delimitedMessages(dataBytes("collectd-5.12.delimited.bin")).map((bytes) =>
  genericNdjson(bytes).trimEnd(),
);

test("encoding takes the fast path for captured readings, as lines and as items of an array", () => {
  const print = linePrinter();
  let left = 0;
  for (const line of lines) {
    const printed = print(Buffer.from(line));
    if (printed === undefined) left += 1;
    else expect([printed, print(Buffer.from(`${line},`))]).toEqual(Array(2).fill(plainLine(Buffer.from(line))));
  }
  // Those with metadata other than texts and booleans.
  expect(left).toBeLessThan(lines.length / 20);
});

test("both encoders agree on 20,000 changed lines", () => {
  const print = linePrinter();
  const random = randomFrom(20_261_122);
  let taken = 0;
  for (let index = 0; index < 20_000; index += 1) {
    const bytes = changedLine(lines[index % lines.length] ?? "", random);
    expect(compareEncoders(print, bytes)).toBeUndefined();
    if (print(bytes) !== undefined) taken += 1;
  }
  expect(taken).toBeGreaterThan(1000);
});

test.each([
  ["numbers", '{"values":[{"gauge":%s}],"time":"2026-01-01T00:00:00Z"}'],
  ["negative numbers", '{"values":[{"gauge":-%s}],"time":"2026-01-01T00:00:00Z"}'],
  ["integers", '{"values":[{"counter":"%s"},{"derive":"-%s"},{"absolute":"%s"}],"time":"2026-01-01T00:00:00Z"}'],
] as const)("%s of any length are encoded exactly", (_, form) => {
  const print = linePrinter();
  const random = randomFrom(3);
  for (let index = 0; index < 20_000; index += 1) {
    const number = numberText(form.includes("gauge"), random);
    const line = Buffer.from(form.replaceAll("%s", number));
    expect(compareEncoders(print, line)).toBeUndefined();
  }
});

function numberText(isGauge: boolean, random: () => number): string {
  const below = (limit: number) => Math.floor(random() * limit);
  const digits = Array.from({ length: 1 + below(21) }, () => below(10)).join("");
  if (!isGauge) return digits;
  const whole = random() < 0.9 ? digits.replace(/^0+(?=\d)/, "") : digits;
  const decimals = random() < 0.5 ? "" : `.${Array.from({ length: below(19) }, () => below(10)).join("")}`;
  return `${whole}${decimals}${random() < 0.2 ? `e${below(2) === 0 ? "-" : ""}${below(330)}` : ""}`;
}

test.each([
  ["two members of a name", '"interval":"5s","interval":"10s"', true],
  ["two maps of metadata", '"meta_data":{"a":{"bool_value":true}},"meta_data":{"b":{"bool_value":true}}', true],
  ["a time after the interval", '"interval":"10s","time":"2026-01-01T00:00:00Z"', true],
  ["metadata with a number for a name", '"meta_data":{"b":{"bool_value":true},"1":{"bool_value":false}}', true],
  ["an unknown member", '"other":1', true],
  ["an invalid interval", '"interval":"x"', true],
  [
    "usual members",
    '"interval":"10s","identifier":{"host":"h"},"ds_names":["a"],"meta_data":{"a":{"string_value":"b"}}',
    false,
  ],
])("leaves to the generic encoder what it does not know: %s", (_, members, isLeft) => {
  const line = Buffer.from(`{"values":[{"counter":"1"}],${members}}`);
  expect(linePrinter()(line) === undefined).toBe(isLeft);
  expect(compareEncoders(linePrinter(), line)).toBeUndefined();
});
