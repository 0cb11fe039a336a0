import { describe, expect, test } from "vitest";
import { readingFormats } from "../../src/metrics/reading-writer.ts";
import { readMessages } from "../../src/metrics/stream/read-messages.ts";
import { slack } from "../../src/metrics/wire/block.ts";
import { decodeReading } from "./decode-reading.ts";
import { commandPrinter, comparePrinters, plainPrinter } from "./differential.ts";
import { boundarySizes, fullReading, textPlaces } from "./make-reading.ts";
import { encodeFields, varint } from "./wire.ts";

const short = () => Buffer.from("text");
const prefix = "0a02080512020805";
const longName = `${prefix}2a8201${"6e".repeat(130)}`;
const paddedLength = `${prefix}2a83006e6e6e`;

describe.each(readingFormats)("%s", (format) => {
  test("writes a string of 130 bytes and one with a padded length completely", () => {
    const print = commandPrinter(format);
    const plain = plainPrinter(format);
    for (const hex of [longName, paddedLength]) {
      const bytes = Buffer.from(hex, "hex");
      expect(print(bytes)).toBe(plain(bytes));
    }
  });

  test.each(textPlaces)("writes a %s of each size around 128 and 16,384 bytes completely", (place) => {
    const print = commandPrinter(format);
    const plain = plainPrinter(format);
    for (const size of boundarySizes) {
      const bytes = encodeFields(fullReading((at) => (at === place ? Buffer.alloc(size, "x") : short())));
      const text = print(bytes);
      expect(text).toBe(plain(bytes));
      const isLeftOut =
        (format === "putval" && /names|key/.test(place)) || (format === "influx" && /key|string_value/.test(place));
      const isPrinted = !isLeftOut;
      if (isPrinted) expect(text).toContain("x".repeat(size));
    }
  });
});

test("each varint of a reading may be padded, by one byte or as far as the encoding allows", () => {
  const compare = comparePrinters();
  let count = 0;
  encodeFields(fullReading(short), () => {
    count += 1;
    return 0;
  });
  expect(count).toBeGreaterThan(80);
  const [print, bare] = [commandPrinter("ndjson"), encodeFields(fullReading(short))];
  const expected = print(bare);
  for (let padded = 0; padded < count; padded += 1) {
    for (const bytes of [1, 9]) {
      const message = encodeFields(fullReading(short), (index) => (index === padded ? bytes : 0));
      expect(print(message)).toBe(expected);
      expect(compare(message)).toEqual([]);
    }
  }
});

describe("the length of a message", () => {
  const sizes = [1, ...boundarySizes, 2 ** 21 - 1, 2 ** 21];

  async function sizesRead(framing: "delimited" | "grpc", bytes: Uint8Array): Promise<number[]> {
    const read: number[] = [];
    let from = 0;
    const { fault } = await readMessages(
      {
        read: (into, at, room) => {
          const size = Math.min(room, bytes.length - from);
          into.set(bytes.subarray(from, from + size), at);
          from += size;
          return size;
        },
      },
      {
        framing,
        handle: (all, _view, start, end) => {
          expect(all.length).toBeGreaterThanOrEqual(end + slack);
          read.push(decodeReading(all, start, end, { lenient: false }).ds_names[0]?.length ?? -1);
          return true;
        },
        onIdle: () => undefined,
        skip: () => false,
      },
    );
    expect(fault).toBeUndefined();
    return read;
  }

  test.each([0, 1, 2])("may have %i bytes of padding, at each size and in each framing", async (padding) => {
    const messages = sizes.map((size) => encodeFields([{ number: 5, content: Buffer.alloc(size, "x") }]));
    const delimited = messages.flatMap((message) => [varint(BigInt(message.length), padding), message]);
    expect(await sizesRead("delimited", Buffer.concat(delimited))).toEqual(sizes);
    const frames = messages.flatMap((message) => {
      const request = Buffer.concat([Buffer.from([0x0a]), varint(BigInt(message.length), padding), message]);
      const head = Buffer.alloc(5);
      head.writeUInt32BE(request.length, 1);
      return [head, request];
    });
    expect(await sizesRead("grpc", Buffer.concat(frames))).toEqual(sizes);
  });
});
