import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { forwardFormats } from "../../../src/metrics/forward/formats.ts";
import { ExportMetricsServiceResponse } from "../../../src/metrics/generated/opentelemetry/metrics.ts";
import { makeCertificates } from "../../metrics/certificates.ts";
import { dataBytes } from "../../metrics/data.ts";
import { sorted } from "../../metrics/forward/decoded.ts";
import { type EngineAnswer, type FakeEngine, startEngine } from "../../metrics/forward/engine.ts";
import { delimited, readingWith } from "../../metrics/forward/readings.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";

let engine: FakeEngine | undefined;

afterEach(async () => {
  await engine?.close();
  engine = undefined;
});

/** A folder with a recording of a series, with the values from 0 at the seconds from 1000. */
function folderWith(count: number): string {
  const cwd = emptyFolder();
  const readings = Array.from({ length: count }, (_, index) => readingWith({ gauge: index }, 1000 + index));
  writeFileSync(join(cwd, "r.bin"), delimited(readings));
  return cwd;
}

const push = (cwd: string, url: string, format: string, words: readonly string[] = [], world: World = {}) =>
  tongs(["metrics", "push", url, "r.bin", "--format", format, ...words], { cwd, ...world });

const values = (started: FakeEngine) => started.taken.map(({ value }) => value);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("metrics push --format", () => {
  test.each(forwardFormats)("sends a whole recording as %s, each value once and at its time", async (format) => {
    engine = await startEngine();
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "r.bin"), dataBytes("collectd-5.12.delimited.bin"));
    const ran = await push(cwd, engine.url(format), format, ["--type", "if_octets", "--type", "load", "--jsonl"]);
    expect(ran.code).toBe(0);
    const text = await tongs(["metrics", "decode", "r.bin", "--type", "if_octets,load", "--jsonl"], { cwd });
    const readings = text.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { values: object[] });
    expect(ran.json()).toMatchObject({ sent: readings.length, refused: 0 });
    const all = readings.flatMap((one) => one.values.map((value) => Number(Object.values(value)[0])));
    expect(values(engine).sort()).toEqual(all.sort());
    expect(new Set(sorted(engine.taken)).size).toBe(all.length);
  });

  test("sends in batches, in the order of the recording", async () => {
    engine = await startEngine();
    const ran = await push(folderWith(5000), engine.url("remote-write"), "remote-write");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Sent 5000 readings") });
    expect(values(engine)).toEqual(upTo(5000));
    expect(engine.taken.map(({ time }) => time)).toEqual(upTo(5000).map((index) => (1000 + index) * 1000));
    expect(engine.requests.length).toBeGreaterThan(2);
    expect(engine.requests[0]?.headers).toMatchObject({
      "content-type": "application/x-protobuf",
      "content-encoding": "snappy",
      "x-prometheus-remote-write-version": "0.1.0",
    });
  });

  test("does not send a refused request again: finds what is refused, names it, and sends the rest in order", async () => {
    const bad = new Set([0, 57, 58, 3000]);
    engine = await startEngine(({ samples }) =>
      samples.some(({ value }) => bad.has(value)) ? { status: 400, body: "out of order sample\nmore" } : undefined,
    );
    const cwd = folderWith(5000);
    const ran = await push(cwd, engine.url("remote-write"), "remote-write");
    expect(ran.code).toBe(13);
    expect(ran.stderr).toContain("Refused message 58: h/p/t: out of order sample");
    expect(ran.stderr).toContain("Sent 4996 readings");
    expect(ran.stderr).toContain("; 4 were refused");
    expect(values(engine)).toEqual(upTo(5000).filter((value) => !bad.has(value)));
    const bodies = engine.requests.map(({ samples }) => sorted(samples).join());
    expect(new Set(bodies).size).toBe(bodies.length);
  });

  test("is not stopped by readings that the engine answers 500 to, of the first ones, too", async () => {
    for (const bad of [new Set([0, 57, 58, 3000, 4999]), new Set(upTo(30))]) {
      engine = await startEngine(({ samples }) =>
        samples.some(({ value }) => bad.has(value)) ? { status: 500, body: "too old sample" } : undefined,
      );
      const ran = await push(folderWith(5000), engine.url("remote-write"), "remote-write");
      expect(ran.code).toBe(13);
      expect(ran.stderr).toContain("Refused message 1: h/p/t: failed (500): too old sample");
      expect(ran.stderr).toContain(`Sent ${5000 - bad.size} readings`);
      expect([...new Set(values(engine))].sort((one, other) => one - other)).toEqual(
        upTo(5000).filter((value) => !bad.has(value)),
      );
      await engine.close();
    }
  });

  test("stops if nothing of the first readings is taken, and with --skip-errors goes on, in few requests", async () => {
    engine = await startEngine(() => ({ status: 400, body: 'unsupported path requested: "/remote-write"' }));
    const cwd = folderWith(20_000);
    const ran = await push(cwd, engine.url("remote-write"), "remote-write");
    expect(ran).toMatchObject({ code: 13 });
    expect(ran.stderr).toContain("refuses all readings: unsupported path requested");
    expect(engine.requests.length).toBeLessThan(300);
    const before = engine.requests.length;
    const skipped = await push(cwd, engine.url("remote-write"), "remote-write", ["--skip-errors"]);
    expect(skipped).toMatchObject({ code: 13 });
    expect(skipped.stderr).toContain("Sent 0 readings");
    expect(skipped.stderr).toContain("20000 were refused");
    expect(engine.requests.length - before).toBeLessThan(4000);
  });

  test("halves what is too large, and refuses a single reading that is", async () => {
    engine = await startEngine(({ size, samples }) =>
      size > 2000 || samples.some(({ value }) => value === 7) ? { status: 413 } : undefined,
    );
    const ran = await push(folderWith(3000), engine.url("influx"), "influx");
    expect(ran.code).toBe(13);
    expect(ran.stderr).toContain("Refused message 8: h/p/t: larger than the engine accepts (413)");
    expect(values(engine)).toEqual(upTo(3000).filter((value) => value !== 7));
  });

  test("waits as long as the engine asks, and goes on where it was", async () => {
    const answers: (EngineAnswer | "cut")[] = [
      { status: 429, headers: { "retry-after": "7" } },
      { status: 503, body: "overloaded" },
      "cut",
    ];
    engine = await startEngine(() => answers.shift());
    const waits: number[] = [];
    const ran = await push(folderWith(10), engine.url("otlp"), "otlp", [], { onSleep: (wait) => waits.push(wait) });
    expect(ran).toMatchObject({ code: 0 });
    expect(waits).toHaveLength(3);
    expect(waits[0]).toBe(7000);
    expect(ran.stderr).toContain("failed (503): overloaded; trying again in ");
    expect(values(engine)).toEqual(upTo(10));
  });

  test.each([
    [{ status: 401, body: "no" }, 4, "requires other credentials (401): no", "tongs profile set NAME host URL"],
    [{ status: 403 }, 4, "does not permit it (403)", ""],
    [{ status: 404, body: "404 page not found" }, 5, "Nothing takes remote-write at http", "/api/v1/write"],
    [{ status: 405 }, 5, "Nothing takes remote-write at http", ""],
    [{ status: 415 }, 5, "does not take remote-write (415)", "Use another --format"],
    [{ status: 429 }, 10, "takes no more readings now (429)", ""],
    [{ status: 429, headers: { "retry-after": "3600" } }, 10, "takes no more readings now (429)", ""],
    [{ status: 500, body: '{"error":"disk full"}' }, 7, "failed (500): disk full", ""],
    [{ status: 502, headers: { "content-type": "text/html" }, body: "<html>x" }, 7, "failed (502)\n", ""],
    [{ status: 200, headers: { "content-type": "text/html" }, body: "<html>" }, 7, "sent a web page", "/api/v1/write"],
    [{ status: 302, headers: { location: "/login" } }, 1, "redirects to another address (302)", ""],
    ["cut", 6, "The connection to 127.0.0.1", ""],
    ["nothing", 6, "did not respond", ""],
    ["drips", 6, "did not respond within 1 s", ""],
  ] as const)("says what an answer means: %j", async (answer, code, message, hint) => {
    engine = await startEngine(() => answer);
    const ran = await push(folderWith(3), engine.url("remote-write"), "remote-write", ["--timeout", "1"]);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).toContain(hint);
    expect(ran.stderr).toContain("Sent 0 readings");
    // After 500, each reading alone, too: one of them may be the reason.
    expect(engine.requests.length).toBeLessThanOrEqual(typeof answer === "object" && answer.status === 500 ? 7 : 4);
  });

  test("continues with --resume after an outage, without sending again what the engine has", async () => {
    let requests = 0;
    engine = await startEngine(() => {
      requests += 1;
      return requests > 2 ? { status: 503 } : undefined;
    });
    const { port, url } = engine;
    const cwd = folderWith(6000);
    const stopped = await push(cwd, url("influx"), "influx");
    expect(stopped).toMatchObject({
      code: 7,
      stderr: expect.stringContaining("--resume to continue after message 2100"),
    });
    const before = values(engine);
    await engine.close();
    engine = await startEngine(undefined, { port });
    expect(await push(cwd, url("influx"), "influx", ["--resume"])).toMatchObject({ code: 0 });
    expect([...before, ...values(engine)]).toEqual(upTo(6000));
  });

  test("counts what OTLP says was not taken, and the values that Influx has no form for", async () => {
    const partial_success = { rejected_data_points: 2, error_message: "too old" };
    const body = ExportMetricsServiceResponse.encode(
      ExportMetricsServiceResponse.decode(
        Uint8Array.from([10, 11, 8, 2, 18, 7, ...Buffer.from(partial_success.error_message)]),
      ),
    ).finish();
    engine = await startEngine(() => ({ status: 200, headers: { "content-type": "application/x-protobuf" }, body }));
    const ran = await push(folderWith(5), engine.url("otlp"), "otlp");
    expect(ran).toMatchObject({
      code: 13,
      stderr: expect.stringContaining("Refused 2 of its readings, without saying which: too old"),
    });
    expect(ran.stderr).toContain("Sent 3 readings");
    const cwd = emptyFolder();
    const given = [readingWith({ gauge: Number.NaN }, 1), readingWith({ gauge: 1 }, 2)];
    writeFileSync(join(cwd, "r.bin"), delimited(given));
    const lines = await push(cwd, engine.url("influx"), "influx");
    expect(lines).toMatchObject({ code: 0, stderr: expect.stringContaining("Left out 1 value: InfluxDB has no NaN") });
  });

  test("takes token, user, headers and client certificate from the profile for the address", async () => {
    const folder = emptyFolder();
    const made = makeCertificates(folder);
    if (made === undefined) throw new Error("openssl is needed");
    const [ca, cert, key] = [made.ca, made.server.cert, made.server.key].map((file) => readFileSync(file));
    engine = await startEngine(undefined, { tls: { ca, cert, key, requestCert: true, rejectUnauthorized: true } });
    const url = engine.url("remote-write");
    const cwd = folderWith(2);
    const set = async (...words: readonly string[]) =>
      expect(await tongs(["profile", "set", "vm", ...words], { cwd })).toMatchObject({ code: 0 });
    expect(await push(cwd, url, "remote-write", ["--ca", made.ca])).toMatchObject({ code: 6 });
    await set("host", new URL(url).origin);
    await set("ca", made.ca);
    await set("client_cert", made.client.cert);
    await set("client_key", made.client.key);
    await set("headers", "X-Scope-OrgID=TENANT");
    await set("token_command", "echo s3cret");
    const env = { TENANT: "team-a" };
    const ran = await push(cwd, url, "remote-write", [], { env });
    expect(ran).toMatchObject({ code: 0 });
    await set("user", "mara");
    expect(await push(cwd, url, "remote-write", ["--profile", "vm"], { env })).toMatchObject({ code: 0 });
    const sent = engine.requests.map(({ headers }) => [headers.authorization, headers["x-scope-orgid"]]);
    expect(sent).toEqual([
      ["Bearer s3cret", "team-a"],
      [`Basic ${Buffer.from("mara:s3cret").toString("base64")}`, "team-a"],
    ]);
    const elsewhere = await startEngine();
    const other = await push(cwd, elsewhere.url("influx"), "influx", ["--profile", "vm"], { env });
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("Profile 'vm' is for https://127.0.0.1") });
    expect(await push(cwd, elsewhere.url("influx"), "influx", [], { env })).toMatchObject({ code: 0 });
    expect(elsewhere.requests[0]?.headers.authorization).toBeUndefined();
    await elsewhere.close();
  });

  test("goes through the proxy of the environment", async () => {
    engine = await startEngine();
    const env = { http_proxy: `http://127.0.0.1:${engine.port}` };
    const ran = await push(folderWith(2), "http://engine.invalid/influx", "influx", [], { env });
    expect(ran).toMatchObject({ code: 0 });
    expect(engine.requests[0]?.path).toBe("http://engine.invalid/influx");
  });

  test("refuses addresses with secrets, and addresses and formats that do not fit", async () => {
    const cwd = folderWith(1);
    for (const url of [
      "http://mara:s3cret@127.0.0.1/write",
      "http://127.0.0.1/write?p=s3cret",
      "http://127.0.0.1/?token=s3cret",
    ]) {
      const ran = await push(cwd, url, "influx");
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("must not contain credentials") });
      expect(ran.stderr).not.toContain("s3cret");
    }
    expect(await push(cwd, "127.0.0.1:8428", "influx")).toMatchObject({ code: 2 });
    const url = "http://127.0.0.1:8428/api/v1/write";
    expect(await tongs(["metrics", "push", url, "r.bin"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("needs --format"),
    });
  });
});
