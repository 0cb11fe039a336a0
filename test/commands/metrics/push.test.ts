import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { Failure } from "../../../src/failure/failure.ts";
import { frameHead } from "../../../src/metrics/framing/framing.ts";
import { createSender } from "../../../src/metrics/grpc/sender.ts";
import type { Endpoint } from "../../../src/metrics/grpc/serve.ts";
import { startEndpoint } from "../../../src/metrics/grpc/serve.ts";
import { dataBytes, delimitedMessages } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { tongsBytes } from "./bytes.ts";
import { serving } from "./serving.ts";

const bytes = dataBytes("collectd-5.12.delimited.bin");
const messages = delimitedMessages(bytes);
let endpoint: Endpoint | undefined;

afterEach(async () => {
  await endpoint?.close();
  endpoint = undefined;
});

const frameOf = (message: Uint8Array) => frameHead("delimited", message.length);

/** A folder with a recording. */
function recording(): string {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "r.bin"), bytes);
  return cwd;
}

const push = (cwd: string, port: number, ...words: readonly string[]) =>
  tongsBytes(["metrics", "push", `127.0.0.1:${port}`, "r.bin", ...words], { cwd });

/** A server that receives, on a given port, until `stopAfter` readings. */
async function receiving(
  port: number,
  received: Uint8Array[],
  stopAfter = Number.POSITIVE_INFINITY,
): Promise<Endpoint> {
  const started: Endpoint = await startEndpoint(
    { host: "127.0.0.1", port },
    {
      onReading: (encoded, _view, start, end) => {
        received.push(encoded.slice(start, end));
        if (received.length === stopAfter) void started.close();
      },
    },
  );
  return started;
}

describe("metrics push", () => {
  test("ends, although the server records into the file that is pushed", async () => {
    const cwd = recording();
    const server = serving(["--to", "r.bin"], cwd);
    for (const input of [["r.bin"], []]) {
      const { size } = statSync(join(cwd, "r.bin"));
      const words = ["metrics", "push", `127.0.0.1:${await server.port}`, ...input];
      const fd = openSync(join(cwd, "r.bin"), "r");
      const stdin = Object.assign(new PassThrough(), { fd });
      expect(await tongsBytes(words, { cwd, stdin })).toMatchObject({ code: 0 });
      closeSync(fd);
      expect(statSync(join(cwd, "r.bin")).size).toBe(2 * size);
    }
    server.stop();
    await server.ended;
  });

  test("says how many were sent and where it stopped, and --resume sends the rest", async () => {
    const cwd = recording();
    const before: Uint8Array[] = [];
    endpoint = await receiving(0, before, 1200);
    const { port } = endpoint;
    const stopped = await push(cwd, port);
    expect(stopped.code).toBe(6);
    const [, sent = "", first = "", last = ""] =
      /Sent (\d+) readings; stopped at messages (\d+) to (\d+), some of which may have arrived/.exec(stopped.stderr) ??
      [];
    expect(Number(first)).toBe(Number(sent) + 1);
    expect(Number(last)).toBe(Number(sent) + 500);
    expect(stopped.stderr).toContain(`--resume to continue after message ${sent}`);
    expect(Number(sent)).toBeGreaterThanOrEqual(500);

    const after: Uint8Array[] = [];
    endpoint = await receiving(port, after);
    const resumed = await push(cwd, port, "--resume");
    expect(resumed).toMatchObject({ code: 0, stderr: expect.stringContaining(`Sent ${5000 - Number(sent)} readings`) });
    const whole = [...before.slice(0, Number(sent)), ...after].map((one) => Buffer.from(one).toString("hex"));
    expect(whole).toEqual(messages.map((one) => Buffer.from(one).toString("hex")));
    expect(existsSync(join(cwd, "r.bin.journal"))).toBe(false);
    expect(await push(cwd, port, "--resume")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Nothing to resume"),
    });
  });

  test("that ended before its first answer is resumed from the start", async () => {
    const cwd = recording();
    const held = createServer();
    await new Promise<void>((resolve) => held.listen(0, "127.0.0.1", resolve));
    const { port } = held.address() as AddressInfo;
    await new Promise((resolve) => held.close(resolve));
    const unanswered = await push(cwd, port);
    expect([unanswered.code, unanswered.stderr]).toEqual([6, expect.stringContaining("Sent 0 readings")]);
    const received: Uint8Array[] = [];
    endpoint = await receiving(port, received);
    expect(await push(cwd, port, "--resume")).toMatchObject({ code: 0 });
    expect(received).toHaveLength(5000);
    expect(existsSync(join(cwd, "r.bin.journal"))).toBe(false);
  });

  test("that starts anew and ends before its first answer is resumed from the start", async () => {
    const cwd = recording();
    endpoint = await receiving(0, [], 1200);
    const { port } = endpoint;
    expect((await push(cwd, port)).code).toBe(6);
    expect((await push(cwd, port)).code).toBe(6);
    const received: Uint8Array[] = [];
    endpoint = await receiving(port, received);
    expect(await push(cwd, port, "--resume")).toMatchObject({ code: 0 });
    expect(received).toHaveLength(5000);
  });

  test("writes no journal before there is something to send", async () => {
    const cwd = emptyFolder();
    expect(await push(cwd, 1)).toMatchObject({ code: 5 });
    writeFileSync(join(cwd, "r.bin"), bytes);
    expect(await push(cwd, 1, "--dry-run")).toMatchObject({ code: 0 });
    expect(readdirSync(cwd)).toEqual(["r.bin"]);
  });

  test("resumes only the same push, and leaves a file that is not a journal alone", async () => {
    const cwd = recording();
    const received: Uint8Array[] = [];
    endpoint = await receiving(0, received, 600);
    const { port } = endpoint;
    expect((await push(cwd, port)).code).toBe(6);
    expect(await push(cwd, port, "--resume", "--plugin", "load")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("r.bin.journal is from another push"),
    });
    expect(await push(cwd, port + 1 > 65_535 ? 1 : port + 1, "--resume")).toMatchObject({ code: 2 });
    for (const content of ["my notes\n", "null", "[1]", '{"tongs":"metrics push","push":"x","done":"1"}']) {
      writeFileSync(join(cwd, "r.bin.journal"), content);
      expect(await push(cwd, port)).toMatchObject({ code: 9, stderr: expect.stringContaining("is not the journal") });
      expect(readFileSync(join(cwd, "r.bin.journal"), "utf8")).toBe(content);
    }
    const stdin = await tongsBytes(["metrics", "push", `127.0.0.1:${port}`, "--resume"], { stdin: bytes });
    expect(stdin).toMatchObject({ code: 2, stderr: expect.stringContaining("stdin cannot be read again") });
  });

  test("resumes a file that grew, and not another one of that name: its first readings were never sent", async () => {
    const cwd = recording();
    endpoint = await receiving(0, [], 1200);
    const { port } = endpoint;
    expect((await push(cwd, port)).code).toBe(6);
    const received: Uint8Array[] = [];
    endpoint = await receiving(port, received);
    writeFileSync(join(cwd, "r.bin"), Buffer.concat(messages.slice(7).flatMap((one) => [frameOf(one), one])));
    expect(await push(cwd, port, "--resume")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("r.bin.journal is from another push"),
    });
    expect(received).toEqual([]);
    writeFileSync(join(cwd, "r.bin"), Buffer.concat([bytes, bytes]));
    expect((await push(cwd, port, "--resume")).code).toBe(0);
    expect(received.length).toBeGreaterThan(5000);
  });

  test("leaves the journal of another push, if it needs none itself", async () => {
    const cwd = recording();
    endpoint = await receiving(0, [], 1200);
    expect((await push(cwd, endpoint.port)).code).toBe(6);
    const journal = readFileSync(join(cwd, "r.bin.journal"), "utf8");
    endpoint = await receiving(0, []);
    expect((await push(cwd, endpoint.port, "--plugin", "load")).code).toBe(0);
    expect(readFileSync(join(cwd, "r.bin.journal"), "utf8")).toBe(journal);
    expect((await push(cwd, endpoint.port)).code).toBe(0);
  });

  test("keeps no journal beside a pipe, which cannot be read again", async () => {
    const cwd = recording();
    expect(spawnSync("mkfifo", [join(cwd, "pipe")]).status).toBe(0);
    endpoint = await receiving(0, [], 600);
    const writer = spawn("sh", ["-c", "cat r.bin > pipe"], { cwd });
    const words = ["metrics", "push", `127.0.0.1:${endpoint.port}`, "pipe"];
    const { code, stderr } = await tongsBytes(words, { cwd });
    writer.kill();
    expect([code, stderr]).toEqual([6, expect.not.stringContaining("--resume")]);
    expect(existsSync(join(cwd, "pipe.journal"))).toBe(false);
    const resumed = await tongsBytes([...words, "--resume"], { cwd });
    expect(resumed).toMatchObject({ code: 2, stderr: expect.stringContaining("a pipe or stdin cannot be read again") });
  });

  test("finds a message over the server's limit before it is sent", async () => {
    const received: Uint8Array[] = [];
    endpoint = await receiving(0, received);
    const [one = new Uint8Array()] = messages;
    // A repeated field of 5 MiB: the longest of the host name wins in no decoder, the message stays valid.
    const big = Buffer.concat([one, Buffer.from("2a8080c002", "hex"), Buffer.alloc(5 * 1024 * 1024, "n")]);
    const cwd = emptyFolder();
    const framed = [one, big, one].flatMap((message) => [frameHead("delimited", message.length), message]);
    writeFileSync(join(cwd, "r.bin"), Buffer.concat(framed));
    const ran = await push(cwd, endpoint.port);
    expect(ran).toMatchObject({ code: 13, stderr: expect.stringContaining("exceeds the 4 MiB that servers accept") });
    expect(ran.stderr).toContain("message 2,");
    expect(received).toHaveLength(1);
    expect(await push(cwd, endpoint.port, "--skip-errors")).toMatchObject({ code: 13 });
    expect(received).toHaveLength(3);
  });
});

describe("sending", () => {
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ message: index + 1, encoded: Uint8Array.from([index]) }));
  const lost = () => new Failure("no_answer", "No response from x");
  const invalid = () => new Failure("invalid", "x rejected it: unknown type");

  /** A sender whose server answers each call as `answer` says. */
  function sending(answer: (readings: readonly Uint8Array[], call: number) => Failure | undefined, skips = false) {
    const seen = { calls: 0, waits: [] as number[], connections: 0, sent: [] as number[], rejected: [] as number[] };
    const sender = createSender({
      connect: () => {
        seen.connections += 1;
        return {
          put: async (readings) => {
            seen.calls += 1;
            const failure = answer(readings, seen.calls);
            if (failure !== undefined) throw failure;
          },
          query: async () => [],
          close: () => {},
        };
      },
      sleep: async (milliseconds) => {
        seen.waits.push(milliseconds);
      },
      onSent: (message) => seen.sent.push(message),
      onRejected: (message) => {
        seen.rejected.push(message);
        return skips;
      },
    });
    return { sender, seen };
  }

  test("a batch without a response is sent again on a new connection, three times at most", async () => {
    const { sender, seen } = sending((_readings, call) => (call < 4 ? lost() : undefined));
    await sender.send(numbered(700));
    expect(seen).toMatchObject({ calls: 5, waits: [500, 1000, 2000], connections: 4, sent: [500, 700] });
    const never = sending(() => lost());
    await expect(never.sender.send(numbered(3))).rejects.toMatchObject({
      exit: "noAnswer",
      message: expect.stringContaining("Sent 0 readings; stopped at messages 1 to 3"),
    });
    expect(never.seen.calls).toBe(4);
  });

  test("what the server rejects is found, named, and not sent again", async () => {
    const rejects = (readings: readonly Uint8Array[]) => readings.some(([byte]) => byte === 6);
    const { sender, seen } = sending((readings) => (rejects(readings) ? invalid() : undefined));
    await expect(sender.send(numbered(10))).rejects.toMatchObject({
      exit: "invalid",
      message: "x rejected it: unknown type\nSent 6 readings; stopped at message 7",
    });
    expect([seen.waits, sender.sent()]).toEqual([[], 6]);
    const skipping = sending((readings) => (rejects(readings) ? invalid() : undefined), true);
    await skipping.sender.send(numbered(10));
    expect([skipping.sender.sent(), skipping.seen.rejected]).toEqual([9, [7]]);
  });

  test("no other failure is retried", async () => {
    const { sender, seen } = sending(() => new Failure("forbidden", "no"));
    await expect(sender.send(numbered(2))).rejects.toMatchObject({ exit: "denied" });
    expect(seen.calls).toBe(1);
  });
});
