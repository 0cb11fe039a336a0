import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { alerts, readRange } from "../../../src/metrics/check/range.ts";
import { connectCollectd } from "../../../src/metrics/grpc/client.ts";
import type { Endpoint } from "../../../src/metrics/grpc/serve.ts";
import { dataBytes, dataPath, delimitedMessages } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { encoded as encodedOf, reading, tongsBytes } from "./bytes.ts";
import { startCaching } from "./caching.ts";

const captured = dataPath("collectd-5.12.delimited.bin");
const start = Date.UTC(2026, 0, 1);

interface Given {
  readonly host?: string;
  readonly kind?: string;
  readonly type?: string;
  readonly interval?: string;
}

type Point = readonly [second: number, value: number | string];

/** The readings of a series. */
function lines(points: readonly Point[], given: Given = {}): object[] {
  const { host = "h", kind = "gauge", type = "t", interval = "10s" } = given;
  const identifier = { host, plugin: "p", type };
  return points.map(([second, value]) => reading([{ [kind]: value }], second, { interval, identifier }));
}

const encoded = (...parts: readonly (readonly object[])[]) => encodedOf(...parts.flat());

/** Checks readings on stdin. */
async function check(stdin: Uint8Array, ...words: string[]) {
  const now = new Date(start + 3_600_000);
  const ran = await tongsBytes(["metrics", "check", "*", "-", ...words], { stdin, now });
  return { code: ran.code, out: ran.stdout.toString(), stderr: ran.stderr };
}

const every10 = (...values: (number | string)[]) => values.map((value, index): Point => [index * 10, value]);

describe("ranges", () => {
  test.each([
    ["10", [-0.1, 10.1], [0, 10]],
    ["10:", [9.9, -1], [10, 1e9]],
    ["~:10", [10.1], [-1e9, 10]],
    ["10:20", [9, 21], [10, 20]],
    ["@10:20", [10, 15, 20], [9.9, 20.1]],
    ["-5:-1.5", [-6, 0], [-5, -1.5]],
    [":1e3", [-1, 1001], [0, 1000]],
    ["~:", [], [-1e300, 1e300, Number.POSITIVE_INFINITY]],
    ["@.5", [0.5, 0], [0.6]],
  ])("%s alerts as the guidelines of monitoring plugins say", (typed, alerting, others) => {
    const range = readRange(typed, "--warn");
    if (range === undefined) throw new Error("no range");
    expect(alerting.filter((value) => !alerts(range, value))).toEqual([]);
    expect(others.filter((value) => alerts(range, value))).toEqual([]);
  });

  test.each(["", "@", "~", "10:5", "1:2:3", "ten", "10 20", "0x10", "@~", "10:~"])("%j is not one", (typed) => {
    expect(() => readRange(typed, "--warn")).toThrow(/^Invalid range/);
  });
});

describe("metrics check", () => {
  test("exits with 0, 1 or 2 by the last value, with a line of text and performance data", async () => {
    const stdin = await encoded(lines(every10(50, 1, 12)));
    const line = (state: string, why: string, data: string) => `${state} - p/t is 12${why} | 'p/t'=12${data}\n`;
    const since = "since 2026-01-01T00:00:20Z";
    expect(await check(stdin, "--warn", "20", "--crit", "30:")).toMatchObject({ code: 2 });
    expect(await check(stdin, "--warn", "20", "--crit", "30")).toEqual({
      code: 0,
      out: line("OK", "", ";20;30"),
      stderr: "",
    });
    expect(await check(stdin, "-w", "10", "-c", "30")).toEqual({
      code: 1,
      out: line("WARNING", `, outside 10, ${since}`, ";10;30"),
      stderr: "",
    });
    expect(await check(stdin, "--warning", "5", "--critical", "@10:20")).toEqual({
      code: 2,
      out: line("CRITICAL", `, inside @10:20, ${since}`, ";5;@10:20"),
      stderr: "",
    });
    expect((await check(stdin, "--crit", "30")).out).toBe(line("OK", "", ";;30"));
  });

  test("tells series apart that have the same name", async () => {
    const of = (value: number, plugin: string, plugin_instance = "") => [
      reading([{ gauge: value }], value, { identifier: { host: "h", plugin, plugin_instance, type: "t" } }),
    ];
    const [bad, good] = [of(60, "df", "a"), of(10, "df-a")];
    for (const stdin of [await encoded(bad, good), await encoded(good, bad)]) {
      const { code, out } = await check(stdin, "-c", "50");
      expect([code, out.split("\n")[0]]).toEqual([
        2,
        "CRITICAL - 1 critical, 1 ok: df-a/t is 60, outside 50, since 2026-01-01T00:01:00Z | 'df-a/t'=60;;50 'df-a/t'=10;;50",
      ]);
    }
    const { code, stdout } = await tongsBytes(["metrics", "plot", "-", "--series", "*"], {
      stdin: await encoded(bad, good),
    });
    expect([code, stdout.toString().match(/ df-a\/t\n/g)?.length]).toEqual([0, 2]);
    const page = await tongsBytes(["metrics", "report", "-", "-o", "-"], { stdin: await encoded(bad, good) });
    expect([page.code, page.stdout.toString()]).toEqual([0, expect.stringContaining("2 series")]);
  });

  test("shows the largest number as one, as plot does", async () => {
    const stdin = await encoded(lines([[0, Number.MAX_VALUE]]));
    expect((await check(stdin, "--crit", "5")).out).toMatch(/^CRITICAL - p\/t is 1\.8e\+308, outside 5/);
    const { stdout } = await tongsBytes(["metrics", "plot", "-", "--series", "*"], { stdin });
    expect(stdout.toString()).toMatch(/1\.8e\+308 +p\/t\n$/);
    expect(stdout.toString()).not.toContain("Infinity");
  });

  test("lists the series that are not ok, the worst first, and counts the others", async () => {
    const input = [1, 50, 15, 2].map((value, index) => lines(every10(value), { host: `h${index}` }));
    const stdin = await encoded(...input, lines(every10("NaN"), { host: "h4" }));
    const { code, out } = await check(stdin, "--warn", "10", "--crit", "20");
    expect(code).toBe(2);
    const [first = "", ...more] = out.trimEnd().split("\n");
    const [text, data] = first.split(" | ");
    expect(text).toBe(
      "CRITICAL - 1 critical, 1 warning, 1 unknown, 2 ok: h1/p/t is 50, outside 20, since 2026-01-01T00:00:00Z",
    );
    expect(data).toBe("'h1/p/t'=50;10;20 'h2/p/t'=15;10;20 'h4/p/t'=U;10;20 'h0/p/t'=1;10;20 'h3/p/t'=2;10;20");
    expect(more).toEqual([
      "CRITICAL: h1/p/t is 50, outside 20, since 2026-01-01T00:00:00Z",
      "WARNING: h2/p/t is 15, outside 10, since 2026-01-01T00:00:00Z",
      "UNKNOWN: h4/p/t: not a number",
    ]);
  });

  test("reports a state with --for only when it has held that long", async () => {
    const codeAfter = async (...values: (number | string)[]) => {
      const stdin = await encoded(lines(every10(...values)));
      return (await check(stdin, "--warn", "10", "--crit", "20", "--for", "30s")).code;
    };
    expect(await codeAfter(50, 50, 50)).toBe(0);
    expect(await codeAfter(50, 50, 50, 50)).toBe(2);
    expect(await codeAfter(15, 50, 15, 50)).toBe(1);
    expect(await codeAfter(50, 50, 5, 50, 50)).toBe(0);
    expect(await codeAfter(50, 50, "NaN", 50, 50)).toBe(0);
    const stdin = await encoded(lines(every10(5, 50, 50)), lines(every10(1, 1, 1), { host: "g" }));
    const { code, out } = await check(stdin, "--crit", "20", "--for", "1m");
    expect([code, out.split("\n")[1]]).toEqual([
      0,
      "OK: h/p/t is 50, not long enough outside 20, since 2026-01-01T00:00:10Z",
    ]);
  });

  test("starts --for again where readings are missing", async () => {
    const held = async (second: number) => {
      const points = [0, 10, 20, second].map((at): Point => [at, 50]);
      return (await check(await encoded(lines(points)), "--crit", "20", "--for", "30s")).code;
    };
    expect(await held(40)).toBe(2);
    expect(await held(90)).toBe(0);
  });

  test("compares counters by their rate, which is unknown after one reading and after a reset", async () => {
    const checkAfter = async (...values: number[]) =>
      check(await encoded(lines(every10(...values), { kind: "counter" })), "--crit", "50");
    expect(await checkAfter(0, 400)).toMatchObject({ code: 0, out: "OK - p/t is 40/s | 'p/t'=40;;50\n" });
    expect(await checkAfter(0, 400, 1000)).toMatchObject({ code: 2 });
    expect(await checkAfter(400)).toMatchObject({
      code: 3,
      out: "UNKNOWN - p/t: no rate: only one reading | 'p/t'=U;;50\n",
    });
    expect(await checkAfter(1e7, 2e7, 5)).toMatchObject({ code: 3, out: expect.stringContaining("no rate: reset") });
  });

  test("does not take a series for current that has stopped, or whose host has a wrong clock", async () => {
    const stdin = await encoded(
      lines([[9_999_999, 1]], { host: "ahead" }),
      lines(every10(1, 1, 1, 1, 1, 1), { host: "runs" }),
      lines(every10(1, 1), { host: "stopped" }),
    );
    const { code, out } = await check(stdin, "--crit", "5");
    expect(code).toBe(3);
    expect(out).toContain("UNKNOWN - 2 unknown, 1 ok: ");
    expect(out).toContain("UNKNOWN: stopped/p/t: no reading since 2026-01-01T00:00:10Z\n");
    expect(out).toContain("UNKNOWN: ahead/p/t: no reading up to now; 1 reading is ahead of the clock: left out\n");
    const late = await check(await encoded(lines(every10(1, 1))), "--crit", "5", "--since", "10m");
    expect(late).toMatchObject({ code: 3, out: "UNKNOWN - No series matches '*'\n" });
  });

  test("leaves out readings that are ahead of the clock, and says so, with text and with records", async () => {
    const hours = 3600;
    const now = hours - 20;
    const stdin = await encoded(
      lines([
        [now - 30, 1],
        [7 * hours, 1],
        [now - 20, 99],
        [now - 10, 99],
      ]),
    );
    const { code, out } = await check(stdin, "--warn", "10", "--crit", "50");
    expect(code).toBe(2);
    expect(out).toBe(
      "CRITICAL - p/t is 99, outside 50, since 2026-01-01T00:59:20Z; 1 reading is ahead of the clock: left out | 'p/t'=99;10;50\n",
    );
    expect((await check(stdin, "--crit", "50", "--jq", ".[].ahead")).out).toBe("1\n");
    // An interval, and clocks that differ by less than a minute.
    const codeAt = async (second: number, interval: string) =>
      (await check(await encoded(lines([[hours, 1]]), lines([[hours + second, 99]], { interval })), "--crit", "50"))
        .code;
    expect(await Promise.all([codeAt(60, "10s"), codeAt(61, "10s")])).toEqual([2, 0]);
    expect(await Promise.all([codeAt(300, "300s"), codeAt(301, "300s")])).toEqual([2, 0]);
  });

  test("counts a counter's rate without the readings ahead of the clock", async () => {
    const points: Point[] = [
      [0, 0],
      [100_000, 5],
      [10, 400],
    ];
    expect(await check(await encoded(lines(points, { kind: "counter" })), "--crit", "50")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^OK - p\/t is 40\/s; 1 reading is ahead of the clock: left out \|/),
    });
  });

  test("ignores late readings, and those without a time", async () => {
    const untimed = [reading([{ gauge: 99 }])];
    const late = await encoded(lines([[20, 1]]), lines([[10, 99]]), untimed);
    expect(await check(late, "--crit", "5")).toMatchObject({ code: 0 });
    const { code, out } = await check(await encoded(untimed), "--crit", "5");
    expect([code, out]).toEqual([3, "UNKNOWN - p/t: no reading with a time | 'p/t'=U;;5\n"]);
  });

  test("exits with 3 and a line on stdout for every failure, usage errors too", async () => {
    const run = (...words: string[]) => tongsBytes(["metrics", "check", ...words]);
    for (const words of [
      [],
      ["*"],
      ["*", captured],
      ["*", captured, "--warn"],
      ["*", captured, "--crit", "10:5"],
      ["*", captured, "--no-such-flag"],
      ["*", captured, "--crit", "1", "--for", "soon"],
      ["*", captured, "--crit", "1", "--server", "127.0.0.1:1"],
      ["*", "--crit", "1", "--server", "127.0.0.1:1", "--for", "5m"],
      ["*", "--crit", "1", "--server", "127.0.0.1:1"],
      ["*", "--crit", "1", "--server", "nonsense"],
      ["nothing|x", captured, "--crit", "1"],
      ["*", "no-such-file", "--crit", "1"],
    ]) {
      const { code, stdout, stderr } = await run(...words);
      expect([words, code, stderr]).toEqual([words, 3, ""]);
      expect(stdout.toString()).toMatch(/^UNKNOWN - [^|\n]+\n/);
      expect(stdout.toString()).not.toContain("|");
    }
    const json = await run("nothing", captured, "--crit", "1", "--json");
    expect([json.code, json.stdout.length]).toEqual([3, 0]);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: "no_series" } });
    expect(await run("--help")).toMatchObject({ code: 0 });
  });

  test("reads a file that is being written, but does not trust a damaged one", async () => {
    const cwd = emptyFolder();
    const whole = await encoded(lines(every10(1, 1, 50)));
    const run = () => tongsBytes(["metrics", "check", "p/t", "r.bin", "--crit", "20"], { cwd });
    writeFileSync(join(cwd, "r.bin"), whole.subarray(0, whole.length - 5));
    expect(await run()).toMatchObject({ code: 0 });
    appendFileSync(join(cwd, "r.bin"), whole.subarray(whole.length - 5));
    expect(await run()).toMatchObject({ code: 2 });
    writeFileSync(join(cwd, "r.bin"), Buffer.concat([whole, Buffer.from([3, 7, 7, 7])]));
    expect(await run()).toMatchObject({ code: 3 });
    writeFileSync(join(cwd, "r.bin"), "");
    expect(await run()).toMatchObject({ code: 3 });
  });

  test("keeps names from ending the text or the label, and shows control characters", async () => {
    const stdin = await encoded(
      lines(every10(1), { host: "it's a|b=c\n\u001b[31m" }),
      lines(every10(1), { host: "o" }),
    );
    const { out } = await check(stdin, "--crit", "@1:1");
    const [first = "", ...more] = out.trimEnd().split("\n");
    expect(first.match(/\|/g)).toHaveLength(1);
    expect(first).toContain("'it''s a/b_c ␛[31m/p/t'=1;;@1:1");
    expect(more.every((line) => line.startsWith("CRITICAL: "))).toBe(true);
    expect(out).not.toContain("\u001b");
  });

  test("gives units and limits that the guidelines know, all digits, and U for what is not a number", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "types.db"), "percent value:GAUGE:0:100.1\nmemory value:GAUGE:0:U\n");
    const stdin = await encoded(
      lines(every10(12.345678901234567), { type: "percent" }),
      lines(every10(1e21), { type: "memory" }),
      lines(every10("Infinity"), { type: "other" }),
    );
    const words = ["metrics", "check", "*", "-", "--warn", "~:1e30", "--types-db", "types.db"];
    const { stdout } = await tongsBytes(words, { stdin, cwd });
    expect(stdout.toString().split("\n")[0]?.split(" | ")[1]?.split(" ")).toEqual([
      "'p/other'=U;~:1e30",
      "'p/memory'=1000000000000000000000B;~:1e30;;0",
      "'p/percent'=12.345678901234567%;~:1e30;;0;100.1",
    ]);
  });

  test("prints the series as records with --json, --csv and --jq, with the same exit codes", async () => {
    const stdin = await encoded(lines(every10(1, 50)), lines(every10(1, "NaN"), { host: "g" }));
    const { code, out } = await check(stdin, "--crit", "20", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(out)).toEqual([
      {
        series: "h/p/t",
        host: "h",
        plugin: "p",
        plugin_instance: "",
        type: "t",
        type_instance: "",
        ds_name: "value",
        kind: "gauge",
        state: "critical",
        value: 50,
        time: "2026-01-01T00:00:10Z",
        since: "2026-01-01T00:00:10Z",
        reason: "outside 20",
      },
      expect.objectContaining({ series: "g/p/t", state: "unknown", value: "NaN", reason: "not a number" }),
    ]);
    const states = await check(stdin, "--crit", "20", "--jq", ".[].state");
    expect([states.code, states.out]).toEqual([2, "critical\nunknown\n"]);
    expect((await check(stdin, "--crit", "20", "--csv")).out.split("\n")[0]).toMatch(/^series,host,.*,state,value,/);
  });

  describe("with --server", () => {
    let endpoint: Endpoint | undefined;
    afterEach(async () => endpoint?.close());

    test("checks the readings in the cache of a collectd gRPC server", async () => {
      endpoint = await startCaching();
      const server = `127.0.0.1:${endpoint.port}`;
      const client = connectCollectd({ host: "127.0.0.1", port: endpoint.port }, { timeout: 600 });
      await client.put(delimitedMessages(dataBytes("collectd-5.12.delimited.bin")));
      client.close();
      const run = async (series: string, ...words: string[]) => {
        const now = new Date("2026-11-21T08:00:00Z");
        const ran = await tongsBytes(["metrics", "check", series, "--server", server, ...words], { now });
        return { code: ran.code, out: ran.stdout.toString() };
      };
      expect(await run("load/load:midterm", "--crit", "0.5")).toMatchObject({
        code: 2,
        out: expect.stringMatching(/^CRITICAL - load\/load:midterm is 0\.6987, outside 0\.5/),
      });
      expect(await run("*/load/load", "--crit", "5")).toMatchObject({ code: 0 });
      expect(await run("interface-lo/if_octets:rx", "--crit", "5")).toMatchObject({
        code: 3,
        out: expect.stringContaining("no rate: only one reading"),
      });
    });
  });
});
