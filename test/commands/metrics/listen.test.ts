import { spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { existsSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defaultTypesDb } from "../../../src/metrics/encode/types-db.ts";
import { droppedPackets } from "../../../src/metrics/network/dropped.ts";
import { bufferText } from "../../../src/metrics/network/receive-buffer.ts";
import { delimitedMessages } from "../../metrics/data.ts";
import { capturedPackets, openRules, readingsOf } from "../../metrics/packets.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { fileBytes, records, tongsBytes } from "./bytes.ts";
import { serving, until } from "./serving.ts";

const { plain, signed, encrypted } = capturedPackets();
const verb = ["listen", "--udp", "127.0.0.1:0"];
const count = (packets: readonly Buffer[]) => packets.flatMap((packet) => [...readingsOf(packet, openRules)]).length;

/** Sends packets one after the other; those to a multicast address stay on this machine. */
async function send(port: number, packets: readonly Uint8Array[], { host = "127.0.0.1" } = {}): Promise<void> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  try {
    await new Promise<void>((resolve) => socket.bind(0, resolve));
    socket.setMulticastTTL(0);
    const zone = host.split("%")[1];
    if (zone !== undefined) socket.setMulticastInterface(`::%${zone}`);
    for (const packet of packets) {
      await new Promise<void>((resolve, reject) =>
        socket.send(packet, port, host, (error) => (error === null ? resolve() : reject(error))),
      );
    }
  } finally {
    await new Promise<void>((resolve) => socket.close(resolve));
  }
}

/** A folder with an AuthFile. */
function withUsers(): string {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "users"), "edge: false-password\n");
  return cwd;
}

describe("metrics listen", () => {
  test("records plain, signed and encrypted packets into the same file as serve", async () => {
    const total = 3 * count(plain);
    const words = ["--auth-file", "users", "--to", "r.bin", "--count", String(total)];
    const running = serving(words, withUsers(), { verb });
    await send(await running.port, [...plain, ...signed, ...encrypted]);
    expect(await running.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Received ${total} readings`),
    });
    expect(delimitedMessages(fileBytes(running.cwd, "r.bin"))).toHaveLength(total);
    const decoded = await tongsBytes(["metrics", "decode", "r.bin", "--format", "ndjson"], { cwd: running.cwd });
    expect([decoded.code, records(decoded.stdout).length]).toEqual([0, total]);
  });

  test("prints one JSON array with --json, whole when it ends", async () => {
    const running = serving(["--json", "--count", String(count(plain))], withUsers(), { verb });
    await send(await running.port, plain);
    const { code, stdout } = await running.ended;
    expect([code, (JSON.parse(stdout.toString()) as unknown[]).length]).toEqual([0, count(plain)]);
  });

  test("says once at its start that data sources have no names without a types.db", async () => {
    const given = withUsers();
    writeFileSync(join(given, "types.db"), "load  value:GAUGE:0:U\n");
    const warned = async (...words: string[]) => {
      const running = serving([...words, "--to", "r.bin"], given, { verb });
      await send(await running.port, plain);
      running.stop();
      return (await running.ended).stderr.split("Use --types-db FILE.").length - 1;
    };
    expect(await warned()).toBe(existsSync(defaultTypesDb) ? 0 : 1);
    expect(await warned("--types-db", "types.db")).toBe(0);
  });

  test("rejects packets below the security level and damaged ones, says so once for a sender, and records the rest", async () => {
    const words = ["--auth-file", "users", "--security-level", "encrypt", "--to", "r.bin"];
    const running = serving(words, withUsers(), { verb });
    const changed = Buffer.from(encrypted[1] ?? Buffer.alloc(0));
    changed[100] = (changed[100] ?? 0) ^ 1;
    await send(await running.port, [...plain, ...signed, changed, Buffer.from("nonsense"), ...encrypted]);
    const total = count(encrypted);
    await until(() => delimitedMessages(fileBytes(running.cwd, "r.bin")).length === total);
    running.stop();
    const { stderr } = await running.ended;
    expect(stderr.match(/Rejected a packet of 127\.0\.0\.1: the packet is not encrypted/g)).toHaveLength(1);
    expect(stderr).toContain("cannot be decrypted: the password differs, or the packet was changed");
    expect(stderr).toContain(`Received ${total} readings`);
    expect(stderr).not.toContain("false-password");
  });

  test("counts bad packets beyond the first ten, however different they are", async () => {
    const running = serving(["--to", "r.bin"], emptyFolder(), { verb });
    const bad = Array.from({ length: 50 }, (_, index) => Buffer.from([0, 0, 1, index, 65, 0]));
    const total = count(plain);
    await send(await running.port, [...bad, ...plain]);
    await until(() => delimitedMessages(fileBytes(running.cwd, "r.bin")).length === total);
    running.stop();
    const { stderr } = await running.ended;
    expect(stderr.match(/Rejected a packet of 127\.0\.0\.1: a part of \d+ bytes exceeds/g)).toHaveLength(10);
    expect(stderr).toMatch(/Rejected 40 more packets until 20\d\d-\S+Z/);
  });

  test("records a name that is not UTF-8 as it is, and says so once and how many there were", async () => {
    const running = serving(["--to", "r.bin"], emptyFolder(), { verb });
    // Of the same length, in the first parts of each packet.
    const named = plain.map((packet) =>
      Buffer.from(packet.toString("latin1").replaceAll("edge-02", "edge\xff02"), "latin1"),
    );
    const total = count(named);
    await send(await running.port, named);
    await until(() => delimitedMessages(fileBytes(running.cwd, "r.bin")).length === total);
    running.stop();
    const { stderr } = await running.ended;
    expect(stderr.replace(/\s+/g, " ").match(/edge\ufffdFF02\S* has a string that is not UTF-8/g)).toHaveLength(1);
    expect(stderr).toContain(`Received ${total} readings, ${total} with a string that is not UTF-8`);
    const decode = (...words: string[]) => tongsBytes(["metrics", "decode", "r.bin", ...words], { cwd: running.cwd });
    expect(await decode()).toMatchObject({ code: 13, stderr: expect.stringContaining("--lenient") });
    const { code, stdout } = await decode("--lenient", "--format", "ndjson");
    expect([code, records(stdout).length]).toEqual([0, total]);
  });

  test("receives on an IPv6 address, and names its senders in brackets", async (context) => {
    if (!Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1")))
      return context.skip("there is no IPv6 loopback address");
    const total = count(plain);
    const words = ["--to", "r.bin", "--count", String(total)];
    const running = serving(words, emptyFolder(), { verb: ["listen", "--udp", "[::1]:0"] });
    await send(await running.port, [Buffer.from("nonsense"), ...plain], { host: "::1" });
    const { code, stderr } = await running.ended;
    expect([code, delimitedMessages(fileBytes(running.cwd, "r.bin")).length]).toEqual([0, total]);
    expect(stderr).toMatch(/Listening on \[::1\]:\d+ \(UDP\)/);
    expect(stderr).toContain("Rejected a packet of [::1]:");
  });

  /** The interfaces with a multicast route, most likely first. */
  const zones = Object.entries(networkInterfaces())
    .filter(([, all]) => all?.some(({ family }) => family === "IPv6"))
    .sort(([, one], [, other]) => Number(one?.[0]?.internal) - Number(other?.[0]?.internal))
    .map(([name]) => name);

  test.for([
    ["239.192.74.66", "239.192.74.66:0"],
    [`ff02::efc0:4a42%${zones[0] ?? "lo"}`, `[ff02::efc0:4a42%${zones[0] ?? "lo"}]:0`],
  ] as const)("joins the multicast group %s", async ([host, address], context) => {
    const total = count(plain);
    const words = ["--to", "r.bin", "--count", String(total)];
    const running = serving(words, emptyFolder(), { verb: ["listen", "--udp", address] });
    const port = await Promise.race([running.port, running.ended]);
    if (typeof port !== "number") return context.skip(`the machine cannot join the group: ${port.stderr}`);
    try {
      await send(port, plain, { host });
    } catch (error) {
      running.stop();
      return context.skip(`the machine cannot send to the group: ${String(error)}`);
    }
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(delimitedMessages(fileBytes(running.cwd, "r.bin"))).toHaveLength(total);
  });

  /** The packet with the most bytes. */
  const largest = (packets: readonly Buffer[]) =>
    packets.reduce((most, one) => (one.length > most.length ? one : most), Buffer.alloc(0));

  /** Sends a packet many times from a process of its own, with pauses, while this one is blocked. */
  function flood(port: number, packet: Uint8Array, times: number, between = times): void {
    const program = `
      const socket = require("node:dgram").createSocket("udp4");
      const packet = Buffer.from("${Buffer.from(packet).toString("hex")}", "hex");
      let left = ${times};
      const send = () => socket.send(packet, ${port}, "127.0.0.1", next);
      const next = () => left-- > 0 ? (left % ${between} === 0 ? setTimeout(send, 50) : send()) : socket.close();
      next();`;
    expect(spawnSync(process.execPath, ["-e", program]).status).toBe(0);
  }

  test("takes what the system has received before it ends", async () => {
    const packet = plain.find((one) => count([one]) > 0) ?? Buffer.alloc(0);
    const running = serving(["--to", "r.bin"], emptyFolder(), { verb });
    flood(await running.port, packet, 50);
    running.stop();
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(delimitedMessages(fileBytes(running.cwd, "r.bin"))).toHaveLength(50 * count([packet]));
  });

  test("receives while it is busy, more than the system's buffer holds, and misses nothing unsaid", async () => {
    const packet = largest(plain);
    const running = serving(["--to", "r.bin"], emptyFolder(), { verb });
    const sent = 16_000;
    // This process is blocked; only the thread receives.
    flood(await running.port, packet, sent, 500);
    running.stop();
    const { stderr } = await running.ended;
    const recorded = delimitedMessages(fileBytes(running.cwd, "r.bin")).length / count([packet]);
    const dropped = Number(/the system dropped (\d+) packet/.exec(stderr)?.[1] ?? 0);
    expect(recorded + dropped).toBe(sent);
    expect(recorded * packet.length).toBeGreaterThan(8 * 1024 * 1024);
  });

  test("names the system's limit and how to raise it where it cuts the receive buffer", () => {
    const text = (granted: number, platform: NodeJS.Platform) => bufferText(granted, platform);
    expect(text(425_984, "linux")).toBe(
      "the receive buffer of the system has 416 KiB; for bursts of a fleet, allow more as root: sysctl -w net.core.rmem_max=33554432",
    );
    expect(text(2 ** 20, "darwin")).toContain("sysctl -w kern.ipc.maxsockbuf=33554432");
    // Linux tells twice what it grants.
    expect([text(2 ** 26, "linux"), text(2 ** 25, "darwin")]).toEqual([
      "the receive buffer of the system has 64 MiB",
      "the receive buffer of the system has 32 MiB",
    ]);
    expect(text(2 ** 20, "win32")).toBe("the receive buffer of the system has 1.0 MiB");
  });

  test("does not know what the system dropped where it does not tell", () => {
    expect(droppedPackets(25_826, join(emptyFolder(), "proc"))).toBeUndefined();
  });

  test.each([
    ["--udp", "nowhere at all"],
    ["--udp", "127.0.0.1:70000"],
    ["--security-level", "sign"],
    ["--rotate", "1h"],
  ])("%s %s is a usage error", async (...words) => {
    expect(await tongsBytes(["metrics", "listen", ...words])).toMatchObject({ code: 2 });
  });

  test("names the address that it cannot listen on", async () => {
    const taken = createSocket("udp4");
    await new Promise<void>((resolve) => taken.bind(0, "127.0.0.1", resolve));
    const { port } = taken.address();
    const ran = await tongsBytes(["metrics", "listen", "--udp", `127.0.0.1:${port}`]);
    const message = `Cannot listen on 127.0.0.1:${port}: the port is in use`;
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    await new Promise<void>((resolve) => taken.close(resolve));
  });
});
