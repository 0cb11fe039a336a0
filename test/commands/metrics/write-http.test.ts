import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { serve } from "../../../src/commands/metrics/serve.ts";
import { readWriteHttp } from "../../../src/metrics/encode/from-write-http.ts";
import { TextError } from "../../../src/metrics/encode/pieces.ts";
import { dataLines, dataPath } from "../../metrics/data.ts";
import { startEngine } from "../../metrics/forward/engine.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { records, tongsBytes } from "./bytes.ts";
import { serving, until } from "./serving.ts";

const name = "collectd-5.12.write_http";

/** What write_http printed. As texts, because JSON.parse rounds integers of 64 bits. */
const theirs = dataLines(`${name}.ndjson`).map((line) => {
  const quoted = line.replace(
    /"values":\[(.*?)\]/,
    (_, values: string) => `"values":["${values.replaceAll(",", '","')}"]`,
  );
  const one = JSON.parse(quoted) as Theirs;
  const values = one.values.map((value, at) => (one.dstypes[at] === "gauge" ? gaugeText(value) : value));
  return { ...one, values };
});

/** The readings of a file in the precision of write_http. */
async function readingsIn(file: string): Promise<readonly Theirs[]> {
  const { code, stdout } = await tongsBytes(["metrics", "decode", file, "--format", "ndjson"]);
  expect(code).toBe(0);
  return (records(stdout) as unknown as Printed[]).map(({ values, ds_names, time, interval, identifier }) => {
    const both = values.flatMap((one) => Object.entries(one));
    const { plugin_instance = "", type_instance = "", ...rest } = identifier;
    return {
      values: both.map(([kind, value]) => (kind === "gauge" ? gaugeText(value) : value)),
      dstypes: both.map(([kind]) => kind),
      dsnames: ds_names,
      time: Number(seconds(time).toFixed(3)),
      interval: Number(Number.parseFloat(interval).toFixed(3)),
      ...rest,
      plugin_instance,
      type_instance,
    };
  });
}

test("prints what collectd's own write_http plugin printed of the same readings", async () => {
  const ours = await readingsIn(dataPath(`${name}.bin`));
  expect([ours.length, ours]).toEqual([153, theirs]);
});

describe("metrics serve --http", () => {
  /** Posts a body, and returns the status and the text of the answer. */
  async function post(server: ReturnType<typeof serving>, body: string | Buffer, method = "POST", headers = {}) {
    const at = /Taking write_http at (\S+)/;
    await until(() => at.test(server.notes.join("")));
    const url = at.exec(server.notes.join(""))?.[1] ?? "";
    const response = await fetch(url, { method, headers, ...(method === "POST" && { body }) });
    return [response.status, await response.text()];
  }
  async function page(server: ReturnType<typeof serving>, what: string) {
    const at = new RegExp(`${what} at (\\S+)`);
    await until(() => at.test(server.notes.join("")));
    return (await fetch(at.exec(server.notes.join(""))?.[1] ?? "")).text();
  }
  const withTypes = () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "types"), "load shortterm:GAUGE:0:U, midterm:GAUGE:0:U, longterm:GAUGE:0:U\n");
    return cwd;
  };
  const words = ["--to", "r.bin", "--http", "0", "--types-db", "types"];

  test("records the readings that collectd's write_http plugin posts, before it answers", async () => {
    const server = serving(words, withTypes());
    const lines = dataLines(`${name}.ndjson`);
    expect(await post(server, `[${lines.slice(0, 100).join(",\n")}]`)).toEqual([200, "OK\n"]);
    expect(await readingsIn(join(server.cwd, "r.bin"))).toEqual(theirs.slice(0, 100));
    expect(await post(server, `[${lines.slice(100).join(",")}]`)).toEqual([200, "OK\n"]);
    server.stop();
    expect((await server.ended).stderr).toContain("Received 153 readings");
    expect(await readingsIn(join(server.cwd, "r.bin"))).toEqual(theirs);
  });

  test("answers others while it takes a large body", async () => {
    const server = serving([...words, "--status-address", "0"], withTypes());
    const line = dataLines(`${name}.ndjson`)[0] ?? "";
    const body = `[${Array.from({ length: 20_000 }, () => line).join()}]`;
    let isTaken = false;
    const posted = post(server, body).then((answer) => {
      isTaken = true;
      return answer;
    });
    let meanwhile = 0;
    while (!isTaken) {
      const text = await page(server, "Status");
      const [, count = "0"] = /received_readings_total (\d+)/.exec(text) ?? [];
      if (Number(count) > 0 && Number(count) < 20_000) meanwhile += 1;
    }
    expect(await posted).toEqual([200, "OK\n"]);
    expect(meanwhile).toBeGreaterThan(0);
    server.stop();
    await server.ended;
  });

  test("reads a body item by item, so that others get their turn between them, whatever texts are in it", () => {
    const [line = ""] = dataLines(`${name}.ndjson`);
    const odd = line.replace("edge-02", '],{\\"\\\\');
    const rules = { types: undefined, now: () => 0 };
    const items = readWriteHttp(` [${odd} ,\n${odd},${line.slice(0, -1)}]`, rules);
    const host = expect.stringContaining('],{"\\');
    for (let read = 0; read < 2; read += 1) expect(items.next().value).toMatchObject({ identifier: { host } });
    expect(() => items.next()).toThrow("unterminated JSON object");
    for (const body of ["[", "[1", '["', '["\\', "[{}}", "[1,]", "[[]", "[{]"])
      expect(() => [...readWriteHttp(body, rules)], body).toThrow(TextError);
    expect([...readWriteHttp(" [ ]\n", rules)]).toEqual([]);
  });

  test("has LogHttpError in the configuration of its help: without it, collectd says nothing of what was refused", () => {
    expect(serve.details).toContain('"JSON"\n      LogHttpError true\n');
  });

  test("takes PUTVAL lines, and answers QueryValues and shows with --expose what it took", async () => {
    const server = serving([...words, "--expose", "0"], withTypes());
    const lines =
      "PUTVAL edge-01/load/load interval=10.000 1795684096.020:1:2:3\r\nPUTVAL edge-02/load/load N:U:2:3\r\n";
    expect(await post(server, lines)).toEqual([200, "OK\n"]);
    const found = await readingsIn(join(server.cwd, "r.bin"));
    expect(found.map(({ host, values }) => [host, values])).toEqual([
      ["edge-01", ["1", "2", "3"]],
      ["edge-02", ["null", "2", "3"]],
    ]);
    const queried = await tongsBytes(["metrics", "query", `127.0.0.1:${await server.port}`]);
    expect(records(queried.stdout)).toMatchObject([{ identifier: { host: "edge-01" } }, { values: [{}, {}, {}] }]);
    expect((await page(server, "Last readings")).match(/^collectd_load_midterm\{/gm)).toHaveLength(2);
    server.stop();
    await server.ended;
  });

  test("takes gzip, and refuses what is damaged, another encoding, or too large once unpacked", async () => {
    const server = serving(words, withTypes());
    const sound = gzipSync(`[${dataLines(`${name}.ndjson`).join()}]`);
    expect(await post(server, sound, "POST", { "content-encoding": "gzip" })).toEqual([200, "OK\n"]);
    expect(await readingsIn(join(server.cwd, "r.bin"))).toEqual(theirs);
    for (const [body, encoding, status] of [
      [sound.subarray(0, 500), "gzip", 400],
      [Buffer.from("PUTVAL"), "gzip", 400],
      [sound, "br", 415],
      [gzipSync(Buffer.alloc(17 * 1024 * 1024, " ")), "gzip", 413],
    ] as const)
      expect((await post(server, body, "POST", { "content-encoding": encoding }))[0]).toBe(status);
    server.stop();
    expect((await server.ended).stderr).toContain("Received 153 readings");
  });

  test("names and counts the notifications that write_http posts, once each", async () => {
    const server = serving([...words, "--status-address", "0"], withTypes());
    // In the form of format_json.c of collectd 5.12.
    const alert = (summary: string) => ({
      labels: { alertname: "collectd_load", instance: "edge-01", severity: "FAILURE", service: "collectd" },
      annotations: { summary, DataSource: "shortterm", CurrentValue: "95" },
      startsAt: "2026-11-22T06:00:00.000000000Z",
    });
    for (const summary of ["too high", "\u001b[31mred", "too high"])
      expect(await post(server, JSON.stringify([alert(summary)]))).toEqual([200, "OK\n"]);
    const without = { ...alert("x"), annotations: {} };
    expect(await post(server, JSON.stringify([alert("unseen"), without]))).toEqual([
      400,
      expect.stringMatching(/^Line 1, column \d+: annotations has no 'summary'/),
    ]);
    const status = await page(server, "Status");
    expect(status).toContain("\ntongs_received_notifications_total 3\n");
    expect(status).toContain("\ntongs_received_readings_total 0\n");
    server.stop();
    const { code, stderr } = await server.ended;
    expect([code, stderr.match(/Notification: FAILURE of edge-01: too high/g)?.length]).toEqual([0, 1]);
    expect(stderr).toContain("Received 1 more notification until");
    expect(stderr).not.toMatch(/\u001b\[31m|unseen/);
  });

  test("keeps names apart that differ in bytes that are not UTF-8", async () => {
    const server = serving([...words, "--expose", "0"], withTypes());
    for (const byte of ["\x80", "\x81", "\xef\xbf\xbd"])
      expect(await post(server, Buffer.from(`PUTVAL h${byte}/load/load N:1:2:3`, "latin1"))).toEqual([200, "OK\n"]);
    const lines = (await page(server, "Last readings")).match(/^collectd_load_shortterm\{.*\}/gm);
    expect(lines).toEqual(
      ["80", "81", "EF\ufffdBF\ufffdBD"].map((hex) => `collectd_load_shortterm{instance="h\ufffd${hex}"}`),
    );
    server.stop();
    await server.ended;
    const found = await tongsBytes(["metrics", "stat", "r.bin", "--lenient", "--by", "host", "--jq", "length"], {
      cwd: server.cwd,
    });
    expect(found.stdout.toString()).toBe("3\n");
  });

  test("takes nothing of a body with an error, and says where it is", async () => {
    const server = serving(words, withTypes());
    const [sound = ""] = dataLines(`${name}.ndjson`);
    const bad = (change: (one: Record<string, unknown>) => void) => {
      const one = JSON.parse(sound) as Record<string, unknown>;
      change(one);
      return `[${sound},\n${JSON.stringify(one)}]`;
    };
    for (const [body, why] of [
      [bad((one) => delete one["dstypes"]), /^Line 2, column 1: a value list has no 'dstypes'/],
      [bad((one) => (one["dstypes"] = ["gauge"])), /differ in their number/],
      [
        bad((one) => (one["dstypes"] = ["gauge", "derive", "gauge"])),
        /'11.5\d+' is not a valid derive; if it is a rate/,
      ],
      [bad((one) => (one["dstypes"] = ["gauge", "text", "gauge"])), /unknown type of a value 'text'/],
      [bad((one) => (one["host"] = "")), /missing host name/],
      [bad((one) => (one["time"] = "now")), /Line 2, column/],
      [`[${sound}`, /Line 1, column/],
      ["PUTVAL edge-01/load/load 1:1:2:3\nPUTVAL edge-01/load/load 1:2\n", /Line 2, column .*wrong number of values/],
      ["<html>", /Line 1, column 1: expected/],
    ] as const)
      expect(await post(server, body)).toEqual([400, expect.stringMatching(why)]);
    expect((await post(server, Buffer.alloc(17 * 1024 * 1024, " ")).catch(() => [413]))[0]).toBe(413);
    expect((await post(server, "", "GET"))[0]).toBe(405);
    server.stop();
    expect((await server.ended).stderr).toContain("Received 0 readings");
  });

  test.skipIf(!existsSync("/dev/full"))(
    "answers 503 while the disk is full, and shows and counts no reading as received, but each as refused",
    async () => {
      const server = serving(["--to", "/dev/full", "--http", "0", "--status-address", "0", "--expose", "0"]);
      const [sound = ""] = dataLines(`${name}.ndjson`);
      expect(await post(server, `[${sound},${sound}]`)).toEqual([
        503,
        "Not recorded: no space left on device (ENOSPC)\n",
      ]);
      const status = await page(server, "Status");
      expect(status).toContain("\ntongs_received_readings_total 0\n");
      expect(status).toContain('\ntongs_refused_total{what="readings that could not be written"} 2\n');
      expect(status).toContain('\ntongs_refused_total{what="posted bodies"} 0\n');
      expect(await page(server, "Last readings")).toBe("# EOF\n");
      server.stop();
      expect((await server.ended).code).toBe(11);
    },
  );

  test("forwards and shows of a body what was recorded when the disk became full, and no more", async (context) => {
    const disk = emptyFolder();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tongs-test", disk], { encoding: "utf8" });
    if (mounted.status !== 0) return context.skip(`a small disk cannot be mounted: ${mounted.stderr}`);
    const engine = await startEngine();
    try {
      const forward = ["--forward", engine.url("remote-write"), "--spool", "spool", "--expose", "0"];
      const words = ["--to", join(disk, "r.bin"), "--http", "0", "--types-db", "types", ...forward];
      const server = serving(words, withTypes());
      const hosts = Array.from({ length: 1000 }, (_, index) => `h${index}`);
      const body = hosts.map((host) => `PUTVAL ${host}/load/load N:1:2:3\n`).join("");
      expect((await post(server, body))[0]).toBe(503);
      const recorded = (await readingsIn(join(disk, "r.bin"))).map(({ host }) => host);
      expect(recorded.length).toBeGreaterThan(100);
      const shown = (await page(server, "Last readings")).matchAll(/^collectd_load_shortterm\{instance="(.*)"\}/gm);
      expect([...shown].map(([, host]) => host).sort()).toEqual(recorded.sort());
      await until(() => engine.taken.length >= 3 * recorded.length);
      server.stop();
      const { stderr } = await server.ended;
      expect(stderr).toContain(`Forwarded ${recorded.length} readings to`);
      expect(stderr).toContain(`refused ${1000 - recorded.length} readings that could not be written`);
    } finally {
      await engine.close();
      spawnSync("umount", [disk]);
    }
  });
});

interface Theirs extends Record<string, unknown> {
  readonly values: readonly string[];
  readonly dstypes: readonly string[];
}

interface Printed {
  readonly values: readonly Record<string, string>[];
  readonly ds_names: readonly string[];
  readonly time: string;
  readonly interval: string;
  readonly identifier: Record<string, string>;
}
/** A gauge with the 15 digits of write_http, which prints null for what is no number. */
function gaugeText(value: unknown): string {
  const number = Number(value === "null" ? Number.NaN : value);
  if (Object.is(number, -0)) return "-0";
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : "null";
}

function seconds(time: string): number {
  const [whole = "", fraction = "0"] = time.slice(0, -1).split(".");
  return Date.parse(`${whole}Z`) / 1000 + Number(`0.${fraction}`);
}
