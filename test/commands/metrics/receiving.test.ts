import { createSocket } from "node:dgram";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { createDecoder } from "../../../src/metrics/decode/decoder.ts";
import { createMeter, statusLine, statusMetrics } from "../../../src/metrics/status/status.ts";
import { padded } from "../../../src/metrics/wire/block.ts";
import { dataBytes, dataCopy, delimitedMessages } from "../../metrics/data.ts";
import { capturedPackets } from "../../metrics/packets.ts";
import { rawStatus } from "../../support/raw-request.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { tongsBytes } from "./bytes.ts";
import { serving, until } from "./serving.ts";

const all = dataCopy("collectd-5.12.delimited.bin");
const messages = delimitedMessages(dataBytes("collectd-5.12.delimited.bin"));

/** The page at the address that a note names. */
async function page({ notes }: ReturnType<typeof serving>, what: string, path = "/metrics") {
  const at = new RegExp(`${what} at http://(\\S+)/metrics`);
  await until(() => at.test(notes.join("")));
  const response = await fetch(`http://${at.exec(notes.join(""))?.[1]}${path}`);
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

describe("--status-address", () => {
  test("has what serve received and refused, as OpenMetrics", async () => {
    const server = serving(["--to", "r.bin", "--status-address", "0"]);
    const address = `127.0.0.1:${await server.port}`;
    expect((await tongsBytes(["metrics", "push", address, all, "--plugin", "load"])).code).toBe(0);
    const bad = { stdin: Buffer.from("0a0308", "hex") };
    expect((await tongsBytes(["metrics", "push", address, "--framing", "raw"], bad)).code).toBe(13);
    const { status, type, text } = await page(server, "Status");
    expect([status, type]).toEqual([200, expect.stringContaining("application/openmetrics-text")]);
    expect(text).toContain("\ntongs_received_readings_total 152\n");
    expect(text).toContain("\ntongs_hosts 1\n");
    expect(text).toContain('\ntongs_refused_total{what="connections"} 0\n');
    expect(text.endsWith("# EOF\n")).toBe(true);
    expect((await page(server, "Status", "/elsewhere")).status).toBe(404);
    server.stop();
    await server.ended;
  });

  test("has what listen rejected and lost", async () => {
    const verb = ["listen", "--udp", "127.0.0.1:0"];
    const server = serving(["--to", "r.bin", "--status-address", "0"], emptyFolder(), { verb });
    const port = await server.port;
    const socket = createSocket("udp4");
    for (const packet of [...capturedPackets().plain, Buffer.from("nonsense"), Buffer.from("nonsense")])
      await new Promise((resolve) => socket.send(packet, port, "127.0.0.1", resolve));
    socket.close();
    let text = "";
    while (!text.includes('tongs_refused_total{what="packets"} 2\n')) ({ text } = await page(server, "Status"));
    expect(text).toContain("\ntongs_received_readings_total 319\n");
    expect(text).toContain('\ntongs_lost_total{what="packets that came too fast"} 0\n');
    expect(text).toMatch(/\ntongs_lag_seconds \d/);
    server.stop();
    await server.ended;
  });

  test("and --expose answer what no client sends, and receiving goes on", async () => {
    const server = serving(["--status-address", "0", "--expose", "0", "--http", "0", "--allow-host", "mon.example"]);
    await page(server, "Status");
    await until(() => server.notes.join("").includes("Last readings"));
    await until(() => server.notes.join("").includes("Taking write_http"));
    const ports = [...server.notes.join("").matchAll(/at http:\/\/127\.0\.0\.1:(\d+)/g)].map(([, port]) =>
      Number(port),
    );
    expect(ports).toHaveLength(3);
    for (const port of ports) {
      for (const head of ["GET // HTTP/1.1", "GET http://[ HTTP/1.1"])
        expect(await rawStatus(port, head, "localhost")).toBe(400);
      for (const method of ["GET", "POST"]) {
        expect(await rawStatus(port, `${method} / HTTP/1.1\r\nOrigin: http://evil.example`, "localhost")).toBe(403);
        expect(await rawStatus(port, `${method} / HTTP/1.1`, "evil.example")).toBe(403);
        expect([200, 405]).toContain(await rawStatus(port, `${method} / HTTP/1.1`, "mon.example"));
      }
    }
    server.stop();
    expect((await server.ended).stderr).toContain("Refused a body: sent by a web page");
  });

  test("that cannot be used is named, and nothing is received", async () => {
    const first = serving(["--status-address", "0"]);
    await page(first, "Status");
    const port = /Status at http:\/\/127\.0\.0\.1:(\d+)/.exec(first.notes.join(""))?.[1];
    const second = await tongsBytes(["metrics", "serve", "--listen", "0", "--status-address", `${port}`]);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining(`Cannot listen on 127.0.0.1:${port}`) });
    first.stop();
    await first.ended;
  });
});

describe("the status", () => {
  test("is a line with rates, hosts, what was lost and refused, and the lag", () => {
    const status = { readings: 5, rate: 9980.4, hosts: 2000, lost: {}, refused: { calls: 0 }, lag: 0.04 };
    expect(statusLine(status)).toBe("9,980 readings/s · 2,000 hosts · lost 0 · refused 0 · lag 0.0 s");
    const lost = { "packets that the system dropped": 1200, "packets that came too fast": 0 };
    expect(statusLine({ ...status, hosts: 1, lost, refused: { calls: 3, connections: 1 } })).toBe(
      "9,980 readings/s · 1 host · lost 1,200 packets that the system dropped · refused 3 calls, 1 connections · lag 0.0 s",
    );
    const forward = { sent: 9_960, refused: 0, dropped: 0, waiting: 20, lag: 1.25 };
    expect(statusLine({ ...status, forward })).toMatch(/ · forwarded 9,960, 20 wait for 1\.[23] s$/);
    expect(statusMetrics({ ...status, forward })).toContain("tongs_forward_waiting_readings 20\n");
    expect(statusMetrics({ ...status, forward })).toContain("tongs_forwarded_readings_total 9960\n");
    expect(statusMetrics({ ...status, lost })).toContain(
      '\ntongs_lost_total{what="packets that the system dropped"} 1200\n',
    );
  });

  test("has the rate of ten seconds, and the hosts of five minutes", () => {
    let now = 0;
    const meter = createMeter(() => now);
    const { read, fields } = createDecoder({
      lenient: true,
      tail: () => ({ texts: [], tag: 0 }),
      added: (entry, one) => meter.added(entry, one),
    });
    const take = (count: number) => {
      for (const message of messages.slice(0, count)) {
        const { bytes, view } = padded(message);
        meter.count(read(bytes, view, 0, message.length));
      }
    };
    expect(fields.count).toBe(0);
    for (; now < 20_000; now += 1000) {
      take(50);
      meter.tick();
    }
    expect([meter.rate(), meter.hosts()]).toEqual([50, 1]);
    for (; now < 400_000; now += 1000) meter.tick();
    expect([meter.rate(), meter.hosts()]).toEqual([0, 0]);
  });
});

describe("--expose", () => {
  test("has the last reading of each series, as write_prometheus names it", async () => {
    const server = serving(["--to", "r.bin", "--expose", "0"]);
    const address = `127.0.0.1:${await server.port}`;
    expect((await tongsBytes(["metrics", "push", address, all, "--plugin", "load"])).code).toBe(0);
    const { status, text } = await page(server, "Last readings");
    expect(status).toBe(200);
    const lines = text.split("\n").filter((line) => line.startsWith("collectd_load"));
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^collectd_load_shortterm\{instance="edge-0\d\.example\.net"\} /);
    expect(text.endsWith("# EOF\n")).toBe(true);
    server.stop();
    await server.ended;
  });
});

test("connections that serve refuses are named once for an address and a reason, and then counted", async () => {
  const server = serving(["--to", "r.bin"]);
  const port = await server.port;
  for (let round = 0; round < 5; round += 1) {
    const socket = connect(port, "127.0.0.1");
    // The start of a TLS handshake.
    socket.write(Buffer.from("160301", "hex"));
    await new Promise((resolve) => socket.on("error", resolve).on("close", resolve).resume());
  }
  server.stop();
  const { stderr } = await server.ended;
  expect(stderr.match(/Refused 127\.0\.0\.1: it uses TLS, and this server does not/g)).toHaveLength(1);
  expect(stderr).toContain("Refused 4 more connections until ");
});

test("serve warns if anyone on the network can use it, and not on loopback", async () => {
  for (const [host, warns] of [["0.0.0.0", true] as const, ["127.0.0.1", false] as const]) {
    const server = serving([], emptyFolder(), { verb: ["serve", "--listen", `${host}:0`, "--http", `${host}:0`] });
    await until(() => server.notes.join("").includes("Taking write_http"));
    server.stop();
    const { stderr } = await server.ended;
    expect(stderr.includes("Anyone who reaches this port can send readings")).toBe(warns);
    expect(stderr.includes("Anyone who reaches the port of --http can send readings")).toBe(warns);
  }
});
