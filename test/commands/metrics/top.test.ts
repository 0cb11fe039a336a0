import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Interruption } from "../../../src/failure/interruption.ts";
import { connectCollectd } from "../../../src/metrics/grpc/client.ts";
import { delimited, readingWith } from "../../metrics/forward/readings.ts";
import { oneValue, startUnixsock } from "../../metrics/unixsock.ts";
import { rawCodes } from "../../support/raw-codes.ts";
import { redraws, screen } from "../../support/screen.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { startCaching } from "./caching.ts";

const epoch = Date.parse("2026-11-22T06:00:00Z") / 1000;
const now = new Date(epoch * 1000);

const identifier = (host: string, type: string) => ({
  host,
  plugin: "interface",
  plugin_instance: "eth0",
  type,
  type_instance: "",
});

/** Readings of a counter that increases by `step` each second, up to `age` seconds ago. */
function counter(host: string, step: bigint, age = 0): Uint8Array[] {
  return [20, 10, 0].map((before) =>
    readingWith({ derive: step * BigInt(1000 - before) }, epoch - age - before, identifier(host, "if_packets")),
  );
}

const gauge = (host: string, value: number, seconds = epoch) =>
  readingWith({ gauge: value }, seconds, identifier(host, "users"));

/** A recording with a counter and a gauge of two hosts. */
function recording(more: readonly Uint8Array[] = []): string {
  const cwd = emptyFolder();
  const both = [...counter("a", 5n), ...counter("b", 70n), gauge("a", 3, epoch - 10), gauge("a", 4), gauge("b", 9)];
  writeFileSync(join(cwd, "r.bin"), delimited([...both, ...more]));
  return cwd;
}

const top = (words: readonly string[], world: World = {}) => tongs(["metrics", "top", ...words], { now, ...world });

describe("metrics top of a recording", () => {
  test("prints one table with --once, sorted by rate, value, change or host", async () => {
    const cwd = recording();
    const once = await top(["r.bin", "--once"], { cwd });
    expect([once.code, once.stderr]).toEqual([0, ""]);
    expect(once.stdout).toBe(
      [
        "b\tinterface-eth0/if_packets\t70\t\t0\t2026-11-22T06:00:00Z",
        "a\tinterface-eth0/if_packets\t5\t\t0\t2026-11-22T06:00:00Z",
        "a\tinterface-eth0/users\t\t4\t1\t2026-11-22T06:00:00Z",
        "b\tinterface-eth0/users\t\t9\t\t2026-11-22T06:00:00Z",
        "",
      ].join("\n"),
    );
    const first = async (...words: readonly string[]) =>
      (await top(["r.bin", "--once", "--top", "1", ...words], { cwd })).stdout.split("\t").slice(0, 2).join(" ");
    expect(await first("--sort", "value")).toBe("b interface-eth0/users");
    expect(await first("--sort", "change")).toBe("a interface-eth0/users");
    expect(await first("--sort", "host")).toBe("a interface-eth0/if_packets");
  });

  test("prints one list with --json, --csv and --jq, and the records of each refresh with --jsonl", async () => {
    const cwd = recording();
    const json = await top(["r.bin", "--json", "--top", "1"], { cwd });
    expect(json.json()).toEqual([
      {
        series: "b/interface-eth0/if_packets",
        host: "b",
        plugin: "interface",
        plugin_instance: "eth0",
        type: "if_packets",
        type_instance: "",
        ds_name: "value",
        kind: "derive",
        rate: 70,
        change: 0,
        time: "2026-11-22T06:00:00Z",
        stale: false,
        at: "2026-11-22T06:00:00.000Z",
      },
    ]);
    const csv = await top(["r.bin", "--csv", "--sort", "value", "--top", "1"], { cwd });
    expect(csv.stdout.split(/\r?\n/)).toEqual([
      "host,series,kind,rate,value,change,time,stale",
      "b,b/interface-eth0/users,gauge,,9,,2026-11-22T06:00:00Z,false",
      "",
    ]);
    expect((await top(["r.bin", "--jq", "length"], { cwd })).stdout).toBe("4\n");
    const jsonl = await top(["r.bin", "--jsonl", "--count", "3", "--top", "1"], { cwd });
    expect(jsonl.stdout.trimEnd().split("\n")).toHaveLength(3);
    expect(await top(["r.bin", "--json", "--count", "2"], { cwd })).toMatchObject({ code: 2 });
    expect(await top(["r.bin", "--once", "--count", "2"], { cwd })).toMatchObject({ code: 2 });
  });

  test("selects series by the flags of the other commands, and by name", async () => {
    const cwd = recording([gauge("old", 1, epoch - 7200)]);
    const names = async (...words: readonly string[]) =>
      ((await top(["r.bin", "--json", ...words], { cwd })).json() as { readonly series: string }[]).map(
        ({ series }) => series,
      );
    expect(await names("--host", "a")).toEqual(["a/interface-eth0/if_packets", "a/interface-eth0/users"]);
    expect(await names("--type", "users", "--since", "1h")).toEqual([
      "a/interface-eth0/users",
      "b/interface-eth0/users",
    ]);
    expect(await names("--series", "b/*")).toEqual(["b/interface-eth0/if_packets", "b/interface-eth0/users"]);
    expect(await names("--series", "interface-eth0/users")).toHaveLength(3);
    expect(await names("--host", "nobody")).toEqual([]);
  });

  test("goes on when it grows, is rotated, vanishes and comes back, and says so", async () => {
    const cwd = recording();
    const file = join(cwd, "r.bin");
    const steps = [
      () => appendFileSync(file, delimited([gauge("a", 100)]).subarray(0, 20)),
      () => appendFileSync(file, delimited([gauge("a", 100)]).subarray(20)),
      () => appendFileSync(file, delimited([gauge("a", 100, epoch + 10)])),
      () => renameSync(file, `${file}.old`),
      () => writeFileSync(file, delimited([gauge("a", 200, epoch + 20)])),
    ];
    const words = ["r.bin", "--sort", "value", "--top", "1", "--count", "5"];
    const ran = await top(words, { cwd, onSleep: () => steps.shift()?.() });
    expect(steps).toEqual([]);
    // A reading of the same time is the same reading.
    expect(ran.stdout.split("\n\n").map((row) => row.split("\t")[3])).toEqual(["9", "9", "9", "100", "200"]);
    expect(ran.stderr).toBe("r.bin is not there; waiting for it.\nThere are readings of r.bin again.\n");
    expect(ran.code).toBe(0);
  });

  test("names what it leaves out: bad readings, and those ahead of the clock", async () => {
    const cwd = recording([gauge("b", 1, epoch + 3600)]);
    for (let count = 0; count < 5; count += 1) appendFileSync(join(cwd, "r.bin"), Buffer.from("020a05", "hex"));
    const { code, stderr } = await top(["r.bin", "--once"], { cwd });
    expect(code).toBe(0);
    expect(stderr.match(/r.bin: skipped message/g)).toHaveLength(3);
    expect(stderr).toContain("Skipped 5 bad messages");
    expect(stderr).toContain("Left out 1 value that is ahead of the clock");
  });

  test("fails for what is not there, or not a recording", async () => {
    const cwd = emptyFolder();
    expect(await top(["r.bin"], { cwd })).toMatchObject({ code: 5, stderr: expect.stringContaining("No such file") });
    writeFileSync(join(cwd, "r.bin"), "PUTVAL a/load/load N:1\n");
    expect(await top(["r.bin"], { cwd })).toMatchObject({ code: 13, stderr: expect.stringContaining("PUTVAL") });
    expect(await top(["."], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining(". is a directory") });
    expect(await top(["r.bin", "--interval", "0"], { cwd })).toMatchObject({ code: 2 });
  });
});

describe("metrics top of a pipe", () => {
  test("reads stdin as it comes, and ends with it", async () => {
    const stdin = new PassThrough();
    const bytes = delimited([...counter("a", 5n), gauge("b", 2)]);
    let wait = 0;
    const ran = await top(["-", "--sort", "value"], {
      stdin,
      onSleep: () => {
        wait += 1;
        if (wait === 1) stdin.write(bytes.subarray(0, bytes.length - 5));
        if (wait === 2) stdin.end(bytes.subarray(bytes.length - 5));
        return setTimeout(5);
      },
    });
    expect(ran.code).toBe(0);
    expect(ran.stdout.split("\n\n").at(-1)?.split("\n")).toEqual([
      expect.stringMatching(/^b\t.*\t2\t/),
      expect.stringMatching(/^a\t.*\t5\t/),
      "",
    ]);
    expect(await top(["-"], { stdin: "PUTVAL a/load/load N:1\n", onSleep: () => setTimeout(5) })).toMatchObject({
      stdout: "",
    });
  });
});

describe("metrics top of a server", () => {
  test("waits for the second readings of counters, and then for a server that went away", async () => {
    const [first, second, third] = counter("a", 5n);
    const open = (port: number) => startCaching(port, now);
    let endpoint = await open(0);
    const { port } = endpoint;
    const put = async (reading = first) => {
      const client = connectCollectd({ host: "127.0.0.1", port }, { timeout: 600 });
      await client.put([reading ?? new Uint8Array()]);
      client.close();
    };
    await put(first);
    const steps = [
      () => put(second),
      () => endpoint.close(),
      async () => {
        endpoint = await open(port);
        await put(third);
      },
    ];
    const onSleep = () => steps.shift()?.();
    const ran = await top([`127.0.0.1:${port}`, "--count", "2"], { onSleep });
    await endpoint.close();
    expect(ran.stderr).toBe(
      `No response from 127.0.0.1:${port}: connection refused.\nThere are readings of 127.0.0.1:${port} again.\n`,
    );
    expect([ran.code, ran.stdout.split("\n\n").map((row) => row.split("\t")[2])]).toEqual([0, ["5", "5"]]);
  });

  test("fails if it does not answer at first", async () => {
    expect(await top(["127.0.0.1:1"])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("connection refused"),
    });
    expect(await top(["unix:nowhere"])).toMatchObject({ code: 6, stderr: expect.stringContaining("no such socket") });
  });

  test("asks the socket of collectd's unixsock plugin", async () => {
    const cwd = emptyFolder();
    const close = await startUnixsock(join(cwd, "sock"), oneValue);
    const ran = await top(["unix:sock", "--json"], { cwd, now: new Date("2026-11-27T00:00:00Z") });
    await close();
    expect(ran.json()).toMatchObject([{ series: "edge-02.example.net/users/users", kind: "gauge", value: 3 }]);
  });
});

describe("metrics top on a terminal", () => {
  /** Redraws until interrupted at the third refresh, as Ctrl-C does. */
  async function shown(words: readonly string[], world: World, onRefresh = (_count: number) => {}) {
    const abort = new AbortController();
    let count = 0;
    const onSleep = () => {
      count += 1;
      onRefresh(count);
      if (count === 3) abort.abort(new Interruption("SIGINT"));
      abort.signal.throwIfAborted();
    };
    return top(["r.bin", ...words], { terminal: true, signal: abort.signal, onSleep, ...world });
  }

  test.each([
    [50, /^HOST +SERIES +RATE$/],
    [80, /^HOST +SERIES +RATE +VALUE +CHANGE +LAST$/],
    [120, /^HOST +SERIES +RATE +VALUE +CHANGE +LAST$/],
  ])("fits %i columns, keeps what it sorts by, and leaves the table when it is interrupted", async (columns, head) => {
    const long = "a-host-with-a-long-name-in-a-domain.example.net";
    const cwd = recording([...counter(long, 123_456n), gauge(long, 1)]);
    const { code, stdout, stderr } = await shown([], { cwd, columns });
    const lines = screen(stdout);
    expect(lines[0]).toMatch(head);
    expect(lines[1]).toMatch(/^a-host-w.*123\.5k/);
    for (const line of lines) expect(line.length, line).toBeLessThan(columns);
    expect(lines.at(-1)).toMatch(/^\S 6 series of 3 hosts · r\.bin, by rate/);
    expect([code, stderr]).toEqual([130, expect.stringContaining("Interrupted")]);
    expect(stdout).not.toContain("\u001b[?25l");
  });

  test("writes once for each frame, and only what has changed", async () => {
    const cwd = recording();
    const { stdout } = await shown([], { cwd }, () =>
      appendFileSync(join(cwd, "r.bin"), delimited([gauge("b", 1, epoch + 10)])),
    );
    const frames = redraws(stdout).slice(1);
    expect(frames.length).toBe(3);
    expect(frames[0]).toContain("if_packets");
    expect(frames[1]).not.toContain("if_packets");
    for (const frame of frames) expect(frame.endsWith("\u001b[?2026l") || frame === frames.at(-1)).toBe(true);
  });

  test("says that the recording is not there, below the table, and stale series are dim", async () => {
    const cwd = recording([gauge("dead", 1000, epoch - 600)]);
    const { stdout } = await shown(["--sort", "value"], { cwd, env: { FORCE_COLOR: "1" } }, (count) => {
      if (count === 2) renameSync(join(cwd, "r.bin"), join(cwd, "other.bin"));
    });
    expect(screen(stdout).join("\n")).toContain("1 stale");
    expect(stdout).toContain("r.bin is not there; waiting for it");
    expect(stdout).toMatch(/\u001b\[2mdead/);
  });

  test("shows names with control characters as pictures", async () => {
    const evil = "e\u001b[2J\nvil\u009b";
    const cwd = recording([gauge(evil, 1e6)]);
    const { stdout } = await shown(["--sort", "value"], { cwd });
    expect(rawCodes(stdout, { drawing: true })).toEqual([]);
    expect(screen(stdout)[1]).toContain("e␛[2J vil");
  });

  test("prints one table with --once, and tables below each other where nothing can be redrawn", async () => {
    const cwd = recording();
    const once = await top(["r.bin", "--once"], { cwd, terminal: true, env: { NO_COLOR: "1" } });
    expect([once.code, once.stdout.split("\n")[0]]).toEqual([0, expect.stringMatching(/^HOST +SERIES/)]);
    expect(once.stderr).toContain("4 series of 2 hosts");
    const dumb = await top(["r.bin", "--count", "2"], { cwd, terminal: true, env: { TERM: "dumb" } });
    expect(dumb.stdout.match(/HOST/g)).toHaveLength(2);
    expect(dumb.stdout).not.toContain("\u001b[");
  });
});
