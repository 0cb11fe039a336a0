import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { decodeReading } from "../../src/metrics/reading/codec.ts";
import { looksWrapped, unwrap } from "../../src/metrics/wire/unwrap.ts";
import { dataBytes, dataLines, dataPath, delimitedMessages, edgeCases, grpcMessages } from "./data.ts";
import { readingJson } from "./plain/json.ts";

const strict = { lenient: false };

function json(bytes: Uint8Array): unknown {
  return JSON.parse(readingJson(decodeReading(bytes, 0, bytes.length, strict)));
}

describe("the generic decoder", () => {
  test("decodes each of the 5,000 captured readings", () => {
    const messages = delimitedMessages(dataBytes("collectd-5.12.delimited.bin"));
    const expected = dataLines("collectd-5.12.delimited.ndjson");
    expect(messages.length).toBe(5000);
    expect(messages.map(json)).toEqual(expected.map((line) => JSON.parse(line)));
  });

  test("decodes each response to QueryValues", () => {
    const readings = grpcMessages(dataBytes("collectd-5.12.query.grpc.bin")).map((wrapper) => {
      const inner = unwrap(wrapper, 0, wrapper.length);
      return inner?.from.subarray(inner.start, inner.end) ?? new Uint8Array();
    });
    expect(readings.map(json)).toEqual(dataLines("collectd-5.12.query.grpc.ndjson").map((line) => JSON.parse(line)));
  });

  const singles = readdirSync(dirname(dataPath("."))).filter((name) => /^single-.*\.json$/.test(name));
  test.each(singles)("decodes %s", (name) => {
    const bytes = dataBytes(name.replace(".json", ".bin"));
    const expected = JSON.parse(dataBytes(name).toString()) as { value_list?: unknown };
    const wrapped = looksWrapped(bytes, 0, bytes.length);
    expect(wrapped).toBe(expected.value_list !== undefined);
    const inner = wrapped ? unwrap(bytes, 0, bytes.length) : { from: bytes, start: 0, end: bytes.length };
    expect(json(inner?.from.subarray(inner.start, inner.end) ?? bytes)).toEqual(expected.value_list ?? expected);
  });

  const cases = edgeCases();
  test.each(cases.filter((one) => one.has_json === true))("decodes the edge case $name", ({ hex, json: expected }) => {
    const got = json(Buffer.from(hex, "hex"));
    expect(got).toEqual(expected);
  });

  test.each(cases.filter((one) => !one.decodes))("rejects the edge case $name", ({ hex }) => {
    expect(() => json(Buffer.from(hex, "hex"))).toThrow(expect.objectContaining({ name: "WireFault" }));
  });

  test.each(cases.filter((one) => one.decodes && one.has_json !== true))(
    "prints seconds and nanoseconds for $name, which canonical JSON cannot represent",
    ({ hex, name }) => {
      const { time, interval } = json(Buffer.from(hex, "hex")) as Record<string, unknown>;
      const parts = { seconds: expect.stringMatching(/^-?\d+$/), nanos: expect.any(Number) };
      expect(name.startsWith("time") ? time : interval).toEqual(parts);
    },
  );

  test("reports the offset of a byte that is not UTF-8", () => {
    const bytes = dataBytes("single-invalid-utf8-latin1.bin");
    expect(() => json(bytes)).toThrow(expect.objectContaining({ at: bytes.indexOf(0xfc) }));
  });
});
