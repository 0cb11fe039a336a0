import { describe, expect, test } from "vitest";
import { readingOf } from "../../src/metrics/decode/reading.ts";
import { createTailCache } from "../../src/metrics/decode/tail-cache.ts";
import { createOpenMetricsPrinter } from "../../src/metrics/formats/openmetrics.ts";
import { Unrepresentable } from "../../src/metrics/formats/printer.ts";
import { writeDouble, writeSigned, writeUnsigned } from "../../src/metrics/formats/write.ts";
import type { Reading } from "../../src/metrics/reading/codec.ts";
import { identityFilter } from "../../src/metrics/reading/select.ts";
import { createReadingWriter, readingFormats } from "../../src/metrics/reading-writer.ts";
import { readValues } from "../../src/metrics/series/samples.ts";
import { createBlock, slack } from "../../src/metrics/wire/block.ts";
import { WireFault } from "../../src/metrics/wire/fields.ts";
import { randomFrom } from "../support/random.ts";
import { dataBytes, delimitedMessages, edgeCases } from "./data.ts";
import { decodeReading } from "./decode-reading.ts";
import { messageDecoder } from "./decoded.ts";
import { commandPrinter, corpus, plainPrinter, rejected } from "./differential.ts";
import { makeReading } from "./make-reading.ts";
import { mutate, rearrange } from "./mutate.ts";
import { createOpenMetrics } from "./plain/openmetrics.ts";
import { encodeFields } from "./wire.ts";

const captured = delimitedMessages(dataBytes("collectd-5.12.delimited.bin"));
const strange = delimitedMessages(dataBytes("collectd-5.12.invalid-utf8.delimited.bin"));
const edges = edgeCases().map(({ hex }) => Buffer.from(hex, "hex"));

describe("what is printed", () => {
  test.each(readingFormats)("is the same %s as from an object of ts-proto's decoder", (format) => {
    for (const lenient of [false, true]) {
      const [print, plain] = [commandPrinter(format, { lenient }), plainPrinter(format, { lenient })];
      for (const bytes of [...captured, ...strange, ...edges]) expect(print(bytes)).toBe(plain(bytes));
    }
  });

  test.each([
    { host: ["edge-0?*"] },
    { plugin: ["[a-f]*", "[g-l]*"] },
    { plugin_instance: [""] },
    { type: ["*i*"], type_instance: ["*s*"] },
  ])("selects the same readings by %o, and rejects the same", (patterns) => {
    const filter = identityFilter(patterns);
    const random = randomFrom(5);
    const made = Array.from({ length: 2000 }, () => makeReading(random));
    for (const format of ["ndjson", "csv"] as const) {
      const [print, plain] = [commandPrinter(format, { filter }), plainPrinter(format, { filter })];
      const printed = [...captured, ...strange, ...edges, ...made].map((bytes) => {
        const text = print(bytes);
        expect(text).toBe(plain(bytes));
        return text;
      });
      expect(printed).toContain("");
      expect(printed.filter((text) => text !== "" && text !== rejected).length).toBeGreaterThan(10);
    }
  });

  test("is the same text in local time, with columns that grow", () => {
    const [print, plain] = [commandPrinter("text", { utc: false }), plainPrinter("text", { utc: false })];
    const widths = new Set<number>();
    for (const bytes of captured.toSorted((one, other) => one.length - other.length)) {
      const printed = print(bytes);
      expect(printed).toBe(plain(bytes));
      widths.add(printed.search(/ {2}\S+=/));
    }
    expect(widths.size).toBeGreaterThan(3);
  });

  test("is the same with more series than the cache holds at first, in turn and in any order", () => {
    const [print, plain] = [commandPrinter("csv"), plainPrinter("csv")];
    const random = randomFrom(7);
    const tails = Array.from({ length: 20_000 }, (_, index) => tailOf(`t${index}`));
    const value = encodeFields([{ number: 1, content: [{ number: 3, content: 5n }] }]);
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < tails.length; index += 1) {
        const tail = tails[round < 2 ? index : Math.floor(random() * tails.length)] ?? value;
        const bytes = Buffer.concat([value, tail]);
        const printed = print(bytes);
        if (index % 50 === 0) expect(printed).toBe(plain(bytes));
        else expect(printed.includes(round < 2 ? `,t${index},` : ",h,")).toBe(true);
      }
    }
  });

  test.each(readingFormats)("is the same %s for a reading that is larger than the output in memory", (format) => {
    const [print, plain] = [commandPrinter(format), plainPrinter(format)];
    const value = encodeFields([{ number: 1, content: [{ number: 2, content: { double: 0.1 } }] }]);
    const many = Buffer.concat([...Array.from({ length: 30_000 }, () => value), tailOf("t")]);
    const long = Buffer.concat([value, tailOf("t".repeat(400_000))]);
    for (const bytes of [long, many, Buffer.concat([value, tailOf("t")])]) expect(print(bytes)).toBe(plain(bytes));
  });

  test("is the same for a message truncated at any size", () => {
    const [print, plain] = [commandPrinter("ndjson"), plainPrinter("ndjson")];
    const one = captured[0] ?? new Uint8Array();
    for (let size = 0; size <= one.length; size += 1)
      expect(print(one.subarray(0, size))).toBe(plain(one.subarray(0, size)));
  });
});

describe("the decoder", () => {
  test("reads what ts-proto's decoder reads from all captured readings and edge cases", () => {
    for (const bytes of [...captured, ...strange, ...edges]) expect(ours(bytes)).toEqual(theirs(bytes));
  });

  test("reads the same from 20,000 generated and mutated messages, or rejects them with the same sentence", () => {
    const random = randomFrom(11);
    const messages = corpus();
    const pick = () => messages[Math.floor(random() * messages.length)] ?? new Uint8Array();
    let faults = 0;
    for (let index = 0; index < 20_000; index += 1) {
      const turn = random() * 3;
      const bytes =
        turn < 1 ? makeReading(random) : turn < 2 ? mutate(pick(), pick(), random) : rearrange(pick(), pick(), random);
      const read = ours(bytes);
      expect(read).toEqual(theirs(bytes));
      if ("fault" in read) faults += 1;
    }
    expect(faults).toBeGreaterThan(1000);
  });

  test("keeps the last of many metadata entries with the same key, at the place of the first", () => {
    const entry = (key: string, text: string) => ({
      number: 6,
      content: [
        { number: 1, content: Buffer.from(key) },
        { number: 2, content: [{ number: 1, content: Buffer.from(text) }] },
      ],
    });
    const keys = Array.from({ length: 60 }, (_, index) => `key ${index % 40}`);
    const bytes = encodeFields(keys.map((key, index) => entry(key, `text ${index}`)));
    expect(ours(bytes)).toEqual(theirs(bytes));
    expect([...readingOf(decode(bytes)).meta_data.keys()]).toEqual(keys.slice(0, 40));
  });
});

function tailOf(type: string): Uint8Array {
  const parts = ["h", "p", "", type].map((text, index) => ({ number: index + 1, content: Buffer.from(text) }));
  return encodeFields([
    { number: 4, content: parts },
    { number: 5, content: Buffer.from("value") },
  ]);
}

const decode = messageDecoder();

function ours(bytes: Uint8Array) {
  return orFault(() => readingOf(decode(bytes)));
}

function theirs(bytes: Uint8Array) {
  return orFault(() => decodeReading(bytes, 0, bytes.length, { lenient: false }));
}

function orFault(read: () => Reading) {
  try {
    return { reading: read() };
  } catch (error) {
    if (error instanceof WireFault) return { fault: error.message, at: error.at };
    throw error;
  }
}

test("OpenMetrics is the same as from objects of ts-proto's decoder", () => {
  const random = randomFrom(13);
  const made = Array.from({ length: 2000 }, () => makeReading(random));
  const plain = createOpenMetrics();
  let printed = "";
  const sink = {
    write: (bytes: Uint8Array) => {
      printed += Buffer.from(bytes).toString();
    },
    drained: () => undefined,
  };
  const writer = createReadingWriter(sink, { format: createOpenMetricsPrinter, lenient: true, utc: true });
  /** Whether it was taken; what is refused has no effect on what is printed. */
  const isTaken = (add: () => unknown) => {
    try {
      add();
      return true;
    } catch (error) {
      if (error instanceof WireFault || error instanceof Unrepresentable) return false;
      throw error;
    }
  };
  for (const bytes of [...captured, ...strange, ...edges, ...made, ...captured.toReversed()]) {
    const padded = new Uint8Array(bytes.length + slack);
    padded.set(bytes);
    const expected = isTaken(() => plain.add(decodeReading(bytes, 0, bytes.length, { lenient: true })));
    const taken = isTaken(() => writer.handle(padded, new DataView(padded.buffer), 0, bytes.length));
    expect([taken, Buffer.from(bytes).toString("hex")]).toEqual([expected, expect.any(String)]);
  }
  void writer.end();
  expect(printed).toBe([...plain.print()].join(""));
});

test("values belong to their own series, also if readings are written in an unusual order", () => {
  const found: string[] = [];
  const handle = readValues(
    {
      sourceOf: ({ identifier }, { ds_name }) => `${identifier?.type} ${ds_name}`,
      value: (source) => found.push(source),
    },
    { lenient: false },
  );
  const value = encodeFields([{ number: 1, content: [{ number: 3, content: 5n }] }]);
  for (const type of ["a", "b", "a", "c"]) {
    const bytes = Buffer.concat([tailOf(type), value, value, Buffer.alloc(slack)]);
    handle(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length - slack);
  }
  expect(found).toEqual(["a", "b", "a", "c"].flatMap((type) => [`${type} value`, `${type} value_2`]));
});

describe("numbers written as bytes", () => {
  const block = createBlock(64);
  const text = (end: number) => Buffer.from(block.bytes.subarray(0, end)).toString();
  const random = randomFrom(1);
  const halves = [
    0, 1, 9, 10, 99, 100, 999, 1000, 9999, 10_000, 0x1fffff, 0x200000, 0x7fffffff, 0x80000000, 0xffffffff,
  ];
  const randomHalves = Array.from({ length: 3000 }, () => Math.floor(random() * 2 ** (1 + Math.floor(random() * 32))));

  test("are exact for 64-bit integers, signed and unsigned", () => {
    const all = [...halves, ...randomHalves];
    all.forEach((high, index) => {
      for (const low of [...halves, all[(index * 7) % all.length] ?? 0]) {
        const bits = (BigInt(high) << 32n) | BigInt(low);
        expect(text(writeUnsigned(block.view, 0, high, low))).toBe(bits.toString());
        expect(text(writeSigned(block.view, 0, high, low))).toBe(BigInt.asIntN(64, bits).toString());
      }
    });
  });

  test("are the shortest text of a double, as from String", () => {
    const view = new DataView(new ArrayBuffer(8));
    const doubles = [
      0,
      0.1,
      0.001,
      0.0001,
      1e21,
      1e-7,
      5e-324,
      1.7976931348623157e308,
      123456.789,
      99999999999.999,
      2 ** 53,
      1e15,
    ];
    for (let index = 0; index < 30_000; index += 1) {
      view.setUint32(0, random() * 2 ** 32);
      view.setUint32(4, random() * 2 ** 32);
      doubles.push(view.getFloat64(0), Math.round(random() * 1e6) / 1000, Math.floor(random() * 1e12) / 100);
    }
    for (const value of doubles.filter(Number.isFinite).flatMap((one) => [one, -one])) {
      expect(text(writeDouble(block.view, 0, value))).toBe(Object.is(value, -0) ? "-0" : String(value));
    }
  });
});

describe("the tail cache", () => {
  test("finds cached tails, and is cleared when it is full", () => {
    const cache = createTailCache();
    const key = createBlock(64);
    let cleared = 0;
    for (let index = 0; index < 100_000; index += 1) {
      key.bytes.fill(0);
      key.bytes.set(Buffer.from(`key ${index}`));
      expect(cache.find(key.view, 0, 20)).toBe(-1);
      const text = Buffer.from(`text ${index}`);
      const entry = cache.add(key.bytes, 0, 20, { texts: [text], tag: index });
      if (entry === 0) cleared += 1;
      const from = cache.partAt(entry, 0);
      expect(Buffer.from(cache.text.bytes.subarray(from, cache.partAt(entry, 1))).equals(text)).toBe(true);
      expect([cache.tag(entry), cache.find(key.view, 0, 20)]).toEqual([index, entry]);
    }
    // Its capacity is 16,384.
    expect(cleared).toBe(Math.ceil(100_000 / 16_384));
  });
});
