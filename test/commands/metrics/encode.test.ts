import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defaultTypesDb } from "../../../src/metrics/encode/types-db.ts";
import { dataBytes, dataPath, delimitedMessages, edgeCases } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { fileBytes, tongsBytes } from "./bytes.ts";

/** Replaces NaN values by the only NaN of JSON. */
function withOneNaN(bytes: Buffer): string {
  return bytes.toString("hex").replaceAll("11000000000000f8ff", "11000000000000f87f");
}

async function encoded(text: string, ...flags: string[]) {
  return tongsBytes(["metrics", "encode", ...flags], { stdin: Buffer.from(text) });
}

const types = "gauge value:GAUGE:U:U\nif_octets rx:DERIVE:0:U, tx:DERIVE:0:U\ncounter\tvalue:COUNTER:U:U\n";

function typesDb(): string {
  const path = join(emptyFolder(), "types.db");
  writeFileSync(path, types);
  return path;
}

describe("metrics encode", () => {
  test.each(["delimited", "grpc"])("encodes decoded captures to the same bytes, as %s", async (framing) => {
    const original = dataBytes(`collectd-5.12.${framing}.bin`);
    const { stdout: json } = await tongsBytes(["metrics", "decode", dataPath(`collectd-5.12.${framing}.bin`)]);
    const { code, stdout } = await tongsBytes(["metrics", "encode", "--framing", framing], { stdin: json });
    expect(code).toBe(0);
    expect(withOneNaN(stdout)).toBe(withOneNaN(original));
  });

  test("restores bytes that are not UTF-8", async () => {
    const original = dataPath("collectd-5.12.invalid-utf8.delimited.bin");
    const { stdout: json } = await tongsBytes(["metrics", "decode", "--lenient", original]);
    const { stdout } = await tongsBytes(["metrics", "encode"], { stdin: json });
    expect(stdout.equals(dataBytes("collectd-5.12.invalid-utf8.delimited.bin"))).toBe(true);
  });

  test.each(edgeCases().filter(({ decodes }) => decodes))("keeps the values of $name", async ({ hex }) => {
    const once = await tongsBytes(["metrics", "decode", "--framing", "raw"], { stdin: Buffer.from(hex, "hex") });
    const bytes = await tongsBytes(["metrics", "encode", "--framing", "raw"], { stdin: once.stdout });
    const twice = await tongsBytes(["metrics", "decode", "--framing", "raw"], { stdin: bytes.stdout });
    expect(twice.stdout.toString()).toBe(once.stdout.toString());
  });

  test("reads an array and pretty-printed objects", async () => {
    const path = dataPath("collectd-5.12.delimited.bin");
    const { stdout: array } = await tongsBytes(["metrics", "decode", path, "--format", "json", "--count", "7"]);
    const pretty = (JSON.parse(array.toString()) as unknown[])
      .map((one) => JSON.stringify(one, undefined, 2))
      .join("\n");
    const [fromArray, fromPretty] = await Promise.all([encoded(array.toString()), encoded(pretty)]);
    expect(delimitedMessages(fromArray.stdout).length).toBe(7);
    expect(fromPretty.stdout.equals(fromArray.stdout)).toBe(true);
  });

  test("reads camel case names, integers as numbers, and a request", async () => {
    const text =
      '{"valueList":{"values":[{"counter":5}],"identifier":{"pluginInstance":"a"},"dsNames":["x"],"metaData":{"k":{"boolValue":true}}}}';
    const { stdout } = await encoded(text, "--framing", "raw");
    const back = await tongsBytes(["metrics", "decode", "--framing", "raw"], { stdin: stdout });
    expect(JSON.parse(back.stdout.toString())).toEqual({
      values: [{ counter: "5" }],
      identifier: { plugin_instance: "a" },
      ds_names: ["x"],
      meta_data: { k: { bool_value: true } },
    });
  });

  test.each([
    ['{"values":[{"counter":"1"}]}\n{"values":[{"counter":"-1"}]}', "2:23", "'-1' is not a valid uint64"],
    ['{"values":[{"counter":18446744073709551616}]}', "1:23", "'18446744073709551616' is not a valid uint64"],
    ['{"values":[{"gauge":1e999}]}', "1:21", "'1e999' is not a valid double"],
    ['{"values":[{"gauge":1,"derive":2}]}', "1:23", "a value must have one field, not more"],
    ['{\n  "host": "h"\n}', "2:3", "unknown field 'host' in a reading"],
    [
      '{"time":"2026-02-30T00:00:00Z"}',
      "1:9",
      'invalid time "2026-02-30T00:00:00Z": expected a value such as "2026-01-31T08:00:00.5Z"',
    ],
    ['{"interval":"10"}', "1:13", 'invalid interval "10": expected a value such as "10s"'],
    ['{"values":[', "1:1", "unterminated JSON object"],
    ['[\n{"values":[]},\n{"values":[]}\n', "4:1", "the JSON array is not terminated"],
    ['[{"values":[]}', "1:15", "the JSON array is not terminated"],
    ['{"values":[}', "1:12", "invalid JSON"],
    ['{"values":[,]}', "1:12", "invalid JSON"],
    ["hello", "1:1", "expected a JSON object or a PUTVAL line"],
    ['PUTVAL "h/p/none" 1:2', "1:8", "type 'none' is not in types.db"],
    ["PUTVAL h/p/gauge 1:x", "1:20", "'x' is not a valid gauge"],
    ["PUTVAL h/p/gauge x:1", "1:18", "invalid time 'x'"],
    ["PUTVAL h/p/if_octets 1:1", "1:22", "wrong number of values for type 'if_octets': 1 instead of 2"],
    ["PUTVAL h/gauge 1:1", "1:8", "invalid identifier 'h/gauge'"],
    ["PUTVAL h/p/gauge", "1:17", "missing values"],
    ["PUTVAL h/p/gauge x=1 1:1", "1:18", "unknown PUTVAL option 'x'"],
  ])("reports line and column of the error in %s", async (text, place, message) => {
    const { code, stderr } = await encoded(text, "--types", typesDb());
    expect(stderr).toContain(`standard input:${place}: ${message}`);
    expect(code).toBe(13);
  });

  test.each([
    ["[", 10],
    ['{"a":', 1],
  ])("reports where JSON of many %s is nested too deeply, not a bug", async (open, column) => {
    const deep = open.repeat(300_000);
    const { code, stderr } = await encoded(`{}\n{"values":${deep}${open === "[" ? "}" : `0${"}".repeat(300_001)}`}\n`);
    const place = `2:${column + open.length * 999 + (open === "[" ? 1 : 10)}`;
    expect([code, stderr]).toEqual([13, `✗ standard input:${place}: nested more than 1,000 levels deep\n`]);
  });

  test.each(["\\ud800", "a\\udcff", "\\udcffb"])(
    "refuses half of a surrogate pair, which is no text: %s",
    async (half) => {
      for (const members of [
        `"identifier":{"host":"${half}"}`,
        `"ds_names":["${half}"]`,
        `"meta_data":{"${half}":{}}`,
      ]) {
        const { code, stdout, stderr } = await encoded(`{"values":[],${members}}\n`);
        expect([code, stdout.length, stderr]).toEqual([13, 0, expect.stringContaining("has half of a surrogate pair")]);
      }
    },
  );

  test("writes the readings before the error", async () => {
    const { stdout, code } = await encoded('{"values":[{"counter":"1"}]}\nnonsense\n');
    expect([code, stdout.toString("hex")]).toEqual([13, "040a020801"]);
  });

  test.skipIf(existsSync(defaultTypesDb))("says that there is no types.db (skipped where there is one)", async () => {
    const ran = await tongsBytes(["metrics", "encode"], { stdin: Buffer.from("PUTVAL h/p/gauge 1:2\n") });
    expect([ran.code, ran.stderr]).toEqual([
      13,
      `✗ standard input:1:8: type 'gauge' is unknown: ${defaultTypesDb} does not exist\n` +
        "  Use --types FILE to read another types.db.\n",
    ]);
  });

  test("reads PUTVAL lines: kinds and names from types.db, several groups, quotes, interval, metadata, N", async () => {
    const lines = [
      'PUTVAL "a b/if-eth0/if_octets" interval=2.5 meta:"k"="say \\"x\\"" 1700000000.123456789:-1:9007199254740993 1700000002:3:4',
      "PUTVAL h/p-i-j/gauge-t N:U",
      "PUTVAL h/p/counter 5:18446744073709551615",
      "PUTVAL h/p/gauge -0.5:-inf",
    ];
    const { stdout, code, stderr } = await tongsBytes(["metrics", "encode", "--types", typesDb()], {
      stdin: Buffer.from(lines.join("\n")),
      now: new Date("2026-01-01T00:00:00.250Z"),
    });
    expect([code, stderr]).toEqual([0, ""]);
    const back = await tongsBytes(["metrics", "decode", "--format", "json"], { stdin: stdout });
    const octets = {
      identifier: { host: "a b", plugin: "if", plugin_instance: "eth0", type: "if_octets" },
      interval: "2.500s",
      ds_names: ["rx", "tx"],
      meta_data: { k: { string_value: 'say "x"' } },
    };
    expect(JSON.parse(back.stdout.toString())).toEqual([
      { ...octets, time: "2023-11-14T22:13:20.123456789Z", values: [{ derive: "-1" }, { derive: "9007199254740993" }] },
      { ...octets, time: "2023-11-14T22:13:22Z", values: [{ derive: "3" }, { derive: "4" }] },
      {
        identifier: { host: "h", plugin: "p", plugin_instance: "i-j", type: "gauge", type_instance: "t" },
        time: "2026-01-01T00:00:00.250Z",
        ds_names: ["value"],
        values: [{ gauge: "NaN" }],
      },
      expect.objectContaining({ values: [{ counter: "18446744073709551615" }] }),
      expect.objectContaining({ time: "1969-12-31T23:59:59.500Z", values: [{ gauge: "-Infinity" }] }),
    ]);
  });

  test("rejects a second reading with raw framing", async () => {
    expect(await encoded("{}\n{}", "--framing", "raw")).toMatchObject({ code: 13 });
  });

  test("writes to a file with -o, but not to a terminal", async () => {
    const cwd = emptyFolder();
    await tongsBytes(["metrics", "encode", "-o", "out.bin"], { stdin: Buffer.from("{}"), cwd });
    expect([...fileBytes(cwd, "out.bin")]).toEqual([0]);
    expect(await tongsBytes(["metrics", "encode"], { stdin: Buffer.from("{}"), terminal: true })).toMatchObject({
      code: 2,
    });
  });
});
