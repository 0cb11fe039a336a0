import { afterEach, describe, expect, test } from "vitest";
import { connectCollectd } from "../../../src/metrics/grpc/client.ts";
import { type Endpoint, startEndpoint } from "../../../src/metrics/grpc/serve.ts";
import { dataBytes, dataCopy, dataLines, dataPath, delimitedMessages } from "../../metrics/data.ts";
import { fullReading } from "../../metrics/make-reading.ts";
import { encodeFields } from "../../metrics/wire.ts";
import { fileBytes, records, tongsBytes } from "./bytes.ts";
import { startCaching } from "./caching.ts";
import { serving, until } from "./serving.ts";

// A push that is cut off leaves its journal beside the file.
const all = dataCopy("collectd-5.12.delimited.bin");
const anywhere = { host: "127.0.0.1", port: 0 };
const everything = { host: "*", plugin: "*", plugin_instance: "*", type: "*", type_instance: "*" };
let endpoint: Endpoint | undefined;

afterEach(async () => {
  await endpoint?.close();
  endpoint = undefined;
});

describe("metrics serve and push", () => {
  test("transfer each captured reading unchanged", async () => {
    const server = serving(["--to", "recorded.bin", "--count", "5000"]);
    const push = await tongsBytes([
      "metrics",
      "push",
      `127.0.0.1:${await server.port}`,
      dataPath("collectd-5.12.grpc.bin"),
    ]);
    expect(push).toMatchObject({ code: 0, stderr: expect.stringContaining("Sent 5000 readings") });
    expect(await server.ended).toMatchObject({ code: 0 });
    expect(fileBytes(server.cwd, "recorded.bin").equals(dataBytes("collectd-5.12.delimited.bin"))).toBe(true);
  });

  test("answer QueryValues with the last reading of each matching series, sorted", async () => {
    endpoint = await startCaching();
    const client = connectCollectd({ host: "127.0.0.1", port: endpoint.port }, { timeout: 600 });
    await client.put(delimitedMessages(dataBytes("collectd-5.12.delimited.bin")));
    const found = await client.query(everything);
    const loads = await client.query({ ...everything, plugin: "l[!x]ad", type_instance: "" });
    const none = await client.query({ ...everything, plugin: "" });
    client.close();
    expect([found.length, loads.length, none.length]).toEqual([303, 1, 0]);
    const expected = dataLines("collectd-5.12.delimited.ndjson").filter(
      (line) => line.includes('"plugin": "load"') || line.includes('"plugin":"load"'),
    );
    const decoded = await tongsBytes(["metrics", "decode", "--framing", "raw"], {
      stdin: loads[0] ?? new Uint8Array(),
    });
    expect(records(decoded.stdout)[0]).toEqual(JSON.parse(expected.at(-1) ?? ""));
  });

  test("answer a pattern that almost fits at once, and reject one that no name can need", async () => {
    endpoint = await startCaching();
    const client = connectCollectd({ host: "127.0.0.1", port: endpoint.port }, { timeout: 600 });
    await client.put([encodeFields(fullReading(() => Buffer.from("a".repeat(120))))]);
    expect(await client.query({ ...everything, host: `${"*a".repeat(12)}*b` })).toEqual([]);
    expect(await client.query({ ...everything, host: `${"*a".repeat(12)}*` })).toHaveLength(1);
    await expect(client.query({ ...everything, host: "*".repeat(1025) })).rejects.toMatchObject({ exit: "invalid" });
    client.close();
  });

  test("answer the calls whose readings were taken before the end, also if the process was busy then", async () => {
    let closed: Promise<void> | undefined;
    const onReading = () => {
      closed ??= running.close();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    };
    const running = await startEndpoint(anywhere, { onReading });
    const client = connectCollectd({ host: "127.0.0.1", port: running.port }, { timeout: 600 });
    await client.put(delimitedMessages(dataBytes("collectd-5.12.delimited.bin")).slice(0, 1));
    client.close();
    await closed;
  });

  test("make the sender wait while a reading is not taken", async () => {
    let calls = 0;
    let take = () => {};
    const taken = new Promise<void>((resolve) => {
      take = resolve;
    });
    const onReading = () => {
      calls += 1;
      return taken;
    };
    endpoint = await startEndpoint(anywhere, { onReading });
    const client = connectCollectd({ host: "127.0.0.1", port: endpoint.port }, { timeout: 600 });
    const put = client.put(delimitedMessages(dataBytes("collectd-5.12.delimited.bin")).slice(0, 100));
    await until(() => calls > 0);
    for (let round = 0; round < 50; round += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toBe(1);
    take();
    await put;
    client.close();
    expect(calls).toBe(100);
  });

  test("refuse calls beyond the most that may be under way, and take others after them", async () => {
    let take = () => {};
    const taken = new Promise<void>((resolve) => {
      take = resolve;
    });
    let calls = 0;
    const onReading = () => {
      calls += 1;
      return taken;
    };
    endpoint = await startEndpoint(anywhere, { onReading, mostCalls: 2 });
    const client = connectCollectd({ host: "127.0.0.1", port: endpoint.port }, { timeout: 600 });
    const [message = Buffer.alloc(0)] = delimitedMessages(dataBytes("collectd-5.12.delimited.bin"));
    const first = [client.put([message]), client.put([message])];
    await until(() => calls === 2);
    await expect(client.put([message])).rejects.toMatchObject({
      code: "server_failed",
      message: expect.stringContaining("2 calls are under way"),
    });
    expect(calls).toBe(2);
    take();
    await Promise.all(first);
    await client.put([message]);
    client.close();
    expect(endpoint.counts()).toEqual({ answered: 3, refused: 1 });
  });

  test.each([
    ["0a020801", "missing host name"],
    ["0a02080122030a0168", "missing plugin name"],
    ["0a02080122060a0168120170", "missing type name"],
    ["0a0022090a0168120170220174", "unknown value type"],
    ["0a02080122090a016812017022017432030a016b", "Metadata of unknown type"],
    ["0a0308", "byte"],
  ])("reject %s as collectd does, in push and in serve", async (hex, reason) => {
    endpoint = await startEndpoint(anywhere, { onReading: () => {} });
    const address = `127.0.0.1:${endpoint.port}`;
    const client = connectCollectd({ host: "127.0.0.1", port: endpoint.port }, { timeout: 600 });
    await expect(client.put([Buffer.from(hex, "hex")])).rejects.toMatchObject({
      exit: "invalid",
      message: expect.stringContaining(reason),
    });
    client.close();
    const stdin = Buffer.from(hex, "hex");
    expect(await tongsBytes(["metrics", "push", address, "--framing", "raw"], { stdin })).toMatchObject({ code: 13 });
  });

  test("accept names that are not UTF-8 from collectd, but do not push them", async () => {
    const received: Uint8Array[] = [];
    endpoint = await startEndpoint(anywhere, {
      onReading: (bytes, _view, start, end) => received.push(bytes.slice(start, end)),
    });
    const client = connectCollectd({ host: "127.0.0.1", port: endpoint.port }, { timeout: 600 });
    const strange = delimitedMessages(dataBytes("collectd-5.12.invalid-utf8.delimited.bin"));
    await client.put(strange);
    client.close();
    expect(received.map((one) => Buffer.from(one).toString("hex"))).toEqual(
      strange.map((one) => Buffer.from(one).toString("hex")),
    );
    const file = dataPath("collectd-5.12.invalid-utf8.delimited.bin");
    expect(await tongsBytes(["metrics", "push", `127.0.0.1:${endpoint.port}`, file])).toMatchObject({ code: 13 });
    expect(received.length).toBe(strange.length);
  });

  test("send nothing with --dry-run, and report a missing response", async () => {
    const dry = await tongsBytes(["metrics", "push", "127.0.0.1:1", all, "--dry-run"]);
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining("Would send 5000 readings") });
    expect(await tongsBytes(["metrics", "push", "127.0.0.1:1", all, "--timeout", "2"])).toMatchObject({ code: 6 });
    expect(await tongsBytes(["metrics", "push", "nowhere", all])).toMatchObject({ code: 2 });
  });
});
