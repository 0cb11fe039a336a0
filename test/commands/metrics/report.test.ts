import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { type ReportLine, reportData } from "../../../src/metrics/report/data.ts";
import { reportPage } from "../../../src/metrics/report/page.ts";
import { addPoint, createCurve } from "../../../src/metrics/series/curve.ts";
import { createMeters } from "../../../src/metrics/series/meters.ts";
import { emptySample } from "../../../src/metrics/series/samples.ts";
import { dataPath } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { encoded, reading, tongsBytes } from "./bytes.ts";

const all = dataPath("collectd-5.12.delimited.bin");
const program = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));

interface Line {
  readonly host?: string;
  readonly plugin?: string;
  readonly type?: string;
  readonly source?: string;
  readonly values: readonly (readonly [second: number, value: number | string])[];
}

/** Writes the readings of gauges, ten seconds apart, and makes a report of them. */
async function reported(...lines: readonly Line[]): Promise<{ cwd: string; page: string; stderr: string }> {
  const cwd = emptyFolder();
  const input = lines.flatMap(({ host = "h", plugin = "p", type = "t", source = "value", values }) => {
    const given = { interval: "10s", identifier: { host, plugin, type }, ds_names: [source] };
    return values.map(([second, gauge]) => reading([{ gauge }], second, given));
  });
  writeFileSync(join(cwd, "r.bin"), await encoded(...input));
  const { code, stderr } = await tongsBytes(["metrics", "report", "r.bin", "-o", "r.html"], { cwd });
  expect(code).toBe(0);
  return { cwd, page: join(cwd, "r.html"), stderr };
}

function dataOf(html: string): { series: { h: string; p: string; s: number[]; f: number; k: number; d: string }[] } {
  const [, json = ""] = /<script id="data" type="application\/json">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
}

/** A line with a point every ten seconds of a day. */
function day(name: number, valueAt: (index: number) => number): ReportLine {
  const meters = createMeters();
  const curve = createCurve({ name: "", unit: "", kind: "gauge", limits: undefined }, meters);
  curve.interval = 10;
  for (let index = 0; index < 8640; index += 1) {
    const sample = {
      ...emptySample(),
      kind: 2,
      gauge: valueAt(index),
      timed: true,
      seconds: 1_767_225_600 + index * 10,
    };
    addPoint(curve, meters, sample, 1024);
  }
  return {
    curve,
    host: `node${name % 50}.dc1.example.net`,
    plugin: `plugin-${name}`,
    type: "some_type",
    label: "value",
  };
}

describe("metrics report", () => {
  test("writes one page that loads nothing and has the license of its charts", async () => {
    const cwd = emptyFolder();
    const ran = await tongsBytes(["metrics", "report", all, "-o", "r.html"], { cwd });
    expect([ran.code, ran.stdout.length, ran.stderr]).toEqual([0, 0, "Wrote 345 series to r.html\n"]);
    const html = readFileSync(join(cwd, "r.html"), "utf8");
    expect(html).toContain("Permission is hereby granted, free of charge");
    expect(html).toContain("default-src 'none'");
    expect(html.match(/<script\b/g)).toHaveLength(2);
    expect(html.length).toBeGreaterThan(100_000);
    expect(html).not.toMatch(/<(link|img|iframe|script)\b[^>]* (src|href)="(?!data:,)/);
    expect(html).toMatch(/All \d+ points are shown\./);
  });

  test("keeps names from becoming markup or script", async () => {
    const evil = `</script><script>window.evil=1</script><!--\u2028\u2029"'&\u0000`;
    const { page } = await reported({ host: evil, plugin: "<img src=x onerror=evil()>", values: [[0, 1]] });
    const html = readFileSync(page, "utf8");
    expect(html.match(/<script\b/g)).toHaveLength(2);
    expect(html).not.toMatch(/<img|\u2028|\u2029|window\.evil=1<\/script>/);
    expect(dataOf(html).series[0]).toMatchObject({ h: evil, p: "<img src=x onerror=evil()>" });
  });

  test("keeps 2,000 series of a day below 5 MB, with their extremes, and says so", () => {
    const lines = Array.from({ length: 2000 }, (_, name) =>
      day(name, (index) => (index === 5003 ? 1e6 + name : index === 77 ? -5 : Math.sin(index * name) * 1e3)),
    );
    const html = reportPage(lines);
    expect(Buffer.byteLength(html)).toBeLessThan(5_000_000);
    expect(html).toMatch(/\d+ of 17280000 points are shown/);
    const { series } = dataOf(html);
    for (const [index, { d }] of series.entries()) {
      const bytes = Buffer.from(d, "base64");
      const count = (bytes[0] ?? 0) < 128 ? (bytes[0] ?? 0) : ((bytes[0] ?? 0) & 127) + (bytes[1] ?? 0) * 128;
      const values = Array.from({ length: count }, (_, at) => bytes.readFloatLE(bytes.length - (count - at) * 4));
      expect([Math.max(...values), Math.min(...values.slice(0, 20))]).toEqual([1e6 + index, expect.any(Number)]);
    }
  });

  test("stays small with series that have a break after each point", () => {
    const lines = Array.from({ length: 200 }, (_, name) =>
      day(name, (index) => (index % 2 === 0 ? index : Number.NaN)),
    );
    expect(reportData(lines).json.length).toBeLessThan(5_000_000);
  });

  test("opens the page in the browser after it is written, and only then", async () => {
    const cwd = emptyFolder();
    const browser = join(cwd, "browser");
    // Writes down what it was given, and how much of the page is there.
    writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$@" "$(tail -c 8 '${cwd}/a b.html')" > '${cwd}/opened'\n`);
    chmodSync(browser, 0o755);
    const env = { PATH: process.env["PATH"] ?? "", BROWSER: browser };
    const words = ["metrics", "report", all, "-o", "a b.html"];
    expect(await tongsBytes(words, { cwd, env })).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, "opened"))).toBe(false);
    expect(await tongsBytes([...words, "--open"], { cwd, env })).toMatchObject({ code: 0 });
    const page = pathToFileURL(join(cwd, "a b.html")).href;
    expect(readFileSync(join(cwd, "opened"), "utf8").trim().split("\n")).toEqual([page, "</html>"]);
  });

  test("keeps the page and names it when no browser starts", async () => {
    const cwd = emptyFolder();
    const env = { PATH: "", BROWSER: join(cwd, "none") };
    const ran = await tongsBytes(["metrics", "report", all, "-o", "r.html", "--open"], { cwd, env });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(pathToFileURL(join(cwd, "r.html")).href) });
    expect(readFileSync(join(cwd, "r.html"), "utf8")).toMatch(/<\/html>\n$/);
  });

  test("needs an output file and readings", async () => {
    expect(await tongsBytes(["metrics", "report", all])).toMatchObject({ code: 2 });
    expect(await tongsBytes(["metrics", "report", all, "--host", "nosuch", "-o", "-"])).toMatchObject({ code: 5 });
    expect(await tongsBytes(["metrics", "report", all, "--open", "-o", "-"])).toMatchObject({ code: 2 });
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "cut.bin"), readFileSync(all).subarray(0, 5000));
    expect(await tongsBytes(["metrics", "report", "cut.bin", "-o", "cut.html"], { cwd })).toMatchObject({ code: 13 });
    expect(statSync(join(cwd, "cut.html")).size).toBeGreaterThan(50_000);
  });
});

describe.skipIf(program === undefined)("the page in Chromium (skipped without Debian's chromium)", () => {
  let browser: Promise<Browser> | undefined;
  afterAll(async () => (await browser)?.close());

  const launched = () => {
    browser ??= chromium.launch({ ...(program !== undefined && { executablePath: program }), args: ["--no-sandbox"] });
    return browser;
  };

  async function open(file: string): Promise<{ page: Page; problems: string[]; requests: string[] }> {
    const page = await (await launched()).newPage({ viewport: { width: 1200, height: 900 } });
    const problems: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector(".uplot");
    return { page, problems, requests };
  }

  /** The number of pixels of a chart that have a color. */
  const inkOf = (page: Page, chart = 0) =>
    page.evaluate(`(() => {
      const canvas = document.querySelectorAll("section canvas")[${chart}];
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let colored = 0;
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] > 0 && Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]) > 60) colored += 1;
      return colored;
    })()`);

  test("draws, finds, zooms all charts, and asks for nothing else", async () => {
    const wave = (scale: number) =>
      Array.from({ length: 300 }, (_, at) => [at * 10, Math.sin(at / 9) * scale] as const);
    const { page: file } = await reported(
      ...["a", "b"].flatMap((host) => [
        { host, plugin: "load", type: "load", values: wave(1) },
        { host, plugin: "load", type: "other", values: wave(5) },
        { host, plugin: "needle", type: "gauge", values: wave(9) },
      ]),
    );
    const { page, problems, requests } = await open(file);
    expect(await inkOf(page)).toBeGreaterThan(300);
    expect(await page.getByRole("status").textContent()).toBe("a/load: 2 charts");

    const before = await page.locator("canvas").first().screenshot();
    const second = await page.locator("canvas").nth(1).screenshot();
    const area = await page.locator(".u-over").first().boundingBox();
    const [x, y] = [(area?.x ?? 0) + 100, (area?.y ?? 0) + 60];
    await page.mouse.move(x, y);
    expect(await page.locator(".u-legend td").first().textContent()).toMatch(/^-?\d/);
    await page.mouse.down();
    await page.mouse.move(x + 200, y, { steps: 4 });
    await page.mouse.up();
    expect(await page.locator("canvas").first().screenshot()).not.toEqual(before);
    expect(await page.locator("canvas").nth(1).screenshot()).not.toEqual(second);

    await page.keyboard.press("/");
    await page.keyboard.type("b needle");
    expect(await page.locator("#tree button").allTextContents()).toEqual(["needle"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await page.locator("h2").allTextContents()).toEqual(["needle / gauge b"]);
    await page.waitForSelector(".uplot");
    const whole = await page.locator("canvas").first().screenshot();
    await page.locator("section").first().focus();
    await page.keyboard.press("+");
    expect(await page.locator("canvas").first().screenshot()).not.toEqual(whole);
    expect([problems, requests]).toEqual([[], [pathToFileURL(file).href]]);
  });

  test("shows the exact time of the point at the cursor, and all times in UTC, wherever the browser is", async () => {
    const values = Array.from({ length: 1000 }, (_, at) => [at * 90, at] as const);
    const { page: file } = await reported({ values });
    const pictures = [];
    for (const timezoneId of ["America/New_York", "UTC"]) {
      const context = await (await launched()).newContext({ timezoneId });
      const page = await context.newPage();
      await page.goto(pathToFileURL(file).href);
      pictures.push(await page.locator("canvas").first().screenshot());
      const area = await page.locator(".u-over").first().boundingBox();
      await page.mouse.move((area?.x ?? 0) + 101, (area?.y ?? 0) + 60);
      const time = (await page.locator("section time").textContent()) ?? "";
      expect(time).toMatch(/^2026-01-0[12] \d\d:\d\d:[03]0 UTC$/);
      expect((Date.parse(time.replace(" UTC", "Z").replace(" ", "T")) - Date.UTC(2026, 0, 1)) % 90_000).toBe(0);
      await context.close();
    }
    expect(pictures[0]).toEqual(pictures[1]);
  });

  test("shows hostile names as text", async () => {
    const host = "</script><script>document.title='evil'</script>";
    const { page: file } = await reported({
      host,
      plugin: "<b>p</b>",
      source: "<i>x",
      values: [
        [0, 1],
        [10, 2],
      ],
    });
    const { page, problems } = await open(file);
    expect(await page.locator("summary").textContent()).toBe(host);
    expect(await page.locator("#tree button").textContent()).toBe("<b>p</b>");
    expect([await page.title(), await page.locator("b, section i").count(), problems]).toEqual([
      "collectd readings",
      0,
      [],
    ]);
  });

  test("breaks the line where readings are missing", async () => {
    const values = (gap: number) => Array.from({ length: 60 }, (_, at) => [at * 10 + (at < 30 ? 0 : gap), 5] as const);
    const inks = [];
    for (const gap of [0, 600])
      inks.push(Number(await inkOf((await open((await reported({ values: values(gap) })).page)).page)));
    expect(inks[1]).toBeLessThan((inks[0] ?? 0) * 0.8);
  });

  test("is dark where the system is, and by its button", async () => {
    const { page: file } = await reported({
      values: [
        [0, 1],
        [10, 2],
      ],
    });
    const { page } = await open(file);
    const back = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await back();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await back();
    expect([light, dark]).toEqual(["rgb(255, 255, 255)", "rgb(20, 23, 26)"]);
    await page.getByRole("button", { name: "Light or dark" }).click();
    expect(await back()).toBe(light);
  });

  /** 5,000 series: 50 hosts with 25 plugins, of which one has a very long name. */
  async function fleet(): Promise<string> {
    const names = ["cpu", "load", "disk-with-a-name-that-no-narrow-screen-has-room-for-in-one-line"];
    const series = (host: number, plugin: number) =>
      ["free", "used", "cached", "reserved"].map((source) => ({
        host: `edge-${String(host).padStart(2, "0")}.example.net`,
        plugin: names[plugin] ?? `plugin${plugin}`,
        type: "memory",
        source,
        values: [0, 7200, 200_000].map((at) => [at, 123_456_789 + at + host] as const),
      }));
    const all = Array.from({ length: 50 * 25 }, (_, index) => series(Math.floor(index / 25), index % 25));
    return (await reported(...all.flat())).page;
  }

  test("of 5,000 series is whole on a narrow screen: the list opens on demand, and no text is cut", async () => {
    const { page, problems } = await open(await fleet());
    await page.setViewportSize({ width: 390, height: 844 });
    const overflowing = () =>
      page.evaluate(`[...document.querySelectorAll("body, nav, main, section, .u-legend, .u-legend tr")]
        .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.className || one.localName)`);
    const list = page.locator("#tree");
    expect([await list.isVisible(), await overflowing()]).toEqual([false, []]);
    expect((await page.locator("section").first().boundingBox())?.y).toBeLessThan(200);
    const toggle = page.getByRole("button", { name: "List" });
    await toggle.click();
    expect([await list.isVisible(), await toggle.getAttribute("aria-expanded")]).toEqual([true, "true"]);
    await page.getByRole("button", { name: "disk-with-a-name" }).first().click();
    expect([await list.isVisible(), await overflowing()]).toEqual([false, []]);
    await page.getByRole("searchbox").fill("edge-49 load");
    expect(await page.locator("#tree button").allTextContents()).toEqual(["load"]);
    expect([await list.isVisible(), problems]).toEqual([true, []]);
  });

  test("of 5,000 series is grouped by host or by plugin, and the arrow keys open and close groups", async () => {
    const { page } = await open(await fleet());
    const groups = () => page.locator("summary").allTextContents();
    expect((await groups()).length).toBe(50);
    await page.getByRole("button", { name: "By plugin" }).click();
    expect((await groups()).length).toBe(25);
    const first = page.locator("summary").first();
    await first.focus();
    const isOpen = () => page.evaluate("document.querySelector('details').open");
    await page.keyboard.press("ArrowRight");
    expect([await first.textContent(), await isOpen()]).toEqual(["cpu", true]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("status").textContent()).toBe("edge-00.example.net/cpu: 1 chart");
    await first.focus();
    await page.keyboard.press("ArrowLeft");
    expect(await isOpen()).toBe(false);
    // All hosts of a plugin.
    await page.keyboard.press("/");
    await page.keyboard.type("load");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("status").textContent()).toBe("Search for load: 40 charts, 10 more not shown");
  });

  test("is printed with all charts, light and without what is only for the screen, and is as before after it", async () => {
    const { page } = await open(await fleet());
    await page.emulateMedia({ colorScheme: "dark" });
    await page.keyboard.press("/");
    await page.keyboard.type("edge-07");
    await page.keyboard.press("Enter");
    expect(await page.locator(".uplot").count()).toBeLessThan(25);
    await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await page.locator(".uplot").count()).toBe(25);
    const back = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect([await page.locator("nav").isVisible(), await back()]).toEqual([false, "rgb(255, 255, 255)"]);
    await page.evaluate("window.dispatchEvent(new Event('afterprint'))");
    await page.emulateMedia({ media: "screen", colorScheme: "dark" });
    expect([await page.locator("nav").isVisible(), await back()]).toEqual([true, "rgb(20, 23, 26)"]);
  });
});
