import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readingFromJson } from "../../src/metrics/encode/from-json.ts";
import { readingJson } from "../../src/metrics/formats/json.ts";
import { connectCollectd } from "../../src/metrics/grpc/client.ts";
import { startEndpoint } from "../../src/metrics/grpc/serve.ts";
import { decodeReading, encodeReading, type Reading } from "../../src/metrics/reading/codec.ts";

// Skipped without collectd and its grpc plugin; grpc.test.ts tests the same against our own server.
const folder = mkdtempSync(join(tmpdir(), "tongs-collectd-"));
const env = { ...process.env, PATH: [process.env["PATH"], "/usr/sbin", "/usr/local/sbin"].join(delimiter) };
let daemon: ChildProcess | undefined;

afterAll(() => {
  daemon?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function configure(server: number, listen: number): string {
  const path = join(folder, "collectd.conf");
  writeFileSync(
    path,
    `Hostname "edge-02.example.net"
FQDNLookup false
BaseDir "${folder}"
PIDFile "${join(folder, "pid")}"
Interval 0.25
LoadPlugin grpc
LoadPlugin load
LoadPlugin memory
<Plugin grpc>
  <Server "127.0.0.1" "${server}">
  </Server>
  <Listen "127.0.0.1" "${listen}">
  </Listen>
</Plugin>
`,
  );
  return path;
}

function missing(): string | undefined {
  const checked = spawnSync("collectd", ["-t", "-C", configure(1, 2)], { env, encoding: "utf8" });
  if (checked.error !== undefined) return "collectd is not installed";
  return checked.status === 0 ? undefined : `collectd has no grpc plugin: ${checked.stderr.trim().split("\n")[0]}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("a real collectd sends to metrics serve, and returns what metrics push sent", async (context) => {
  const reason = missing();
  if (reason !== undefined) context.skip(reason);
  const received: Reading[] = [];
  let enough = () => {};
  const arrived = new Promise<void>((resolve) => {
    enough = resolve;
  });
  const endpoint = await startEndpoint("127.0.0.1:0", (_encoded, reading) => {
    received.push(reading);
    const plugins = new Set(received.map(({ identifier }) => identifier?.plugin));
    if (plugins.has("load") && plugins.has("memory")) enough();
  });
  const listen = await freePort();
  daemon = spawn("collectd", ["-f", "-C", configure(endpoint.port, listen)], { env, stdio: "ignore" });
  await arrived;
  const load = received.find(({ identifier }) => identifier?.plugin === "load");
  expect(JSON.parse(readingJson(load ?? decodeReading(new Uint8Array(), 0, 0, { lenient: false })))).toMatchObject({
    identifier: { host: "edge-02.example.net", plugin: "load", type: "load" },
    interval: "0.250s",
    ds_names: ["shortterm", "midterm", "longterm"],
  });

  const sent = (second: number) => ({
    values: [{ derive: `${9007199254740993n + BigInt(second)}` }, { derive: "-5" }],
    time: new Date(Math.floor(Date.now() / 1000) * 1000 + second * 1000).toISOString().replace(".000", ""),
    interval: "10s",
    identifier: { host: "pushed.example.net", plugin: "tongs", type: "if_octets", type_instance: "ü" },
    ds_names: ["rx", "tx"],
  });
  const client = connectCollectd(`127.0.0.1:${listen}`, 20);
  const readings = [sent(0), sent(1)];
  await client.put(readings.map((reading) => encodeReading(readingFromJson(JSON.stringify(reading)))));
  const pattern = { host: "pushed*", plugin: "*", plugin_instance: "*", type: "*", type_instance: "*" };
  let found: Uint8Array[] = [];
  // collectd responds before it has updated its cache.
  for (let tries = 0; tries < 100 && found.length === 0; tries += 1) {
    found = await client.query(pattern);
    if (found.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  client.close();
  await endpoint.close();
  const [back] = found.map(
    (bytes) => JSON.parse(readingJson(decodeReading(bytes, 0, bytes.length, { lenient: false }))) as { time: string },
  );
  expect(readings).toContainEqual(back);
});
