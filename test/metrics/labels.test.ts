import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createOpenMetricsPrinter } from "../../src/metrics/formats/openmetrics.ts";
import { labelPairs } from "../../src/metrics/formats/prometheus-names.ts";
import { createEncoder } from "../../src/metrics/forward/encoder.ts";
import { createReadingWriter } from "../../src/metrics/reading-writer.ts";
import { servePages } from "../../src/metrics/status/pages.ts";
import { slack } from "../../src/metrics/wire/block.ts";
import { emptyFolder } from "../support/tongs.ts";
import { readingWith } from "./forward/readings.ts";

const parts = { host: "h", plugin: "p", plugin_instance: "", type: "t", type_instance: "" };
const plugins = ["instance", "type", "plugin_type", "__name__", "__x", "__", "9", "", "\ufffd", "le"];
/** What a sender can call things so that two labels would have one name. */
const hostile = plugins.flatMap((plugin) =>
  ["", "a"].flatMap((plugin_instance) =>
    ["", "b"].map((type_instance) => ({ ...parts, plugin, plugin_instance, type_instance })),
  ),
);

test("no label occurs twice, or has a name that is reserved", () => {
  for (const identifier of hostile) {
    const names = labelPairs({ identifier }).map(([name]) => name);
    expect(new Set(names).size, JSON.stringify(identifier)).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^(?!__)[a-zA-Z_]\w*$/);
  }
  const of = (plugin: string) => labelPairs({ identifier: { ...parts, plugin, type_instance: "b" } });
  expect(of("instance")).toEqual([
    ["plugin_instance", "b"],
    ["instance", "h"],
  ]);
});

const program = process.env["TONGS_TEST_PROMETHEUS"] ?? "prometheus";
const isThere = spawnSync(program, ["--version"]).status === 0;
const skipped = isThere ? "" : " (skipped: there is no prometheus; Debian has a package)";

describe("a real Prometheus", () => {
  test.skipIf(!isThere)(`takes a page and a push with all of them${skipped}`, async () => {
    const begin = Math.floor(Date.now() / 1000) - 60;
    const pushed = hostile.map((one) => readingWith({ gauge: 1 }, begin, { ...one, host: "pushed" }));
    const pieces: Uint8Array[] = [];
    const sink = { write: (bytes: Uint8Array) => void pieces.push(Buffer.from(bytes)), drained: () => undefined };
    const writer = createReadingWriter(sink, { format: createOpenMetricsPrinter, utc: true, lenient: true });
    for (const one of hostile) {
      const padded = new Uint8Array(1000);
      const encoded = readingWith({ counter: 1n }, begin, { ...one, host: "scraped" });
      padded.set(encoded);
      expect(encoded.length + slack).toBeLessThan(1000);
      writer.handle(padded, new DataView(padded.buffer), 0, encoded.length);
    }
    await writer.end();
    const page = await servePages({ host: "127.0.0.1", port: 0 }, { hosts: [] }, () =>
      Buffer.concat(pieces).toString(),
    );
    const folder = emptyFolder();
    const target = `static_configs: [{targets: ["127.0.0.1:${page.port}"]}]`;
    const job = `{job_name: x, scrape_interval: 1s, scrape_timeout: 1s, honor_labels: true, ${target}}`;
    writeFileSync(join(folder, "prometheus.yml"), `scrape_configs: [${job}]\n`);
    const free = await servePages({ host: "127.0.0.1", port: 0 }, { hosts: [] }, () => "");
    await free.close();
    const address = `127.0.0.1:${free.port}`;
    const words = [
      `--web.listen-address=${address}`,
      `--storage.tsdb.path=${folder}/data`,
      `--config.file=${folder}/prometheus.yml`,
      "--web.enable-remote-write-receiver",
    ];
    const running = spawn(program, words, { stdio: "ignore" });
    try {
      const ask = (path: string, init?: RequestInit) => fetch(`http://${address}${path}`, init).catch(() => undefined);
      while ((await ask("/-/ready"))?.status !== 200) await wait(50);
      const { body, faults } = createEncoder("remote-write").encode(pushed);
      const { headers } = createEncoder("remote-write");
      const answer = await ask("/api/v1/write", {
        method: "POST",
        headers: { ...headers },
        body: Buffer.from(body ?? []),
      });
      expect([faults.size, answer?.status, await answer?.text()]).toEqual([0, 204, ""]);
      const countOf = async (host: string) => {
        const query = encodeURIComponent(`count(last_over_time({instance="${host}"}[5m]))`);
        const found = (await (await ask(`/api/v1/query?query=${query}`))?.json()) as {
          data: { result: { value: [number, string] }[] };
        };
        return Number(found.data.result[0]?.value[1] ?? 0);
      };
      expect(await countOf("pushed")).toBe(hostile.length);
      while ((await countOf("scraped")) === 0) await wait(100);
      expect(await countOf("scraped")).toBe(hostile.length);
    } finally {
      running.kill("SIGKILL");
      await page.close();
    }
  });
});
