import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { timeAxis, valueAxis } from "../../../src/metrics/plot/axis.ts";
import { createCanvas } from "../../../src/metrics/plot/canvas.ts";
import { thin } from "../../../src/metrics/series/curve.ts";
import { dataPath } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { encoded, fileBytes, reading, records, tongsBytes } from "./bytes.ts";

const all = dataPath("collectd-5.12.delimited.bin");
const plot = (...words: string[]) => tongsBytes(["metrics", "plot", all, "--utc", ...words]);

describe("metrics plot", () => {
  test("draws a series within the width, with both axes", async () => {
    const { code, stdout } = await plot("--series", "*/load/load:midterm", "--width", "60");
    const lines = stdout.toString().trimEnd().split("\n");
    expect([code, lines.at(-1)]).toEqual([0, "0.5767     0.63  0.6987  0.6387  0.6987  load/load:midterm"]);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(stdout.toString()).toMatch(/0\.6 ┤[ \u2800-\u28ff]+\n/);
    expect(stdout.toString()).toContain("07:46:30");
    expect(stdout.toString()).toContain("2026-11-21 UTC");
  });

  test("draws counters as rates, and each data source of a type", async () => {
    const { stdout } = await plot("--series", "*/interface-eth0/if_octets");
    const lines = stdout.toString().trimEnd().split("\n").slice(-3);
    expect(lines.map((line) => line.split(/ {2,}/).filter((cell) => cell !== ""))).toEqual([
      ["min", "average", "max", "first", "last"],
      ["a", "0/s", "0/s", "0/s", "0/s", "0/s", "interface-eth0/if_octets:rx"],
      ["b", "0/s", "0/s", "0/s", "0/s", "0/s", "interface-eth0/if_octets:tx"],
    ]);
  });

  test("writes a standalone SVG document", async () => {
    const cwd = emptyFolder();
    const { code, stdout } = await tongsBytes(["metrics", "plot", all, "--series", "*/load/*", "--svg", "load.svg"], {
      cwd,
    });
    const svg = fileBytes(cwd, "load.svg").toString();
    expect([code, stdout.length, svg.match(/stroke-linecap/g)?.length]).toEqual([0, 0, 3]);
    const title = "load/load:longterm, load/load:midterm, load/load:shortterm";
    expect(svg).toContain(`role="img" aria-label="${title}">\n<title>${title}</title>`);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*<\/svg>\n$/);
    expect(svg).not.toMatch(/NaN|Infinity|href|script/);
  });

  test("lists available series if none matches, and rejects too many matches", async () => {
    expect(await plot("--series", "nothing")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("aggregation-cpu-average/cpu-idle"),
    });
    expect(await plot("--series", "*")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("more than 16 series"),
    });
    expect(await plot()).toMatchObject({ code: 2 });
  });

  test("finds each series by the name that stat prints, with and without its host and data source", async () => {
    const found = await tongsBytes(["metrics", "stat", all, "--jsonl", "--json", "series,host"]);
    const rows = records(found.stdout) as { series: string; host: string }[];
    for (const { series, host } of rows.filter((_, index) => index % 40 === 0)) {
      for (const name of [series, `${host}/${series}`]) expect(await plot("--series", name)).toMatchObject({ code: 0 });
    }
    for (const name of [
      "exec-limits/gauge-*",
      "load/load",
      "load/load:*",
      "edge-01.example.net/load/load",
      "users/users:value",
    ])
      expect(await plot("--series", name)).toMatchObject({ code: 0 });
  });

  const values = (kind: string, all: readonly (readonly [second: number, value: number | string])[], host = "h") => {
    const given = { interval: "10s", identifier: { host, plugin: "p", type: "t" } };
    return all.map(([second, value]) => reading([{ [kind]: value }], second, given));
  };
  const plotOf = async (readings: readonly object[], ...words: string[]) => {
    const stdin = await encoded(...readings);
    return (
      await tongsBytes(["metrics", "plot", "-", "--utc", "--series", "*", ...words], { stdin })
    ).stdout.toString();
  };

  test("says that old readings take the axis, and how to plot what follows them", async () => {
    const minutes = Array.from({ length: 30 }, (_, index) => [index * 10, index] as const);
    const gauges = (seconds: typeof minutes) => encoded(...values("gauge", seconds));
    const stdin = await gauges([[-1_767_225_595, 1], ...minutes]);
    const words = ["metrics", "plot", "-", "--utc", "--series", "*"];
    const since = ["--since", "2026-01-01T00:00:00Z"];
    const { stderr } = await tongsBytes(words, { stdin });
    expect(stderr).toContain(`Old readings take nine tenths of the axis; ${since.join(" ")} plots what follows them`);
    const [one, other] = [
      await tongsBytes([...words, ...since], { stdin }),
      await tongsBytes(words, { stdin: await gauges(minutes) }),
    ];
    expect([one.stdout.toString(), one.stderr, other.stderr]).toEqual([other.stdout.toString(), "", ""]);
  });

  const pathsOf = (svg: string) => [...svg.matchAll(/<path d="([^"]*)" fill="none"/g)].map(([, path = ""]) => path);

  test("breaks the line where more than two readings are missing, and at a reset, in any order of files", async () => {
    const twoMissing = [0, 10, 20, 50, 60].map((second) => [second, second] as const);
    const threeMissing = [0, 10, 20, 60, 70].map((second) => [second, second] as const);
    const breaks = async (kind: string, all: typeof twoMissing) =>
      (pathsOf(await plotOf(values(kind, all), "--svg", "-"))[0] ?? "").split("M").length - 2;
    expect(await breaks("gauge", twoMissing)).toBe(0);
    expect(await breaks("gauge", threeMissing)).toBe(1);
    expect(await breaks("gauge", threeMissing.toReversed())).toBe(1);
    expect(
      await breaks("counter", [
        ...[
          [0, 1000],
          [10, 2000],
          [20, 3000],
          [30, 5],
          [40, 10],
          [50, 20],
        ].map(([second = 0, value = 0]) => [second, value] as const),
      ]),
    ).toBe(1);
  });

  test("says below the plot what a series was first, last, least and most, in any order of files", async () => {
    const points = [
      [20, 4],
      [0, 3],
      [30, 1],
      [10, 9],
    ] as const;
    for (const order of [points, points.toReversed()]) {
      const lines = (await plotOf(values("gauge", order))).trimEnd().split("\n").slice(-2);
      expect(lines.map((line) => line.trim().split(/ +/))).toEqual([
        ["min", "average", "max", "first", "last"],
        ["1", "4.25", "9", "3", "1", "p/t"],
      ]);
    }
  });

  test("has the average of a counter that stat has, also where readings are missing, and of --compare", async () => {
    const counter = [0, 10, 20, 3620, 3630].map((second, at) => [second, at < 3 ? second : second * 10] as const);
    const stdin = await encoded(...values("counter", counter));
    const { stdout } = await tongsBytes(["metrics", "stat", "-", "--jq", ".[].rate"], { stdin });
    expect(stdout.toString()).toBe("10\n");
    for (const words of [[], ["--compare", "2h"]])
      expect(await plotOf(values("counter", counter), ...words)).toMatch(/1\/s +10\/s +10\.05\/s /);
  });

  test("leaves out what is ahead of the clock and says so, unless --until includes it or there is nothing else", async () => {
    const day = 86_400;
    const input = values("counter", [...[0, 10].map((at) => [at, at] as const), [9 * day, 1000], [20, 30]]);
    const stdin = await encoded(...input);
    const run = async (now: string, ...words: string[]) => {
      const argv = ["metrics", "plot", "-", "--utc", "--series", "*", ...words];
      const { stdout, stderr } = await tongsBytes(argv, { stdin, now: new Date(now) });
      const text = stdout.toString();
      return [text.match(/\d{4}-\d\d-\d\d.* UTC/)?.[0], text.trimEnd().split("\n").at(-1)?.split(/ +/)[2], stderr];
    };
    const warning = "! Left out 1 value that is ahead of the clock; --until TIME includes them\n";
    expect(await run("2026-01-01T12:00:00Z")).toEqual(["2026-01-01 UTC", "2/s", warning]);
    const until = await run("2026-01-01T12:00:00Z", "--until", "2027-01-01");
    expect([until[0], until[2]]).toEqual(["2026-01-01 to 2026-01-10 UTC", expect.stringContaining("1 late reading")]);
    expect(await run("2000-01-01T12:00:00Z")).toEqual(until);
  });

  test("draws a flat line at zero on an axis from 0 to 1", async () => {
    const flat = [0, 10, 20].map((second) => [second, 0] as const);
    const labels = [...(await plotOf(values("gauge", flat))).matchAll(/^ *(-?[\d.]+) ┤/gm)].map(([, label]) => label);
    expect([labels.at(-1), labels[0]]).toEqual(["0", "1"]);
  });

  test("stacks series, and names hosts only if they differ", async () => {
    const times = [0, 10, 20, 30];
    const flat = (value: number) => times.map((second) => [second, value] as const);
    const input = [...values("gauge", flat(1), "one"), ...values("gauge", flat(2), "two")];
    expect(await plotOf(input, "--stack")).toMatch(/^3 ┤|\n *3 ┤/);
    expect(await plotOf(input)).not.toMatch(/\n *3 ┤/);
    expect(await plotOf(input)).toMatch(/a +1 +1 +1 +1 +1 {2}one\/p\/t\nb +2 +2 +2 +2 +2 {2}two\/p\/t\n/);
  });

  test("compares the last span with the one before it, or the time since --since", async () => {
    const hours = (from: number, to: number, value: (hour: number) => number) =>
      Array.from({ length: to - from }, (_, hour) => [(from + hour) * 3600, value(from + hour)] as const);
    const input = values(
      "gauge",
      hours(0, 72, (hour) => Math.floor(hour / 24) * 100 + (hour % 24)),
    );
    const legend = async (...words: string[]) =>
      (await plotOf(input, "--width", "80", ...words))
        .trimEnd()
        .split("\n")
        .slice(-2)
        .map((line) => line.split(/ {2,}/));
    expect(await legend("--compare", "1d")).toEqual([
      ["a", "123", "208", "223", "123", "223", "p/t"],
      ["b", "23", "108", "123", "23", "123", "p/t 1d before"],
    ]);
    expect(await legend("--compare", "1d", "--since", "2026-01-03T20:00:00Z")).toEqual([
      ["a", "220", "221.5", "223", "220", "223", "p/t"],
      ["b", "120", "121.5", "123", "120", "123", "p/t 1d before"],
    ]);
    expect(await plotOf(input, "--compare", "1d")).toMatch(/2026-01-02 to 2026-01-03 UTC/);
    const until = await legend("--compare", "2d", "--since", "2026-01-03T00:00:00Z", "--until", "2026-01-03T02:00:00Z");
    expect(until.map(([, min, , max]) => [min, max])).toEqual([
      ["200", "201"],
      ["0", "1"],
    ]);
  });

  test("says so if there is nothing to compare with, and compares at most 8 series", async () => {
    const old = await plotOf(values("gauge", [[0, 7]]), "--compare", "1d", "--since", "2026-01-01T01:00:00Z");
    expect(old).toMatch(/ +- +- +- +- +- {2}p\/t\nb +7 +7 +7 +7 +7 {2}p\/t 1d before\n$/);
    const ran = await plot("--series", "*/load/load:midterm", "--compare", "1d");
    expect(ran).toMatchObject({ code: 0, stderr: "! No readings from 1d before\n" });
    expect(ran.stdout.toString()).toMatch(/ +- +- +- +- +- {2}load\/load:midterm 1d before\n$/);
    expect(await plot("--series", "*/load/load", "--compare", "1d", "--stack")).toMatchObject({ code: 2 });
    expect(await plot("--series", "*/load/load", "--compare", "soon")).toMatchObject({ code: 2 });
    expect(await plot("--series", "interface-lo/*", "--series", "load/load", "--compare", "1s")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("more than 8 series"),
    });
  });

  test("puts the letters of all series in the last columns, beside the line on which they end", async () => {
    const input = ["one", "two", "three", "four"].flatMap((host) => values("gauge", [[0, 5]], host));
    input.push(...values("gauge", [[30, 9]], "four"));
    const area = (await plotOf(input, "--width", "60")).split("\n").filter((line) => /[│┤]/.test(line));
    const letters = area.filter((line) => /[a-d]$/.test(line));
    expect(letters.map((line) => [line.trim().split(" ")[0], line.slice(57)])).toEqual([
      ["9", "a"],
      ["5", "bcd"],
    ]);
    const many = Array.from({ length: 16 }, (_, index) => values("gauge", [[0, 5]], `h${index}`));
    const end = (await plotOf(many.flat(), "--width", "60")).split("\n").find((line) => / a/.test(line));
    expect([end?.length, end?.slice(-9)]).toEqual([60, " abcdefg…"]);
  });

  test("has a legend that fits a narrow terminal: fewer columns, and names that go on after a slash", async () => {
    const { stdout } = await plot("--series", "interface-lo/if_octets", "--width", "50");
    const lines = stdout.toString().trimEnd().split("\n").slice(-3);
    expect(lines).toEqual([
      "        max      last",
      "a  897.8k/s  22.99k/s  interface-lo/if_octets:rx",
      "b  897.8k/s  22.99k/s  interface-lo/if_octets:tx",
    ]);
    const narrow = (await plot("--series", "interface-lo/if_octets:rx", "--width", "26")).stdout.toString();
    expect(narrow.trimEnd().split("\n").slice(-3)).toEqual([
      "    last",
      "22.99k/s  interface-lo/",
      "          if_octets:rx",
    ]);
  });

  test("takes limits and units from types.db, and leaves out a rate below the minimum", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "types.db"), "if_octets rx:DERIVE:0:U, tx:DERIVE:0:U\n");
    const identifier = { host: "h", plugin: "interface", plugin_instance: "eth0", type: "if_octets" };
    const of = (second: number, rx: number) =>
      reading([{ derive: rx }, { derive: 0 }], second, { interval: "10s", identifier, ds_names: ["rx", "tx"] });
    const stdin = await encoded(of(10, 1000), of(20, 3000), of(30, 2900), of(40, 3000));
    const drawn = (...words: string[]) =>
      tongsBytes(["metrics", "plot", "-", "--series", "*:rx", "--utc", ...words], { stdin, cwd });
    expect((await drawn()).stdout.toString()).toContain("-10/s  66.67/s  200/s  200/s  10/s");
    expect((await drawn("--types-db", "types.db")).stdout.toString()).toContain(
      "10 B/s  105 B/s  200 B/s  200 B/s  10 B/s",
    );
    expect(await drawn("--types-db", "nosuch")).toMatchObject({ code: 5 });
  });

  test("shows a hostile name as text", async () => {
    const input = values("gauge", [[0, 1]], '<script>alert(1)</script>"\u001b[31m');
    const svg = await plotOf(input, "--svg", "-");
    expect(svg).not.toMatch(/<script|\u001b|""/);
    expect(svg).toContain("p/t");
    expect(await plotOf([...input, ...values("gauge", [[0, 1]], "other")])).not.toContain("\u001b");
  });

  test.each([["1e18"], ["1000000000000000000", "1000000000000000256"]])(
    "ends for the very large times %j",
    async (...times) => {
      const timed = (seconds: string) => ({ time: { seconds: String(BigInt(Number(seconds))), nanos: 0 } });
      const stdin = await encoded(...times.map((time) => reading([{ gauge: 1 }], undefined, timed(time))));
      for (const words of [["--utc"], [], ["--svg", "-"]]) {
        const ran = await tongsBytes(["metrics", "plot", "-", "--series", "p/t", ...words], { stdin });
        expect([ran.code, ran.stderr]).toEqual([0, ""]);
      }
    },
  );
});

test("points are left out between the extremes", () => {
  const points = Array.from({ length: 100_000 }, (_, time) => ({ time, value: time === 77_777 ? 1e6 : time % 10 }));
  points[500] = { time: 500, value: Number.NaN };
  points[40_001] = { time: 40_001, value: -1e6 };
  const kept = thin(points, 1000);
  expect(kept.length).toBeLessThanOrEqual(1000);
  expect(kept).toContainEqual({ time: 77_777, value: 1e6 });
  expect(kept).toContainEqual({ time: 40_001, value: -1e6 });
  expect(kept.filter(({ value }) => Number.isNaN(value))).toHaveLength(1);
  expect(kept.every(({ time }, index) => time > (kept[index - 1]?.time ?? -1))).toBe(true);
});

describe("axes and dots", () => {
  test("have round ticks that enclose the values", () => {
    expect(valueAxis(0, 97, 4).marks.map(({ label }) => label)).toEqual(["0", "50", "100"]);
    expect(valueAxis(1234, 5678, 4).marks.map(({ label }) => label)).toEqual(["0", "2k", "4k", "6k"]);
    expect(valueAxis(-0.02, 0.03, 5).marks.map(({ label }) => label)).toEqual([
      "-0.02",
      "-0.01",
      "0",
      "0.01",
      "0.02",
      "0.03",
    ]);
    expect(timeAxis(0, 3600, 6, true).marks.map(({ label }) => label)).toEqual([
      "00:00",
      "00:10",
      "00:20",
      "00:30",
      "00:40",
      "00:50",
      "01:00",
    ]);
  });

  test("fill a braille cell dot by dot", () => {
    const canvas = createCanvas(2, 1);
    canvas.line(0, 3, 3, 0);
    expect(canvas.rows()).toEqual([[{ pen: 0, text: "⡠⠊" }]]);
  });
});
