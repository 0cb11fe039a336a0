import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { treatsItemsAlone } from "../../../src/commands/metrics/records.ts";
import { dataBytes, dataLines, dataPath, delimitedMessages, edgeCases } from "../../metrics/data.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { encoded, fileBytes, reading, records, tongsBytes } from "./bytes.ts";

const all = dataPath("collectd-5.12.delimited.bin");
const decode = (...words: string[]) => tongsBytes(["metrics", "decode", ...words]);
const fromHex = (hex: string, ...words: string[]) =>
  tongsBytes(["metrics", "decode", ...words], { stdin: Buffer.from(hex, "hex") });
const base = "0a0911000000000000f83f120b0880e2cfaa061080e59a771a02080a220d0a0168120170220567617567652a0576616c7565";

describe("metrics decode", () => {
  test.each(["collectd-5.12.delimited.bin", "collectd-5.12.grpc.bin", "collectd-5.12.grpc-gzip.bin"])(
    "prints the expected values of every reading in %s",
    async (name) => {
      const { code, stdout, stderr } = await decode(dataPath(name));
      const got = records(stdout);
      expect([code, stderr]).toEqual([0, ""]);
      expect(got).toEqual(
        dataLines("collectd-5.12.delimited.ndjson")
          .slice(0, got.length)
          .map((line) => JSON.parse(line) as unknown),
      );
      expect(got.length).toBe(name.includes("gzip") ? 300 : 5000);
    },
  );

  test("prints each single reading, also one wrapped in a request", async () => {
    for (const name of readdirSync(join(all, "..")).filter((file) => /^single-.*\.json$/.test(file))) {
      const { stdout } = await decode(dataPath(name.replace(".json", ".bin")));
      const expected = JSON.parse(dataBytes(name).toString()) as { value_list?: unknown };
      expect(records(stdout), name).toEqual([expected.value_list ?? expected]);
    }
  });

  test.each(edgeCases())("accepts or rejects the raw edge case $name", async ({ hex, decodes, has_json, json }) => {
    const { code, stdout, stderr } = await fromHex(hex, "--framing", "raw");
    expect(code).toBe(decodes ? 0 : 13);
    if (has_json === true) expect(records(stdout)).toEqual([json]);
    if (!decodes) expect(stderr).toMatch(/standard input: message 1, byte \d+: /);
  });

  test("reads several files and stdin in the given order", async () => {
    const { stdout } = await tongsBytes(
      ["metrics", "decode", dataPath("single-uptime.bin"), "-", dataPath("single-uptime.bin")],
      {
        stdin: Buffer.from(base, "hex"),
      },
    );
    expect(records(stdout).map((one) => (one as { identifier: { plugin: string } }).identifier.plugin)).toEqual([
      "uptime",
      "p",
      "uptime",
    ]);
  });

  test("prints a valid JSON array, also if it is empty or the input is truncated", async () => {
    const whole = await decode(all, "--format", "json");
    expect(JSON.parse(whole.stdout.toString())).toHaveLength(5000);
    const none = await decode(all, "--format", "json", "--host", "nobody");
    expect(JSON.parse(none.stdout.toString())).toEqual([]);
    const cut = await tongsBytes(["metrics", "decode", "--format", "json"], {
      stdin: dataBytes("collectd-5.12.delimited.bin").subarray(0, 1000),
    });
    expect([cut.code, (JSON.parse(cut.stdout.toString()) as unknown[]).length]).toEqual([13, 11]);
  });

  test("prints CSV with one row per value, quoted if needed", async () => {
    const { stdout } = await decode(
      dataPath("single-mixed-kinds.bin"),
      dataPath("single-meta-bool-true.bin"),
      "--format",
      "csv",
    );
    const [header, ...rows] = stdout.toString().trimEnd().split("\n");
    expect(header).toBe("time,interval,host,plugin,plugin_instance,type,type_instance,ds_name,kind,value,meta");
    const mixed = JSON.parse(dataBytes("single-mixed-kinds.json").toString()) as {
      values: unknown[];
      ds_names: string[];
    };
    expect(rows.length).toBe(mixed.values.length + 1);
    expect(rows.slice(0, -1).map((row) => row.split(",")[7])).toEqual(mixed.ds_names);
    expect(rows.at(-1)).toMatch(/,"\{""aggregation:created"":\{""bool_value"":true\}\}"$/);
  });

  test("prints PUTVAL lines, U for NaN, and rejects what PUTVAL cannot represent", async () => {
    const { stdout } = await decode(
      dataPath("single-load-three-gauges.bin"),
      dataPath("single-gauge-nan-statsd.bin"),
      "--format",
      "putval",
    );
    expect(stdout.toString()).toMatch(
      /^PUTVAL "edge-01.example.net\/load\/load" interval=\S+ \d+\.\d+:\S+:\S+:\S+\nPUTVAL "\S+" \S+ \S+:U\n$/,
    );
    const refusals = await Promise.all(
      ["2a0161", "0a020801", "0a020801220b0a03680a69120170220174"].map((hex) =>
        fromHex(hex, "--framing", "raw", "--format", "putval"),
      ),
    );
    expect(refusals.map(({ code }) => code)).toEqual([13, 13, 13]);
    expect(refusals[0]?.stderr).toContain("the reading has no values");
    expect(refusals[2]?.stderr).toContain("line break");
  });

  test("prints aligned text on a terminal, without control characters from the data", async () => {
    const evil = "0a020801220c0a041b5b326d120170220174";
    const { stdout } = await tongsBytes(["metrics", "decode", all, "--utc", "--count", "3"], { terminal: true });
    const lines = stdout.toString().trimEnd().split("\n");
    expect(lines[0]).toMatch(/^2026-11-21 07:46:00\.390Z {2}edge-01\.example\.net\/cpu\/count\s+value=2 \(gauge\)$/);
    expect((await fromHex(evil, "--framing", "raw", "--format", "text")).stdout.toString()).toContain("\u241b[2m/p/t");
  });

  test("shows local time", async () => {
    const { stdout } = await fromHex(base, "--format", "text");
    const local = new Date("2023-11-14T22:13:20.250Z");
    expect(stdout.toString()).toContain(`${String(local.getHours()).padStart(2, "0")}:13:20.250`);
  });

  test.each([
    "2026-11-21T07:46:15.359017002Z",
    "2026-11-21 08:46:15.359017002+01:00",
    "2026-11-21T07:46:15.3590170015Z",
    "1795247175.359017002",
    "@1795247175.35901700101",
  ])("selects to the nanosecond: %s", async (time) => {
    const at = (nanos: number) => ({ time: `2026-11-21T07:46:15.35901700${nanos}Z` });
    const stdin = await encoded(...[0, 1, 2, 3].map((nanos) => reading([{ gauge: nanos }], undefined, at(nanos))));
    const values = async (flag: string) => {
      const { code, stdout } = await tongsBytes(["metrics", "decode", "--csv", flag, time], { stdin });
      const rows = stdout.toString().trim().split("\n").slice(1);
      return [code, ...rows.map((row) => Number(row.split(",")[9]))];
    };
    expect(await values("--since")).toEqual([0, 2, 3]);
    expect(await values("--until")).toEqual([0, 0, 1]);
    const none = ["metrics", "decode", "--since", time, "--until", time];
    expect(await tongsBytes(none, { stdin })).toMatchObject({ code: 2 });
  });

  test("filters by identifier with wildcards and by time, and counts", async () => {
    const interfaces = records((await decode(all, "--plugin", "inter*", "--type", "if_[op]*")).stdout) as {
      identifier: { plugin: string; type: string };
      time: string;
    }[];
    expect(new Set(interfaces.map(({ identifier }) => identifier.type))).toEqual(new Set(["if_octets", "if_packets"]));
    const times = interfaces.map(({ time }) => time);
    const [since = "", until = ""] = [times[10], times[20]];
    // With all nanoseconds, which Date does not have.
    const exact = (time: string) => {
      const [second, fraction = ""] = time.replace("Z", "").split(".");
      return `${second}.${fraction.padEnd(9, "0")}`;
    };
    const between = records(
      (await decode(all, "--plugin", "inter*", "--type", "if_[op]*", "--since", since, "--until", until)).stdout,
    );
    expect(between).toEqual(interfaces.filter(({ time }) => exact(time) >= exact(since) && exact(time) < exact(until)));
    expect(records((await decode(all, "--count", "4")).stdout)).toHaveLength(4);
    expect(await decode(all, "--since", "yesterday")).toMatchObject({ code: 2 });
    const reversed = { code: 2, stderr: expect.stringContaining("--since must be before --until") };
    expect(await decode(all, "--since", until, "--until", since)).toMatchObject(reversed);
    // There are no such days.
    for (const time of ["2026-02-30", "2026-11-31", "2026-11-31T08:00:00Z", "2026-02-29 08:00", "2026-13-01"]) {
      const { code, stderr } = await decode(all, "--since", time);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`Invalid time '${time}' for --since`)]);
    }
    for (const time of ["2024-02-29", "2026-11-30 08:00", "2026-11-30T08:00:00+02:00"])
      expect(await decode(all, "--since", time)).toMatchObject({ code: 0 });
  });

  test("filters by each of several values of a flag", async () => {
    const count = async (...words: string[]) => records((await decode(all, ...words)).stdout).length;
    const [octets, packets] = [await count("--type", "if_octets"), await count("--type", "if_packets")];
    expect(octets * packets).toBeGreaterThan(0);
    expect(await count("--type", "if_octets", "--type", "if_packets", "--type", "nosuch")).toBe(octets + packets);
    expect(await count("--type", "if_octets", "--type", "if_packets", "--plugin", "load")).toBe(0);
    const both = await count("--plugin", "load", "--plugin", "users");
    expect([await count("--plugin", "load,users"), both > (await count("--plugin", "load"))]).toEqual([both, true]);
  });

  test("refuses a format beside another of the global flags", async () => {
    for (const [format, flag] of [
      ["csv", "--json"] as const,
      ["json", "--csv"] as const,
      ["csv", "--jsonl"] as const,
    ]) {
      const { code, stdout, stderr } = await decode(all, "--format", format, flag);
      expect([code, stdout.length]).toEqual([2, 0]);
      expect(stderr).toContain(`--format ${format} and ${flag} exclude each other`);
    }
    expect(await decode(all, "--format", "json", "--json", "--count", "1")).toMatchObject({ code: 0 });
  });

  test("rejects a string that is not UTF-8, shows it with --lenient, skips it with --skip-errors", async () => {
    const file = dataPath("collectd-5.12.invalid-utf8.delimited.bin");
    const strict = await decode(file);
    expect(strict).toMatchObject({ code: 13, stdout: Buffer.alloc(0) });
    expect(strict.stderr).toContain(
      `message 1, byte ${readFileSync(file).indexOf(0xfc)}: a string is not valid UTF-8 (byte 0xFC)`,
    );
    const lenient = await decode(file, "--lenient");
    expect(lenient.code).toBe(0);
    expect(records(lenient.stdout)[0]).toMatchObject({
      identifier: { plugin_instance: "K\ufffdFCche" },
      invalid_utf8: ["identifier.plugin_instance", "identifier.type_instance"],
    });
    const skipping = await tongsBytes(["metrics", "decode", "--skip-errors"], {
      stdin: Buffer.concat([readFileSync(file), Buffer.from([base.length / 2]), Buffer.from(base, "hex")]),
    });
    expect(skipping.code).toBe(13);
    expect(records(skipping.stdout)).toHaveLength(1);
    expect(skipping.stderr).toContain("Skipped 30 bad messages");
  });

  test("prints the readings before a truncated end, and reports it", async () => {
    const { code, stdout, stderr } = await tongsBytes(["metrics", "decode"], {
      stdin: dataBytes("collectd-5.12.delimited.bin").subarray(0, 1000),
    });
    expect(code).toBe(13);
    expect(records(stdout)).toHaveLength(11);
    expect(stderr).toMatch(
      /message 12, byte \d+: the input ends in the middle of a message, after \d+ bytes \(after 11 readings\)/,
    );
  });

  test("prints nothing for an empty file or stream, in each format", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "empty.bin"), "");
    for (const [format, nothing] of [
      ["ndjson", ""],
      ["text", ""],
      ["putval", ""],
      ["json", "[]\n"],
      ["csv", "time,interval,host,plugin,plugin_instance,type,type_instance,ds_name,kind,value,meta\n"],
    ] as const) {
      for (const files of [["empty.bin"], [], ["empty.bin", "-"]]) {
        const { code, stdout, stderr } = await tongsBytes(["metrics", "decode", ...files, "--format", format], { cwd });
        expect([code, stdout.toString(), stderr]).toEqual([0, nothing, ""]);
      }
    }
    expect(await tongsBytes(["metrics", "stat", "empty.bin", "--json"], { cwd })).toMatchObject({ code: 0 });
  });

  test.each(["auto", "raw"])("prints nothing for a skipped message with --framing %s", async (framing) => {
    const { code, stdout, stderr } = await fromHex("2a01ff", "--framing", framing, "--skip-errors");
    expect([code, stdout.toString()]).toEqual([13, ""]);
    expect(stderr).toContain("Skipped 1 bad message");
  });

  test("continues with the next file after a damaged one", async () => {
    const { code, stdout } = await decode(dataPath("single-invalid-utf8-cut.bin"), dataPath("single-uptime.bin"));
    expect([code, records(stdout).length]).toEqual([13, 1]);
  });

  test("prints seconds for a time out of range, in every format", async () => {
    const hex = edgeCases().find(({ name }) => name === "time-milliseconds-as-seconds")?.hex ?? "";
    const shown = async (format: string) =>
      (await fromHex(hex, "--framing", "raw", "--format", format)).stdout.toString();
    expect(await shown("ndjson")).toContain('"time":{"seconds":"1700000000000","nanos":0}');
    expect(await shown("csv")).toContain("\n@1700000000000s,");
    expect(await shown("text")).toContain("@1700000000000s");
    expect(await shown("putval")).toContain(" 1700000000000:1.5");
  });

  test("supports the global output flags, fields and jq", async () => {
    const one = dataPath("single-uptime.bin");
    expect(JSON.parse((await decode("--json", one)).stdout.toString())).toHaveLength(1);
    expect(records((await decode(one, "--jsonl")).stdout)).toHaveLength(1);
    expect((await decode(one, "--csv")).stdout.toString()).toMatch(/^time,interval/);
    expect(JSON.parse((await decode("--json", "identifier.plugin", one)).stdout.toString())).toEqual([
      { identifier: { plugin: "uptime" } },
    ]);
    expect((await decode(all, "--count", "3", "--jq", "length")).stdout.toString()).toBe("3\n");
  });

  test("writes to a file with -o", async () => {
    const cwd = emptyFolder();
    const { stdout } = await tongsBytes(["metrics", "decode", dataPath("single-uptime.bin"), "-o", "out.ndjson"], {
      cwd,
    });
    expect([stdout.length, records(fileBytes(cwd, "out.ndjson")).length]).toEqual([0, 1]);
  });

  test("reports a missing file, and missing input on a terminal", async () => {
    expect(await decode("nowhere.bin")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("No such file: nowhere.bin"),
    });
    expect(await tongsBytes(["metrics", "decode"], { terminal: true })).toMatchObject({ code: 2 });
  });

  test("prints each reading while the pipe stays open", async () => {
    const stdin = new PassThrough();
    let tell = () => {};
    const output: Buffer[] = [];
    const running = tongsBytes(["metrics", "decode"], {
      stdin,
      onOutput: (chunk) => {
        output.push(chunk);
        tell();
      },
    });
    for (const message of delimitedMessages(dataBytes("collectd-5.12.delimited.bin")).slice(0, 5)) {
      const printed = new Promise<void>((resolve) => {
        tell = resolve;
      });
      stdin.write(Buffer.concat([Uint8Array.from([message.length]), message]));
      await printed;
    }
    expect(records(Buffer.concat(output))).toHaveLength(5);
    stdin.end();
    expect(await running).toMatchObject({ code: 0 });
  });

  test.each([
    [["--jq", ".[] | .identifier.plugin"], "users\n"],
    [["--jsonl", "--json", "ds_names"], '{"ds_names":["value"]}\n'],
  ])("prints what %s selects while the pipe stays open", async (words, expected) => {
    const stdin = new PassThrough();
    let output = "";
    const running = tongsBytes(["metrics", "decode", "--framing", "delimited", "--plugin", "users", ...words], {
      stdin,
      onOutput: (chunk) => {
        output += chunk.toString();
        stdin.end();
      },
    });
    stdin.write(dataBytes("collectd-5.12.delimited.bin"));
    expect(await running).toMatchObject({ code: 0 });
    expect(output.replaceAll(expected, "")).toBe("");
    expect(output).not.toBe("");
  });

  test("prints the same through jq in parts as at once", async () => {
    const whole = await decode(all, "--jq", "map(.values[0])[]");
    const stdin = new PassThrough();
    const running = tongsBytes(["metrics", "decode", "--jq", ".[].values[0]"], { stdin });
    const bytes = dataBytes("collectd-5.12.delimited.bin");
    for (let at = 0; at < bytes.length; at += 100_000) {
      stdin.write(bytes.subarray(at, at + 100_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    stdin.end();
    expect((await running).stdout.equals(whole.stdout)).toBe(true);
    expect(whole.stdout.toString().split("\n")).toHaveLength(5001);
  });

  test("runs a jq program once on no readings, and reports an invalid one", async () => {
    const stdin = Buffer.alloc(0);
    expect((await tongsBytes(["metrics", "decode", "--jq", "length"], { stdin })).stdout.toString()).toBe("0\n");
    expect((await tongsBytes(["metrics", "decode", "--jq", ".[] | .x"], { stdin })).stdout.toString()).toBe("");
    expect((await tongsBytes(["metrics", "decode", "--json", "time"], { stdin })).stdout.toString()).toBe("[]\n");
    expect(await tongsBytes(["metrics", "decode", "--jq", ".[] | ("], { stdin })).toMatchObject({ code: 2 });
  });

  test("jq programs that treat each reading alone are told from those that need all", () => {
    const alone = [".[]", " .[] | .time", ".[].time", ".[].values[0].gauge", '.[]["time"]?', ".[]|.values[]"];
    alone.push(".[]? | select(.time) | .time, .values", ".[].values[] | .gauge");
    const needing = [".", "length", "map(.time)", ".[0]", ".[1:]", ".[] |= 1", ".[], length", ".[].a, .[].b", "[.[]]"];
    needing.push(".[].a + 1", ".[] as $x | $x", ".[] | input", ".[] | [inputs]", ".[] | halt", "first(.[])");
    needing.push(".[].a // 1", "..", ".[] # |");
    expect([alone.filter((one) => !treatsItemsAlone(one)), needing.filter(treatsItemsAlone)]).toEqual([[], []]);
  });

  test("stops at --count though the pipe stays open", async () => {
    const stdin = new PassThrough();
    stdin.write(dataBytes("collectd-5.12.delimited.bin").subarray(0, 1000));
    const { code, stdout } = await tongsBytes(["metrics", "decode", "--count", "2"], { stdin });
    expect([code, records(stdout).length, stdin.destroyed]).toEqual([0, 2, true]);
  });

  test("exits quietly when the reader closes the output", async () => {
    const script = join(import.meta.dirname, "..", "..", "..", "bin", "tongs.js");
    const child = spawn(process.execPath, [script, "metrics", "decode", all]);
    child.stdout.once("data", () => child.stdout.destroy());
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += String(chunk);
    });
    const [code] = (await once(child, "close")) as [number];
    expect([code, stderr]).toEqual([0, ""]);
  });
});
