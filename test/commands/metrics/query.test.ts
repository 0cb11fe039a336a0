import { createServer } from "node:net";
import { join } from "node:path";
import { Server, ServerCredentials, type ServerWritableStream } from "@grpc/grpc-js";
import { afterEach, describe, expect, test } from "vitest";
import { connectCollectd } from "../../../src/metrics/grpc/client.ts";
import type { Endpoint } from "../../../src/metrics/grpc/serve.ts";
import { service, wrap } from "../../../src/metrics/grpc/service.ts";
import { dataBytes, delimitedMessages } from "../../metrics/data.ts";
import { fullReading } from "../../metrics/make-reading.ts";
import { type Answers, startUnixsock } from "../../metrics/unixsock.ts";
import { encodeFields } from "../../metrics/wire.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { records, tongsBytes } from "./bytes.ts";
import { startCaching } from "./caching.ts";

const messages = delimitedMessages(dataBytes("collectd-5.12.delimited.bin"));
let endpoint: Endpoint | undefined;

afterEach(async () => {
  await endpoint?.close();
  endpoint = undefined;
});

/** A server with the captured readings in its cache, whose clock stands still. */
async function filled(readings: readonly Uint8Array[] = messages): Promise<string> {
  endpoint = await startCaching();
  const client = connectCollectd({ host: "127.0.0.1", port: endpoint.port }, { timeout: 600 });
  await client.put(readings);
  client.close();
  return `127.0.0.1:${endpoint.port}`;
}

/** A gRPC server that sends these responses to every query. */
async function answering(answers: readonly Uint8Array[]) {
  const server = new Server();
  server.addService(service, {
    PutValues: () => {},
    QueryValues: (call: ServerWritableStream<Buffer, Buffer>) => {
      for (const answer of answers) call.write(Buffer.from(answer));
      call.end();
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { address: `127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}

interface Found {
  readonly identifier: Readonly<Record<string, string>>;
}

describe("metrics query", () => {
  test("prints the last reading of each series, in every format", async () => {
    const address = await filled();
    const ndjson = await tongsBytes(["metrics", "query", address]);
    expect([ndjson.code, records(ndjson.stdout).length]).toEqual([0, 303]);
    const json = await tongsBytes(["metrics", "query", address, "--json"]);
    expect(JSON.parse(json.stdout.toString())).toEqual(records(ndjson.stdout));
    const fields = await tongsBytes(["metrics", "query", address, "*/load", "--json", "identifier.type"]);
    expect(JSON.parse(fields.stdout.toString())).toEqual([{ identifier: { type: "load" } }]);
    const jq = await tongsBytes(["metrics", "query", address, "--jq", "length"]);
    expect(jq.stdout.toString().trim()).toBe("303");
    const csv = await tongsBytes(["metrics", "query", address, "*/load", "--csv"]);
    expect(csv.stdout.toString().trimEnd().split("\n")).toHaveLength(4);
    const text = await tongsBytes(["metrics", "query", address, "*/load"], { terminal: true });
    expect(text.stdout.toString()).toContain("/load/load");
  });

  test("selects by patterns for the host, the plugin with its instance, and the type with its instance", async () => {
    const address = await filled();
    const all = records((await tongsBytes(["metrics", "query", address])).stdout) as Found[];
    const host = all[0]?.identifier["host"] ?? "";
    const select = async (pattern: string) => {
      const ran = await tongsBytes(["metrics", "query", address, pattern]);
      expect(ran.code).toBe(0);
      return records(ran.stdout) as Found[];
    };
    const cpu = all.filter(({ identifier }) => identifier["plugin"] === "cpu" && identifier["plugin_instance"]);
    expect(cpu.length).toBeGreaterThan(1);
    expect(await select("*/cpu-*/*")).toEqual(cpu);
    expect(await select("*/cpu-*")).toEqual(cpu);
    expect(await select(`${host}/cpu-0/cpu-idle`)).toHaveLength(1);
    expect(await select("*/cpu/*")).toHaveLength(1);
    expect(await select("*/cp?-0/*-idle")).toHaveLength(1);
    expect(await select(host)).toEqual(all.filter(({ identifier }) => identifier["host"] === host));
    expect(await select("nobody*")).toEqual([]);
    expect(await select("")).toHaveLength(303);
    expect(await select("[")).toEqual([]);
  });

  test("shows names that are not UTF-8, and prints nothing from an empty cache", async () => {
    const strange = delimitedMessages(dataBytes("collectd-5.12.invalid-utf8.delimited.bin"));
    const ran = await tongsBytes(["metrics", "query", await filled(strange)]);
    expect([ran.code, ran.stdout.toString()]).toEqual([0, expect.stringContaining("invalid_utf8")]);
    await endpoint?.close();
    expect(await tongsBytes(["metrics", "query", await filled([]), "--json"])).toMatchObject({
      code: 0,
      stdout: Buffer.from("[]\n"),
    });
  });

  test("names what is wrong with the connection, in no words of gRPC", async () => {
    const ofLibrary = /UNAVAILABLE|INTERNAL|RST_STREAM|channel|Last error|connection established/i;
    const refused = await tongsBytes(["metrics", "query", "127.0.0.1:1"]);
    expect(refused).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("No response from 127.0.0.1:1: connection refused"),
    });
    const unknown = await tongsBytes(["metrics", "query", "no-such-host.invalid:50051", "--timeout", "10"]);
    expect(unknown).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("No response from no-such-host.invalid"),
    });
    const web = await serve(() => ({ status: 200, body: "hello" }));
    const notGrpc = await tongsBytes(["metrics", "query", new URL(web.url).host, "--timeout", "5"]);
    await web.close();
    expect(notGrpc.code).not.toBe(0);
    for (const { stderr } of [refused, unknown, notGrpc]) expect(stderr).not.toMatch(ofLibrary);
  });

  test.each([
    ["cut", Buffer.from("0a05", "hex")],
    ["with a bad tag", Buffer.from("0a0007", "hex")],
  ])("a response that is %s is a failure that names the server", async (_what, answer) => {
    const server = await answering([wrap(messages[0] ?? new Uint8Array()), answer]);
    const ran = await tongsBytes(["metrics", "query", server.address]);
    server.stop();
    expect([ran.code, ran.stdout.length]).toEqual([13, 0]);
    expect(ran.stderr).toContain(`${server.address} sent an invalid response: byte`);
    expect(ran.stderr).not.toContain("bug");
  });

  test("skips bad readings and those that the format cannot represent, and names why", async () => {
    const strange = encodeFields(fullReading((place) => Buffer.from(place === "host" ? "two\nlines" : place)));
    const [sound = new Uint8Array()] = messages;
    const server = await answering([sound, Buffer.from("0a05", "hex"), strange, sound].map((one) => wrap(one)));
    const putval = await tongsBytes(["metrics", "query", server.address, "--format", "putval"]);
    expect([putval.code, putval.stdout.toString().trimEnd().split("\n").length]).toEqual([13, 2]);
    expect(putval.stderr).toContain(`Skipped 2 readings from ${server.address}: a length of 5 exceeds`);
    expect(putval.stderr).toContain("a string contains a line break, which PUTVAL cannot represent");
    const json = await tongsBytes(["metrics", "query", server.address, "--json"]);
    server.stop();
    expect([json.code, (JSON.parse(json.stdout.toString()) as unknown[]).length]).toEqual([13, 3]);
    expect(json.stderr).toContain(`Skipped a reading from ${server.address}`);
    expect(`${putval.stderr}${json.stderr}`).not.toContain("bug");
  });

  test.each(["28829", ":28829", "localhost", "127.0.0.1:65536", "a b:1", ""])(
    "%j is not a server address",
    async (address) => {
      expect(await tongsBytes(["metrics", "query", address])).toMatchObject({ code: 2 });
    },
  );
});

describe("metrics query unix:PATH", () => {
  const usual: Answers = {
    LISTVAL: [
      "3 Values found",
      "1795684096.020 edge-02.example.net/load/load",
      '1795684097.000 edge-02.example.net/df-my "disk"/df_complex-free',
      "1795684098.500 edge-03.example.net/interface-eth0/if_octets",
    ],
    'GETVAL "edge-02.example.net/load/load"': [
      "3 Values found",
      "shortterm=1.260000e-01",
      "midterm=NaN",
      "longterm=         inf",
    ],
    'GETVAL "edge-02.example.net/df-my \\"disk\\"/df_complex-free"': ["1 Value found", "value=8.000000e+09"],
    'GETVAL "edge-03.example.net/interface-eth0/if_octets"': ["-1 No such value"],
  };

  /** Runs a query against a socket that answers each line as collectd's unixsock plugin does. */
  async function ask(words: readonly string[], answers: Answers | string = usual, asked: string[] = []) {
    const cwd = emptyFolder();
    const close = await startUnixsock(join(cwd, "sock"), answers, asked);
    try {
      return await tongsBytes(["metrics", "query", "unix:sock", ...words], { cwd });
    } finally {
      await close();
    }
  }

  test("prints the values that collectd has, and passes over what has expired since", async () => {
    const { code, stdout, stderr } = await ask([]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(records(stdout)).toEqual([
      {
        values: [{ gauge: 0.126 }, { gauge: "NaN" }, { gauge: "Infinity" }],
        time: "2026-11-26T09:08:16.020Z",
        identifier: { host: "edge-02.example.net", plugin: "load", type: "load" },
        ds_names: ["shortterm", "midterm", "longterm"],
      },
      {
        values: [{ gauge: 8e9 }],
        time: "2026-11-26T09:08:17Z",
        identifier: {
          host: "edge-02.example.net",
          plugin: "df",
          plugin_instance: 'my "disk"',
          type: "df_complex",
          type_instance: "free",
        },
        ds_names: ["value"],
      },
    ]);
  });

  test("asks only for the series that match", async () => {
    const asked: string[] = [];
    const { stdout } = await ask(["*/load"], usual, asked);
    expect([records(stdout).length, asked]).toEqual([1, ["LISTVAL", 'GETVAL "edge-02.example.net/load/load"']]);
  });

  test("asks for thousands, more than the socket holds", async () => {
    const names = Array.from({ length: 5000 }, (_, index) => `edge-${index}.example.net/load/load`);
    const answers: Record<string, readonly string[]> = {
      LISTVAL: ["5000 Values found", ...names.map((name) => `1795684096.020 ${name}`)],
    };
    for (const name of names) answers[`GETVAL "${name}"`] = ["1 Value found", "value=1.000000e+00"];
    const { code, stdout } = await ask([], answers);
    expect([code, records(stdout).length]).toEqual([0, 5000]);
  });

  test.each([
    ["HTTP/1.1 400 Bad Request\r\n\r\n", 13, "sent an invalid response: 'HTTP/1.1 400 Bad Request'"],
    ["2 Values found\n1.0 a/b/c\n", 6, "the connection was closed"],
    ["1 Value found\nnonsense\n", 13, "invalid response: 'nonsense'"],
    ["", 6, "the connection was closed"],
  ])("says what is wrong with the answer %j", async (answer, code, why) => {
    expect(await ask([], answer)).toMatchObject({ code, stderr: expect.stringContaining(why) });
  });

  test.each([
    ["nothing", 6, "nothing within 1 seconds"],
    ["999999999999 Values found\n1.0 a/b/c\n", 6, "nothing within 1 seconds"],
    ["endless", 13, "sent an invalid response: a line of more than 1048576 bytes"],
  ])("does not wait for a socket that keeps its connection open and says %j", async (says, code, why) => {
    const cwd = emptyFolder();
    const server = createServer((socket) => {
      const more = () => {
        while (socket.write("x".repeat(65_536)));
      };
      socket.on("error", () => socket.destroy());
      if (says === "endless") {
        socket.on("drain", more);
        more();
      } else if (says !== "nothing") socket.write(says);
    });
    await new Promise<void>((resolve) => server.listen(join(cwd, "sock"), resolve));
    const asked = await tongsBytes(["metrics", "query", "unix:sock", "--timeout", "1"], { cwd });
    server.close();
    expect(asked).toMatchObject({ code, stderr: expect.stringContaining(why) });
  });

  test("names a socket that is not there, and --tls is a usage error", async () => {
    const missing = await tongsBytes(["metrics", "query", "unix:/nowhere/sock"]);
    expect(missing).toMatchObject({ code: 6, stderr: expect.stringContaining("unix:/nowhere/sock: no such socket") });
    expect(await tongsBytes(["metrics", "query", "unix:/nowhere/sock", "--tls"])).toMatchObject({ code: 2 });
  });
});
