import { describe, expect, test } from "vitest";
import { timeAxis, valueAxis } from "../../../src/metrics/plot/axis.ts";
import { createCanvas } from "../../../src/metrics/plot/text-plot.ts";
import { dataPath } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { fileBytes, tongsBytes } from "./bytes.ts";

const all = dataPath("collectd-5.12.delimited.bin");
const plot = (...words: string[]) => tongsBytes(["metrics", "plot", all, "--utc", ...words]);

describe("metrics plot", () => {
  test("draws a series within the width, with both axes", async () => {
    const { code, stdout } = await plot("--series", "*/load/load:midterm", "--width", "60");
    const lines = stdout.toString().trimEnd().split("\n");
    expect([code, lines[0]]).toEqual([0, "edge-01.example.net/load/load:midterm"]);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(stdout.toString()).toMatch(/0\.6 ┤[ \u2800-\u28ff]+\n/);
    expect(stdout.toString()).toContain("07:46:30");
    expect(stdout.toString()).toContain("2026-11-21 UTC");
  });

  test("draws counters as rates, and each data source of a type", async () => {
    const { stdout } = await plot("--series", "*/interface-eth0/if_octets");
    const titles = stdout
      .toString()
      .split("\n")
      .filter((line) => line.startsWith("edge-01"));
    expect(titles).toEqual(
      ["rx", "tx"].map((name) => `edge-01.example.net/interface-eth0/if_octets:${name}  per second`),
    );
  });

  test("writes a standalone SVG document", async () => {
    const cwd = emptyFolder();
    const { code, stdout } = await tongsBytes(["metrics", "plot", all, "--series", "*/load/*", "--svg", "load.svg"], {
      cwd,
    });
    const svg = fileBytes(cwd, "load.svg").toString();
    expect([code, stdout.length, svg.match(/<g /g)?.length]).toEqual([0, 0, 3]);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*<\/svg>\n$/);
    expect(svg).not.toMatch(/NaN|Infinity|href|script/);
  });

  test("lists available series if none matches, and rejects too many matches", async () => {
    expect(await plot("--series", "nothing")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("edge-01.example.net/"),
    });
    expect(await plot("--series", "*")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("more than 16 series"),
    });
    expect(await plot()).toMatchObject({ code: 2 });
  });

  test("draws a single point and a flat line", async () => {
    const line = (second: number) =>
      `{"values":[{"gauge":5}],"time":"2026-01-01T00:00:0${second}Z","identifier":{"host":"h","plugin":"p","type":"t"}}`;
    for (const seconds of [[1], [1, 2, 3]]) {
      const encoded = await tongsBytes(["metrics", "encode"], { stdin: Buffer.from(seconds.map(line).join("\n")) });
      const { stdout } = await tongsBytes(["metrics", "plot", "-", "--series", "*"], { stdin: encoded.stdout });
      expect(stdout.toString()).toMatch(/[\u2801-\u28ff]/);
      expect(stdout.toString()).not.toContain("NaN");
    }
  });
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
    expect(canvas.rows()).toEqual(["⡠⠊"]);
  });
});
