import { describe, expect, test } from "vitest";
import { kind } from "../../../src/metrics/decode/fields.ts";
import { groupKeys } from "../../../src/metrics/reading/identity.ts";
import { change, createMeters, rateOf } from "../../../src/metrics/series/meters.ts";
import { emptySample } from "../../../src/metrics/series/samples.ts";
import { createSeriesTable } from "../../../src/metrics/stat/groups.ts";
import { createQuantiles } from "../../../src/metrics/stat/quantiles.ts";
import { dataBytes, dataLines, dataPath } from "../../metrics/data.ts";
import { encoded, reading, records, tongsBytes } from "./bytes.ts";

const all = dataPath("collectd-5.12.delimited.bin");

interface Row {
  readonly [key: string]: unknown;
}

/** The step between two values, ten seconds apart. */
function stepOf(name: keyof typeof kind, ...values: readonly bigint[]) {
  const meters = createMeters();
  const series = meters.add();
  const steps = values.map((value, index) => {
    const [high, low] = [Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asIntN(32, value))];
    const sample = { ...emptySample(), kind: kind[name], high, low, timed: true, seconds: index * 10 };
    const step = meters.step(series, sample);
    return step && { ...step };
  });
  return steps.at(-1);
}

async function stat(...words: string[]): Promise<Row[]> {
  const { stdout } = await tongsBytes(["metrics", "stat", all, "--json", "--all", ...words]);
  return JSON.parse(stdout.toString()) as Row[];
}

test.each([
  [{ seconds: "5", nanos: -1 }, "@5s-1ns"],
  [{ seconds: "5", nanos: 2147483647 }, "@5s+2147483647ns"],
  [{ seconds: "1700000000000", nanos: 5 }, "@1700000000000s+5ns"],
])("shows a time that is none, or has no date, as decode does: %j", async (time, shown) => {
  const stdin = await encoded(reading([{ gauge: 7 }], undefined, { time }));
  const decoded = await tongsBytes(["metrics", "decode", "--format", "csv"], { stdin });
  expect(decoded.stdout.toString()).toContain(shown);
  const stats = await tongsBytes(["metrics", "stat", "-", "--json"], { stdin });
  expect(JSON.parse(stats.stdout.toString())).toMatchObject([{ first_time: shown, last_time: shown }]);
  const now = new Date(8.64e15);
  const checked = await tongsBytes(["metrics", "check", "*", "-", "-c", "5", "--json"], { stdin, now });
  const whole = shown.replace("+5ns", "");
  expect(JSON.parse(checked.stdout.toString())).toMatchObject([{ state: "critical", time: whole, since: whole }]);
});

/** Encoded readings of a data source. */
const recording = (kind: string, values: readonly (string | number)[]) =>
  encoded(...values.map((value, index) => reading([{ [kind]: value }], index * 10)));

async function statOf(kind: string, values: readonly (string | number)[]): Promise<Row> {
  const stdin = await recording(kind, values);
  const { stdout } = await tongsBytes(["metrics", "stat", "--json"], { stdin });
  return (JSON.parse(stdout.toString()) as Row[])[0] ?? {};
}

describe("metrics stat", () => {
  test("counts each value of each data source once, with first and last time", async () => {
    const rows = await stat();
    const expected = new Map<string, { count: number; first: string; last: string }>();
    for (const line of dataLines("collectd-5.12.delimited.ndjson")) {
      const reading = JSON.parse(line) as { time: string; identifier: Row; ds_names: string[]; values: Row[] };
      reading.values.forEach((value, index) => {
        const { host, plugin, plugin_instance = "", type, type_instance = "" } = reading.identifier;
        const key = JSON.stringify([
          host,
          plugin,
          plugin_instance,
          type,
          type_instance,
          reading.ds_names[index],
          Object.keys(value)[0],
        ]);
        const known = expected.get(key) ?? { count: 0, first: reading.time, last: reading.time };
        known.count += 1;
        if (reading.time < known.first) known.first = reading.time;
        if (reading.time > known.last) known.last = reading.time;
        expected.set(key, known);
      });
    }
    const got = rows.map((row) => [
      JSON.stringify([
        row["host"],
        row["plugin"],
        row["plugin_instance"],
        row["type"],
        row["type_instance"],
        row["ds_name"],
        row["kind"],
      ]),
      { count: row["count"], first: row["first_time"], last: row["last_time"] },
    ]);
    expect(Object.fromEntries(got)).toEqual(Object.fromEntries(expected));
  });

  test("shows a first time of 1970 in each form", async () => {
    const times = ["1970-01-01T00:00:00Z", "1970-01-01T00:00:10Z"];
    const stdin = await encoded(...times.map((time) => reading([{ gauge: 1 }], undefined, { time })));
    const shown = await tongsBytes(["metrics", "stat"], { stdin });
    expect(shown.stdout.toString()).toContain(times.join("\t"));
    const now = new Date("1970-01-01T01:00:00Z");
    const terminal = await tongsBytes(["metrics", "stat", "--all"], { stdin, terminal: true, now });
    expect(terminal.stdout.toString()).toMatch(/1 hour ago +59 minutes ago/);
  });

  test("prints min, mean, max and last of gauges, and counts NaN separately", async () => {
    expect(await statOf("gauge", [1.5, "NaN", -2, 4])).toMatchObject({
      count: 4,
      nan: 1,
      min: -2,
      max: 4,
      last: 4,
      mean: 3.5 / 3,
    });
  });

  test("prints a mean of values whose sum is too large for a double", async () => {
    expect(await statOf("gauge", [1.7e308, 1.7e308, 1.7e308])).toMatchObject({ mean: 1.7e308 });
    expect(await statOf("gauge", [1.5e308, 1.5e308, -1.5e308, -1.5e308])).toMatchObject({ mean: 0 });
    expect(await statOf("gauge", [1.5e308, "Infinity"])).toMatchObject({ mean: "Infinity" });
  });

  test("keeps integers above 2^53 exact", async () => {
    expect(await statOf("counter", ["9007199254740993", "18446744073709551615"])).toMatchObject({
      min: "9007199254740993",
      max: "18446744073709551615",
      last: "18446744073709551615",
    });
  });

  test("prints the rate of a counter across wraps and resets", async () => {
    expect(await statOf("counter", ["100", "200", "400"])).toMatchObject({ rate: 15, wraps: 0, resets: 0 });
    expect(await statOf("counter", ["4294967290", "10"])).toMatchObject({ rate: 1.6, wraps: 1, resets: 0 });
    expect(await statOf("counter", ["18446744073709551610", "4"])).toMatchObject({ rate: 1, wraps: 1 });
    expect(await statOf("counter", ["1000000", "50"])).toMatchObject({ rate: 5, wraps: 0, resets: 1 });
  });

  test("prints the rate of a derive, which may decrease, and of an absolute value", async () => {
    expect(await statOf("derive", ["100", "90"])).toMatchObject({ rate: -1, resets: 0 });
    expect(await statOf("derive", ["-5", "15"])).toMatchObject({ rate: 2 });
    expect(await statOf("derive", ["1000", "20"])).toMatchObject({ rate: 2, resets: 1 });
    expect(await statOf("absolute", ["7", "30"])).toMatchObject({ rate: 3 });
    expect(stepOf("derive", 2n ** 63n - 1n, -(2n ** 63n))).toEqual({ increase: 1, span: 10, event: change.none });
  });

  test("ignores late and duplicate readings in rates only", async () => {
    const stdin = await recording("counter", ["100", "200", "300"]);
    const twice = await tongsBytes(["metrics", "stat", "--json"], { stdin: Buffer.concat([stdin, stdin]) });
    expect((JSON.parse(twice.stdout.toString()) as Row[])[0]).toMatchObject({
      count: 6,
      rate: 10,
      resets: 0,
      last: "300",
    });
  });

  test("groups by the given labels, and adds up the rates", async () => {
    const [row] = await stat("--by", "plugin", "--plugin", "interface");
    const single = await stat("--plugin", "interface");
    const sum = single.reduce((total, { rate }) => total + Number(rate), 0);
    expect(row).toMatchObject({ plugin: "interface", count: 992 });
    expect(Number(row?.["rate"])).toBeCloseTo(sum, 6);
  });

  test("does not track more series than its limit", () => {
    const table = createSeriesTable(["host"], 2);
    const labels = (host: string) => ({
      host,
      plugin: "",
      plugin_instance: "",
      type: "",
      type_instance: "",
      ds_name: "",
      kind: "gauge",
    });
    expect(["a", "b", "c", "a", "d"].map((host) => table.series(labels(host)))).toEqual([0, 1, -1, 0, -1]);
    expect(table.leftOut()).toBe(2);
  });

  test("lists every series without --all, so that sums over the output are whole", async () => {
    const { stdout, stderr } = await tongsBytes(["metrics", "stat", all, "--jsonl", "--json", "count"]);
    const counts = records(stdout) as { count: number }[];
    const values = dataLines("collectd-5.12.delimited.ndjson").reduce(
      (sum, line) => sum + (JSON.parse(line) as { values: unknown[] }).values.length,
      0,
    );
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(values);
    expect(stderr).toBe("");
    const limited = await tongsBytes(["metrics", "stat", all, "--jsonl", "--limit", "3"]);
    expect(records(limited.stdout)).toHaveLength(3);
    expect(limited.stderr).toContain(`Showing 3 of ${counts.length}`);
  });

  test("treats a counter that was above 2^32 and restarts as reset, and one below as wrapped at 32 bits", () => {
    expect(stepOf("counter", 2n ** 32n - 10n, 6n)).toMatchObject({ increase: 16, event: change.wrap });
    expect(stepOf("counter", 2n ** 32n + 5n, 10n)).toMatchObject({ event: change.reset });
    expect(stepOf("counter", 2n ** 33n, 5n, 2n ** 32n - 10n, 6n)).toMatchObject({ event: change.reset });
    expect(stepOf("counter", 2n ** 64n - 10n, 6n)).toMatchObject({ increase: 16, event: change.wrap });
    expect(stepOf("counter", 0n, 2n ** 64n - 1n)).toMatchObject({ increase: 2 ** 64, event: change.none });
    expect(Number.isNaN(rateOf({ increase: 5, span: 1, event: change.reset }))).toBe(true);
  });

  test("prints min, mean, max and 95th percentile of the rates of counters", async () => {
    const values = Array.from({ length: 101 }, (_, index) => String((index * (index + 1)) / 2));
    // One step of 1 to 100 each second.
    const stdin = await encoded(...values.map((derive, index) => reading([{ derive }], index)));
    const { stdout } = await tongsBytes(["metrics", "stat", "--jsonl"], { stdin });
    expect(records(stdout)[0]).toMatchObject({ rate_min: 1, rate: 50.5, rate_max: 100, rate_p95: 95 });
  });

  test("of a group of several counters, prints the sum of the rates, and none between readings", async () => {
    const of = (host: string, type_instance: string, second: number, derive: number) =>
      reading([{ derive }], second, { identifier: { host, plugin: "p", type: "t", type_instance } });
    const input = [of("a", "x", 0, 0), of("a", "y", 0, 0), of("b", "x", 0, 0), of("b", "x", 10, 50)];
    const stdin = await encoded(...input, of("a", "x", 10, 100), of("a", "y", 10, 300));
    const { stdout } = await tongsBytes(["metrics", "stat", "--jsonl", "--by", "host"], { stdin });
    const [several, one] = records(stdout) as Row[];
    expect(several).toMatchObject({ host: "a", count: 4, min: "0", mean: 100, max: "300", rate: 40 });
    for (const key of ["rate_min", "rate_max", "rate_p95"]) expect(several).not.toHaveProperty(key);
    expect(one).toMatchObject({ host: "b", rate: 5, rate_min: 5, rate_max: 5, rate_p95: 5 });
  });

  test("keeps a bounded sample of rates, whose percentile stays close", () => {
    const quantiles = createQuantiles();
    quantiles.add();
    for (let index = 0; index < 1_000_000; index += 1) quantiles.push(0, (index * 7919) % 1000);
    expect(quantiles.of(0, 0.95)).toBeGreaterThan(930);
    expect(quantiles.of(0, 0.95)).toBeLessThan(970);
    expect(quantiles.of(1, 0.95)).toBeUndefined();
  });

  test("keeps the rates of each of many series apart, and leaves out some of each", () => {
    const quantiles = createQuantiles();
    const series = 70_000;
    for (let index = 0; index < series; index += 1) quantiles.add();
    for (let round = 1; round <= 70; round += 1)
      for (let index = 0; index < series; index += 1) quantiles.push(index, index + round);
    const wrong = Array.from({ length: series }, (_, index) => index).filter(
      (index) => quantiles.of(index, 0) !== index + 1 || (quantiles.of(index, 1) ?? 0) < index + 68,
    );
    expect(wrong).toEqual([]);
  });

  test("keeps many series apart, in the order of their labels, with exact integers", () => {
    const table = createSeriesTable(groupKeys);
    const nothing = { plugin: "p", plugin_instance: "", type: "t", type_instance: "" };
    const count = 20_000;
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < count; index += 1) {
        const labels = { ...nothing, host: `h${index % 1000}`, ds_name: `s${index}`, kind: "counter" };
        const series = table.series(labels);
        expect(series).toBe(index);
        table.add(series, { ...emptySample(), kind: kind.counter, high: -1, low: -1 - index - round });
      }
    }
    const groups = [...table.sorted()].map(table.group);
    const names = groups.map(({ labels }) => `${labels.host}\0${labels.ds_name}`);
    expect(names).toEqual([...names].sort());
    for (const { labels, statistics } of groups) {
      const { count, min, max, last } = statistics;
      const greatest = 2n ** 64n - 1n - BigInt((labels.ds_name ?? "").slice(1));
      expect([count, min, max, last]).toEqual([2, greatest - 1n, greatest, greatest - 1n]);
    }
  });

  test("compares values of different kinds exactly", () => {
    const table = createSeriesTable(["host"]);
    const labels = (of: string) => ({
      host: "h",
      plugin: "",
      plugin_instance: "",
      type: "",
      type_instance: "",
      ds_name: "",
      kind: of,
    });
    const add = (which: keyof typeof kind, sample: Partial<ReturnType<typeof emptySample>>) =>
      table.add(table.series(labels(which)), { ...emptySample(), kind: kind[which], ...sample });
    add("gauge", { gauge: 2 ** 53 });
    add("counter", { high: 0x200000, low: 1 });
    add("derive", { high: -1, low: -1 });
    add("gauge", { gauge: -0.5 });
    const [group = 0] = table.sorted();
    expect(table.group(group).statistics).toMatchObject({ min: -1n, max: 2n ** 53n + 1n, last: -0.5, count: 4 });
  });

  test("prints a table, tab-separated lines and CSV", async () => {
    const run = (words: string[], terminal = false) =>
      tongsBytes(["metrics", "stat", all, "--plugin", "load", ...words], {
        terminal,
        now: new Date("2026-11-21T17:00:00Z"),
      });
    expect((await run(["--color", "never"], true)).stdout.toString()).toMatch(
      /SERIES +KIND +COUNT +FIRST TIME +LAST TIME +MIN +MEAN +MAX +LAST\nload\/load:longterm +gauge +152 +9 hours ago/,
    );
    const piped = (await run([])).stdout.toString().split("\n")[0]?.split("\t");
    const [head, first] = (await run(["--csv"])).stdout.toString().split("\n");
    expect(head).toBe(
      "series,kind,count,nan,first_time,last_time,min,mean,max,last,rate_min,rate,rate_max,rate_p95,resets,wraps",
    );
    expect(first?.split(",")).toEqual(piped);
  });

  test("sorts by a statistic, the greatest first, and lists only the first ones", async () => {
    const names = (rows: Row[]) => rows.map(({ series }) => series);
    const all = await stat();
    expect(names(await stat("--sort", "count"))).toHaveLength(all.length);
    const byRate = await stat("--sort", "rate");
    const rates = byRate.map(({ rate }) => rate).filter((rate) => rate !== undefined);
    expect(rates).toEqual([...rates].sort((one, other) => Number(other) - Number(one)));
    expect(byRate[rates.length]).not.toHaveProperty("rate");
    expect(names(await stat("--sort", "rate", "--top", "3"))).toEqual(names(byRate).slice(0, 3));
    const counts = (await stat("--by", "plugin", "--top", "2")).map(({ count }) => Number(count));
    const sums = (await stat("--by", "plugin")).map(({ count }) => Number(count)).sort((one, other) => other - one);
    expect(counts).toEqual(sums.slice(0, 2));
    // Of equal ones, in the order of their labels.
    const wraps = await stat("--sort", "wraps", "--plugin", "load");
    expect(names(wraps)).toEqual(names(await stat("--plugin", "load")));
  });

  test("sorts integers above 2^53 exactly, with NaN and what is missing last", async () => {
    const of = (type: string, value: object) =>
      reading([value], undefined, { identifier: { host: "h", plugin: "p", type } });
    const stdin = await encoded(
      ...[of("a", { counter: "9007199254740993" }), of("b", { gauge: "NaN" }), of("c", { gauge: -1 })],
      ...[of("d", { counter: "9007199254740992" }), of("e", { counter: "9007199254740994" })],
    );
    const order = async (by: string) => {
      const { stdout } = await tongsBytes(["metrics", "stat", "--sort", by, "--jq", ".[].type"], { stdin });
      return stdout.toString().split("\n").join("");
    };
    expect([await order("last"), await order("max"), await order("last_time")]).toEqual(["eadcb", "eadcb", "abcde"]);
  });

  test("keeps the column that it sorts by on a narrow terminal", async () => {
    const words = ["metrics", "stat", all, "--plugin", "aggregation", "--sort", "wraps", "--color", "never"];
    const { stdout } = await tongsBytes(words, { terminal: true });
    expect(stdout.toString().split("\n")[0]).toMatch(/SERIES.* WRAPS$/);
    expect(await tongsBytes(["metrics", "stat", all, "--sort", "size"])).toMatchObject({ code: 2 });
    expect(await tongsBytes(["metrics", "stat", all, "--top", "0"])).toMatchObject({ code: 2 });
  });

  test("never cuts the name of a series, on a terminal of any width", async () => {
    const name = "x".repeat(60);
    const identifier = { host: "h", plugin: name, type: name };
    const stdin = await encoded(reading([{ gauge: 1 }], 0, { identifier, ds_names: ["a"] }));
    const { stdout } = await tongsBytes(["metrics", "stat", "-"], { stdin, terminal: true });
    expect(stdout.toString()).toContain(`${name}/${name}:a`);
  });

  test("prints the readings before damage, and exits with 13", async () => {
    const stdin = dataBytes("collectd-5.12.delimited.bin").subarray(0, 1000);
    const { code, stdout } = await tongsBytes(["metrics", "stat", "--json"], { stdin });
    expect([code, (JSON.parse(stdout.toString()) as Row[]).length > 5]).toEqual([13, true]);
  });
});
