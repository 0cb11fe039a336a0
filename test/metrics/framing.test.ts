import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Framing } from "../../src/metrics/framing/framing.ts";
import { guessLayout } from "../../src/metrics/framing/guess.ts";
import { readMessages } from "../../src/metrics/stream/read-messages.ts";
import { type Source, streamSource } from "../../src/metrics/stream/source.ts";
import { dataBytes, dataLines, delimitedMessages, framingCases, grpcMessages } from "./data.ts";
import { decodeReading } from "./decode-reading.ts";
import { readingJson } from "./plain/json.ts";

/** A source that returns at most `step` bytes at a time. */
function chunkedSource(bytes: Uint8Array, step: number): Source {
  let from = 0;
  return {
    read: (into, at, room) => {
      const size = Math.min(step, room, bytes.length - from);
      into.set(bytes.subarray(from, from + size), at);
      from += size;
      return size;
    },
  };
}

async function read(source: Source, framing: Framing | "auto", skipErrors = false) {
  const messages: unknown[] = [];
  const result = await readMessages(source, {
    framing,
    handle: (bytes, _view, start, end) => {
      messages.push(JSON.parse(readingJson(decodeReading(bytes, start, end, { lenient: false }))));
      return true;
    },
    onIdle: () => undefined,
    skip: () => skipErrors,
  });
  return { ...result, messages };
}

const hexOf = (hex: string) => Buffer.from(hex, "hex");

describe("reading a stream", () => {
  test.each(framingCases())("$name: delivers the messages before the end, and reports the end", async (one) => {
    for (const step of [1, 3, 1000]) {
      const { messages, fault } = await read(chunkedSource(hexOf(one.hex), step), one.framing);
      expect(messages).toEqual(one.messages);
      expect(fault?.kind ?? "ok").toBe(one.end);
    }
  });

  test.each(framingCases().filter(({ messages }) => messages.length > 0))("$name: detects the framing", async (one) => {
    const { layout } = await read(chunkedSource(hexOf(one.hex), 1000), "auto");
    // Streams without messages are ambiguous: an empty gRPC request is also five empty readings.
    expect(layout.framing).toBe(one.framing);
  });

  test("skips a bad message if requested", async () => {
    const bad = framingCases().find(({ name }) => name === "delimited-bad-message-in-the-middle");
    const { messages, fault } = await read(chunkedSource(hexOf(bad?.hex ?? ""), 7), "delimited", true);
    expect(fault).toBeUndefined();
    expect(messages).toEqual([...(bad?.messages ?? []), expect.objectContaining({ values: [{ counter: "5" }] })]);
  });

  test("reads no readings from an empty input", async () => {
    const { messages, readings, fault } = await read(chunkedSource(hexOf(""), 1), "auto");
    expect([messages, readings, fault]).toEqual([[], 0, undefined]);
  });

  test("finds no other message after skipping a raw one", async () => {
    const result = await read(chunkedSource(hexOf("2a01ff"), 1), "raw", true);
    expect([result.messages, result.readings]).toEqual([[], 0]);
  });

  test("reports message, byte and error", async () => {
    const bad = framingCases().find(({ name }) => name === "delimited-bad-message-in-the-middle");
    const { fault } = await read(chunkedSource(hexOf(bad?.hex ?? ""), 7), "delimited");
    const bytes = hexOf(bad?.hex ?? "");
    expect(fault).toMatchObject({
      message: 2,
      at: bytes.indexOf(0xff),
      what: expect.stringContaining("UTF-8 (byte 0xFF)"),
    });
  });

  test.each([
    ["collectd-5.12.delimited.bin", "delimited", 5000],
    ["collectd-5.12.grpc.bin", "grpc", 5000],
    ["collectd-5.12.grpc-gzip.bin", "grpc", 300],
    ["collectd-5.12.query.grpc.bin", "grpc", 301],
  ])("reads all of %s and detects its framing", async (name, framing, count) => {
    const expected = dataLines(
      name.includes("query") ? "collectd-5.12.query.grpc.ndjson" : "collectd-5.12.delimited.ndjson",
    );
    const { messages, layout, fault } = await read(chunkedSource(dataBytes(name), 4093), "auto");
    expect([layout.framing, fault]).toEqual([framing, undefined]);
    expect(messages).toEqual(expected.slice(0, count).map((line) => JSON.parse(line) as unknown));
  });

  test("does not allocate memory for a length without data", async () => {
    const claims = Buffer.concat([hexOf("ffffff07"), Buffer.alloc(100)]);
    const before = process.memoryUsage().arrayBuffers;
    const { fault } = await read(chunkedSource(claims, 10), "delimited");
    expect(fault?.kind).toBe("truncated");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
  });

  test("reads a message larger than the initial window", async () => {
    const name = Buffer.alloc(3_000_000, "n");
    const field = Buffer.concat([hexOf("2a"), hexOf("c08db701"), name]);
    const { messages } = await read(
      chunkedSource(Buffer.concat([hexOf("c58db701"), field, hexOf("040a020801")]), 65_536),
      "delimited",
    );
    expect(messages).toEqual([{ ds_names: [name.toString()] }, { values: [{ counter: "1" }] }]);
  });
});

describe("detecting the framing", () => {
  const guess = (bytes: Uint8Array) => guessLayout(bytes, 0, bytes.length, true);
  const raw = delimitedMessages(dataBytes("collectd-5.12.delimited.bin"));
  const frame = (message: Uint8Array) => {
    const length = message.length < 128 ? [message.length] : [(message.length & 127) | 128, message.length >> 7];
    return Buffer.concat([Uint8Array.from(length), message]);
  };

  test("detects each captured reading as raw", () => {
    expect(raw.filter((message) => guess(message)?.framing !== "raw" || guess(message)?.wrapped === true)).toEqual([]);
  });

  test("detects each captured request as a raw wrapper", () => {
    const requests = grpcMessages(dataBytes("collectd-5.12.grpc.bin"));
    expect(requests.filter((request) => guess(request)?.framing !== "raw" || guess(request)?.wrapped !== true)).toEqual(
      [],
    );
  });

  test("detects delimited streams of one reading, two readings, and two with a truncated end", () => {
    for (let index = 0; index + 1 < raw.length; index += 1) {
      const one = frame(raw[index] ?? new Uint8Array());
      const two = Buffer.concat([one, frame(raw[index + 1] ?? new Uint8Array())]);
      const guesses = [one, two, two.subarray(0, two.length - 5)].map((bytes) => guess(bytes)?.framing);
      expect(guesses, `reading ${index}`).toEqual(["delimited", "delimited", "delimited"]);
    }
  });

  test("detects each captured gRPC frame, also if a truncated one follows", () => {
    const bytes = dataBytes("collectd-5.12.grpc.bin");
    for (let at = 0; at < bytes.length; at += 5 + bytes.readUInt32BE(at + 1)) {
      const end = at + 5 + bytes.readUInt32BE(at + 1);
      expect(guess(bytes.subarray(at, end))?.framing).toBe("grpc");
      if (end + 20 < bytes.length) expect(guess(bytes.subarray(at, end + 20))?.framing).toBe("grpc");
    }
  });

  test("detects a stream with a damaged first message", () => {
    expect(guess(dataBytes("collectd-5.12.invalid-utf8.delimited.bin"))?.framing).toBe("delimited");
    const damaged = Buffer.concat([hexOf("030a7fff"), ...raw.slice(0, 3).map(frame)]);
    expect(guess(damaged)?.framing).toBe("delimited");
  });

  test("needs only the first message of a stream", () => {
    const two = Buffer.concat([frame(raw[0] ?? new Uint8Array()), hexOf("50")]);
    expect(guessLayout(two, 0, two.length, false)?.framing).toBe("delimited");
    expect(guessLayout(two, 0, 20, false)).toBeUndefined();
  });

  const ambiguous = dataLines("ambiguous-framing.ndjson").map(
    (line) => JSON.parse(line) as { name: string; hex: string },
  );
  test.each([
    ["empty-input", "raw"],
    ["five-zero-bytes", "grpc"],
    ["grpc-one-frame", "grpc"],
    ["delimited-one-message-passes-as-raw", "delimited"],
    ["request-passes-as-value-list", "raw"],
    ["ninety-times-09", "raw"],
    ["both-with-known-fields", "delimited"],
  ])("detects the ambiguous %s as %s", (name, framing) => {
    expect(guess(hexOf(ambiguous.find((one) => one.name === name)?.hex ?? ""))?.framing).toBe(framing);
  });
});

describe("a stream that stays open", () => {
  test("delivers each reading as soon as it arrives", async () => {
    const stream = new PassThrough();
    const [first = new Uint8Array(), second = new Uint8Array()] = delimitedMessages(
      dataBytes("collectd-5.12.delimited.bin"),
    );
    const arrivals: (() => void)[] = [];
    const arrived = [0, 1].map(() => new Promise<void>((resolve) => arrivals.push(resolve)));
    let count = 0;
    const reading = readMessages(streamSource(stream), {
      framing: "auto",
      handle: () => {
        arrivals[count]?.();
        count += 1;
        return true;
      },
      onIdle: () => undefined,
      skip: () => false,
    });
    stream.write(Buffer.concat([Uint8Array.from([first.length]), first]));
    await arrived[0];
    stream.write(Uint8Array.from([second.length]));
    stream.write(second);
    await arrived[1];
    stream.end();
    expect(await reading).toMatchObject({ messages: 2, readings: 2 });
  });

  test("rejects with the reason of the signal when it aborts", async () => {
    const abort = new AbortController();
    const reading = readMessages(streamSource(new PassThrough(), abort.signal), {
      framing: "auto",
      handle: () => true,
      onIdle: () => undefined,
      skip: () => false,
      checkAborted: () => abort.signal.throwIfAborted(),
    });
    abort.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
  });
});
