import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { table } from "../../src/commands/index.ts";
import { listen as listenCommand } from "../../src/commands/metrics/listen.ts";
import { serve as serveCommand } from "../../src/commands/metrics/serve.ts";
import { readingFromJson } from "../../src/metrics/encode/from-json.ts";
import { connectCollectd } from "../../src/metrics/grpc/client.ts";
import { startEndpoint } from "../../src/metrics/grpc/serve.ts";
import { loadTls } from "../../src/metrics/grpc/tls.ts";
import { listenForPackets } from "../../src/metrics/network/listen.ts";
import { loadPacketRules } from "../../src/metrics/network/rules.ts";
import { encodeReading, type Reading } from "../../src/metrics/reading/codec.ts";
import type { MessageHandler } from "../../src/metrics/stream/messages.ts";
import { makeCertificates } from "./certificates.ts";
import { decodeReading } from "./decode-reading.ts";
import { readingJson } from "./plain/json.ts";

// Skipped without collectd and its grpc plugin; grpc.test.ts tests the same against our own server.
const folder = mkdtempSync(join(tmpdir(), "tongs-collectd-"));
const env = { ...process.env, PATH: [process.env["PATH"], "/usr/sbin", "/usr/local/sbin"].join(delimiter) };
let daemon: ChildProcess | undefined;

afterEach(() => {
  daemon?.kill("SIGKILL");
  daemon = undefined;
});

afterAll(() => {
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
  // -t accepts the configuration of a plugin whose libraries are missing; -T loads it.
  const checked = spawnSync("collectd", ["-T", "-C", configure(1, 0)], { env, encoding: "utf8" });
  if (checked.error !== undefined) return "collectd is not installed";
  return checked.status !== 0 ? `collectd has no grpc plugin: ${checked.stderr.trim().split("\n")[0]}` : undefined;
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
  const endpoint = await startEndpoint(
    { host: "127.0.0.1", port: 0 },
    {
      onReading: (bytes, _view, start, end) => {
        received.push(decodeReading(bytes, start, end, { lenient: true }));
        const plugins = new Set(received.map(({ identifier }) => identifier?.plugin));
        if (plugins.has("load") && plugins.has("memory")) enough();
      },
    },
  );
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
  const client = connectCollectd({ host: "127.0.0.1", port: listen }, { timeout: 600 });
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

/** Writes a configuration that sends load and memory, and returns its path. */
function configured(plugins: string): string {
  const path = join(folder, "other.conf");
  const head = ['Hostname "edge-02.example.net"', "FQDNLookup false", `BaseDir "${folder}"`, "Interval 0.25"];
  const pid = `PIDFile "${join(folder, "other.pid")}"`;
  writeFileSync(path, [...head, pid, "LoadPlugin load", "LoadPlugin memory", plugins, ""].join("\n"));
  return path;
}

const local = { host: "127.0.0.1", port: 0 };

/** Collects readings; `enough` resolves after `count`. */
function collecting(count: number) {
  const received: Reading[] = [];
  let tell = () => {};
  const enough = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const onReading: MessageHandler = (bytes, _view, start, end) => {
    received.push(decodeReading(bytes, start, end, { lenient: true }));
    if (received.length === count) tell();
    return true;
  };
  return { received, enough, onReading };
}

test("a real collectd sends over TLS with a client certificate, and takes readings over TLS", async (context) => {
  const reason = missing();
  if (reason !== undefined) return context.skip(reason);
  const made = makeCertificates(folder);
  if (made === undefined) return context.skip("openssl is not installed");
  const tls = loadTls({ cwd: "/" }, { tls: true, ca: made.ca, ...made.server });
  const { received, enough, onReading } = collecting(8);
  const refused: string[] = [];
  const onRefused = (_peer: string, what: string) => refused.push(what);
  const endpoint = await startEndpoint(local, { onReading, onRefused, tls, verifyPeer: true });
  const listen = await freePort();
  const files = (pair: { cert: string; key: string }) =>
    `EnableSSL true\nSSLCACertificateFile "${made.ca}"\nSSLCertificateFile "${pair.cert}"\nSSLCertificateKeyFile "${pair.key}"`;
  const config = configured(`LoadPlugin grpc
<Plugin grpc>
  <Server "127.0.0.1" "${endpoint.port}">
    ${files(made.client)}
  </Server>
  <Listen "127.0.0.1" "${listen}">
    ${files(made.server)}
    VerifyPeer true
  </Listen>
</Plugin>`);
  daemon = spawn("collectd", ["-f", "-C", config], { env, stdio: "ignore" });
  await enough;
  expect(received.map(({ identifier }) => identifier?.plugin)).toContain("memory");
  expect(refused).toEqual([]);
  await endpoint.close();

  const everything = { host: "*", plugin: "*", plugin_instance: "*", type: "*", type_instance: "*" };
  const address = { host: "127.0.0.1", port: listen };
  const asClient = loadTls({ cwd: "/" }, { tls: true, ca: made.ca, ...made.client });
  const client = connectCollectd(address, { timeout: 600, tls: asClient });
  const found = await client.query(everything);
  client.close();
  expect(found.length).toBeGreaterThan(1);
  for (const [wrong, what] of [
    [undefined, "the server uses TLS"],
    [loadTls({ cwd: "/" }, { tls: true, ca: made.ca }), "client certificate"],
  ] as const) {
    const stranger = connectCollectd(address, { timeout: 600, tls: wrong });
    await expect(stranger.query(everything)).rejects.toMatchObject({
      exit: "noAnswer",
      message: expect.stringContaining(what),
    });
    stranger.close();
  }
});

test("a TLS client at a plain collectd, and the reverse, are named as such", async (context) => {
  const reason = missing();
  if (reason !== undefined) return context.skip(reason);
  const listen = await freePort();
  daemon = spawn("collectd", ["-f", "-C", configure(await freePort(), listen)], { env, stdio: "ignore" });
  const address = { host: "127.0.0.1", port: listen };
  const everything = { host: "*", plugin: "*", plugin_instance: "*", type: "*", type_instance: "*" };
  for (let up = false; !up; ) {
    const plain = connectCollectd(address, { timeout: 5 });
    up = await plain.query(everything).then(
      () => true,
      () => false,
    );
    plain.close();
  }
  const client = connectCollectd(address, { timeout: 600, tls: {} });
  await expect(client.query(everything)).rejects.toMatchObject({
    message: expect.stringContaining("the server does not use TLS"),
  });
  client.close();
});

test("its network protocol, signed and encrypted, carries the same readings as gRPC", async (context) => {
  const reason = missing();
  if (reason !== undefined) return context.skip(reason);
  const users = join(folder, "users");
  writeFileSync(users, "edge: false-password\n");
  const byGrpc = collecting(30);
  const endpoint = await startEndpoint(local, { onReading: byGrpc.onReading });
  const listeners = await Promise.all(
    (["none", "sign", "encrypt"] as const).map(async (level) => {
      const collected = collecting(30);
      const faults: string[] = [];
      const rules = loadPacketRules({ cwd: folder }, { authFile: users }, level);
      const { onReading } = collected;
      const onFault = (_sender: string, { message }: Error) => faults.push(message);
      return { level, faults, ...collected, listener: await listenForPackets(local, { rules, onReading, onFault }) };
    }),
  );
  const servers = listeners.map(({ level, listener }) => {
    const security = level === "none" ? "" : `SecurityLevel ${level}\nUsername "edge"\nPassword "false-password"\n`;
    return `<Server "127.0.0.1" "${listener.port}">\n${security}</Server>`;
  });
  const config = configured(`LoadPlugin network
LoadPlugin grpc
<Plugin network>
  ${servers.join("\n")}
</Plugin>
<Plugin grpc>
  <Server "127.0.0.1" "${endpoint.port}">
  </Server>
</Plugin>`);
  daemon = spawn("collectd", ["-f", "-C", config], { env, stdio: "ignore" });
  await Promise.all([byGrpc.enough, ...listeners.map(({ enough }) => enough)]);
  daemon.kill("SIGTERM");
  await Promise.all([endpoint.close(), ...listeners.map(({ listener }) => listener.close())]);
  const known = new Map(byGrpc.received.map((reading) => [keyOf(reading), readingJson(reading)]));
  for (const { received, faults } of listeners) {
    expect(faults).toEqual([]);
    const both = received.filter((reading) => known.has(keyOf(reading)));
    expect(both.length).toBeGreaterThan(15);
    for (const reading of both) expect(readingJson(reading)).toBe(known.get(keyOf(reading)));
  }
});

const keyOf = (reading: Reading) => JSON.stringify([reading.identifier, reading.time?.seconds, reading.time?.nanos]);

test.for([
  ["metrics serve", () => serveCommand.details],
  ["metrics listen", () => listenCommand.details],
  ["metrics", () => (table["metrics"] as { readonly details?: string }).details],
] as const)("the configuration in the help of %s parses", ([, details], context) => {
  const snippet = (details() ?? "").split("\n").filter((line) => /^ {2,}[<LS]/.test(line) || /^ {4}/.test(line));
  expect(snippet.length).toBeGreaterThan(2);
  const reason = missing();
  if (reason !== undefined) return context.skip(reason);
  const checked = spawnSync("collectd", ["-t", "-C", configured(snippet.join("\n"))], { env, encoding: "utf8" });
  expect([checked.status, checked.stderr]).toEqual([0, ""]);
});
