import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseTypesDb } from "../../src/metrics/encode/types-db.ts";
import { createPacketReader } from "../../src/metrics/network/packet.ts";
import { parseAuthFile } from "../../src/metrics/network/security.ts";
import { encodeReading } from "../../src/metrics/reading/codec.ts";
import { WireFault } from "../../src/metrics/wire/fields.ts";
import { records, tongsBytes } from "../commands/metrics/bytes.ts";
import { choicesFrom } from "../support/random.ts";
import { emptyFolder } from "../support/tongs.ts";
import { dataBytes, dataLines, dataPath } from "./data.ts";
import { decodeReading } from "./decode-reading.ts";
import { capturedPackets, inUdp, keys, openRules, pcapOf, type ReadingRecord, readAll, readingsOf } from "./packets.ts";

const capture = dataBytes("collectd-5.12.network.pcap");

/** A reading as a line of the csv plugin, whose times have milliseconds and whose gauges have six decimals. */
function csvLine({ identifier, time, values }: ReadingRecord): string {
  const part = (name: string) => {
    const instance = identifier[`${name}_instance`];
    return instance === undefined ? identifier[name] : `${identifier[name]}-${instance}`;
  };
  const seconds = Date.parse(`${time.slice(0, 19)}Z`) / 1000 + Number(`0.${time.slice(20, -1) || "0"}`);
  const numbers = values.map((value) => {
    const [[kind = "", number = ""] = []] = Object.entries(value);
    if (kind !== "gauge") return number;
    return number === "NaN" ? "nan" : sixDecimals(Number(number));
  });
  return [`${identifier["host"]}/${part("plugin")}/${part("type")}`, seconds.toFixed(3), ...numbers].join();
}

/** Like printf, rounds a tie to the even digit; `toFixed` rounds it up. */
function sixDecimals(number: number): string {
  const low = Math.floor(number * 1e6);
  const isTie = number * 1e6 - low === 0.5;
  return (isTie ? (low + (low % 2)) / 1e6 : number).toFixed(6);
}

describe("packets of a real collectd", () => {
  const expected = dataLines("collectd-5.12.network.csv").sort();

  test.each(["plain", "signed", "encrypted"] as const)("%s ones give the values of its csv plugin", (form) => {
    const lines = capturedPackets()
      [form].flatMap((packet) => [...readingsOf(packet, openRules)])
      .map((reading) => reading.identifier?.host);
    expect(lines).toHaveLength(expected.length);
  });

  test("a capture of plain, signed and encrypted ones gives each value three times, in any steps", async () => {
    for (const step of [61, 100_000]) {
      const read = await readAll(capture, { step });
      expect(read).toMatchObject({ messages: 39, readings: 957, others: 0, stopped: false });
      expect(read.records.map(csvLine).sort()).toEqual(expected.flatMap((line) => [line, line, line]));
      expect(new Set(read.records.map(({ interval }) => interval))).toEqual(new Set(["1s"]));
    }
  });

  test("integers of 64 bits stay exact", async () => {
    const { records: all } = await readAll(capture);
    const values = all.filter(({ identifier }) => identifier["plugin"] === "tongs").map((one) => one.values);
    for (const value of [
      { counter: "18446744073709551611" },
      { absolute: "18446744073709551612" },
      { derive: "-9007199254740992" },
      { derive: "9007199254740993" },
      { gauge: "NaN" },
    ])
      expect(values.flat()).toContainEqual(value);
  });

  test("a capture on all interfaces is read, too", async () => {
    const { messages, fault } = await readAll(dataBytes("collectd-5.12.network-any.pcap"));
    expect([messages, fault]).toEqual([9, undefined]);
  });

  test("become the bytes that the generated code encodes, also of damaged ones", () => {
    const types = parseTypesDb(
      "load shortterm:GAUGE:0:U, midterm:GAUGE:0:U, longterm:GAUGE:0:U\nif_octets rx:DERIVE:0:U\n",
    );
    const { below } = choicesFrom(11);
    const all = Object.values(capturedPackets()).flat();
    // One reader for all of them: nothing of a packet may be left in the next one.
    const reader = createPacketReader({ ...openRules, types });
    let [readings, faults] = [0, 0];
    for (let round = 0; round < 4000; round += 1) {
      const packet = Buffer.from(all[round % all.length] ?? []);
      if (round >= all.length)
        for (let changes = below(3); changes >= 0; changes -= 1) packet[below(packet.length)] = below(256);
      try {
        reader.read(packet, (bytes, _view, start, end) => {
          const again = encodeReading(decodeReading(bytes, start, end, { lenient: true }));
          expect(Buffer.from(again).toString("hex")).toBe(Buffer.from(bytes.subarray(start, end)).toString("hex"));
          readings += 1;
          return true;
        });
      } catch (error) {
        if (!(error instanceof WireFault)) throw error;
        faults += 1;
      }
    }
    expect([readings > 10_000, faults > 1000]).toEqual([true, true]);
  });

  test("notifications are skipped", () => {
    const [first = Buffer.alloc(0)] = capturedPackets().plain;
    expect(first.includes("warning threshold")).toBe(true);
    expect([...readingsOf(first, openRules)]).toEqual([]);
  });
});

describe("metrics decode --framing network", () => {
  test("names data sources by types.db, and detects a capture", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "auth"), "# users\nedge: false-password\n");
    writeFileSync(join(cwd, "types.db"), "if_octets rx:DERIVE:0:U, tx:DERIVE:0:U\n");
    const words = ["--auth-file", "auth", "--types-db", "types.db", "--type", "if_octets"];
    const file = dataPath("collectd-5.12.network.pcap");
    const ran = await tongsBytes(["metrics", "decode", file, "--format", "ndjson", ...words], { cwd });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const all = records(ran.stdout) as ReadingRecord[];
    expect(all.length).toBeGreaterThan(20);
    expect(all.every(({ ds_names }) => ds_names?.join() === "rx,tx")).toBe(true);
    const named = await tongsBytes(["metrics", "stat", file, "--framing", "network", ...words, "--json"], { cwd });
    expect(JSON.parse(named.stdout.toString())).toHaveLength(4);
  });

  test("reads one packet as it was sent, from a file or a pipe", async () => {
    const packet = capturedPackets().plain.at(1) ?? Buffer.alloc(0);
    const ran = await tongsBytes(["metrics", "decode", "--framing", "network"], { stdin: packet });
    expect([ran.code, records(ran.stdout).length]).toEqual([0, [...readingsOf(packet, openRules)].length]);
  });

  test("without the keys, stops at an encrypted packet, names the flag, and keeps what came before", async () => {
    const ran = await tongsBytes(["metrics", "decode", dataPath("collectd-5.12.network.pcap"), "--format", "ndjson"]);
    expect(ran).toMatchObject({ code: 13, stderr: expect.stringContaining("packet 3, byte") });
    expect(ran.stderr).toContain("--auth-file");
    const rest = await tongsBytes(["metrics", "decode", dataPath("collectd-5.12.network.pcap"), "--skip-errors"]);
    expect([rest.code, records(rest.stdout).length]).toEqual([13, 638]);
    expect(rest.stderr).toContain("Skipped 13 bad messages");
  });

  test("an empty input has no readings, and an unreadable AuthFile is named", async () => {
    expect(await tongsBytes(["metrics", "decode", "--framing", "network"])).toMatchObject({ code: 0, stderr: "" });
    const words = ["metrics", "decode", dataPath("collectd-5.12.network.pcap"), "--auth-file", "missing"];
    expect(await tongsBytes(words)).toMatchObject({ code: 1, stderr: expect.stringContaining("missing") });
  });
});

describe("signed and encrypted packets", () => {
  const { signed, encrypted, plain } = capturedPackets();
  const read = (packet: Uint8Array, rules = openRules) => [...readingsOf(packet, rules)];
  const wrong = { ...openRules, keys: new Map([["edge", "another"]]) };
  const stranger = { ...openRules, keys: new Map([["someone", "false-password"]]) };

  test("are rejected with a wrong password or an unknown user", () => {
    expect(() => read(signed[1] ?? Buffer.alloc(0), wrong)).toThrow("signature is wrong");
    expect(() => read(encrypted[1] ?? Buffer.alloc(0), wrong)).toThrow("cannot be decrypted");
    expect(() => read(signed[1] ?? Buffer.alloc(0), stranger)).toThrow("no user 'edge'");
    expect(() => read(encrypted[1] ?? Buffer.alloc(0), stranger)).toThrow("no user 'edge'");
  });

  test("give no reading when any byte was changed", () => {
    for (const packet of [signed[1], encrypted[1]]) {
      const original = packet ?? Buffer.alloc(0);
      const count = read(original).length;
      for (let at = 0; at < original.length; at += 1) {
        const changed = Buffer.from(original);
        changed[at] = (changed[at] ?? 0) ^ 0x04;
        let got = 0;
        const run = () => {
          for (const reading of readingsOf(changed, { ...openRules, level: "sign" })) got += reading.values.length;
        };
        expect(run, `byte ${at} of ${count} readings`).toThrow(WireFault);
        expect(got).toBe(0);
      }
    }
  });

  test("a signed packet is accepted without keys, as by collectd; an encrypted one is not", () => {
    const packets = (form: readonly Buffer[]) => form[1] ?? Buffer.alloc(0);
    expect(read(packets(signed), { ...openRules, keys: undefined })).toEqual(read(packets(plain)));
    expect(() => read(packets(encrypted), { ...openRules, keys: undefined })).toThrow("no authentication file");
  });

  test.each([
    ["sign", "is not signed", [1, 1, 0]],
    ["encrypt", "is not encrypted", [1, 0, 0]],
  ] as const)("level %s rejects what is weaker", (level, reason, accepted) => {
    const rules = { ...openRules, level };
    for (const [index, form] of [encrypted, signed, plain].entries()) {
      const packet = form[1] ?? Buffer.alloc(0);
      if (accepted[index] === 1) expect(read(packet, rules).length).toBeGreaterThan(0);
      else expect(() => read(packet, rules)).toThrow(reason);
    }
  });

  test("an AuthFile has a user and a password a line", () => {
    expect(parseAuthFile("\n# note\n edge: false-password \r\nb:c: d\n", "auth")).toEqual(
      new Map([
        ["edge", "false-password"],
        ["b", "c: d"],
      ]),
    );
    expect(() => parseAuthFile("edge: x\nfalse-secret\n", "auth")).toThrow("auth:2: expected USER: PASSWORD");
    expect(keys.size).toBe(1);
  });
});

describe("damaged packets and captures", () => {
  const { plain } = capturedPackets();
  const sound = plain[1] ?? Buffer.alloc(0);
  const count = [...readingsOf(sound, openRules)].length;

  test("what precedes the damage, and the packets beside it, are read", async () => {
    const damaged = Buffer.concat([sound, Buffer.from("00060003ffff", "hex")]);
    const file = pcapOf(101, [inUdp(sound), inUdp(damaged), inUdp(sound)]);
    const strict = await readAll(file);
    expect(strict.fault).toMatchObject({ kind: "bad-message", unit: "packet", message: 2, what: /length 3/ });
    expect(strict.records).toHaveLength(2 * count);
    const skipping = await readAll(file, { skips: true });
    expect([skipping.fault, skipping.records.length, skipping.skipped.length]).toEqual([undefined, 3 * count, 1]);
  });

  test.each([
    ["00000005ff", "does not end with a zero byte"],
    ["0001000500", "instead of 8"],
    ["000600050000", "does not match"],
    ["00000006680000020006700000040006740000060010000101000000000000", "exceeds"],
    ["0000000668000002000670000004000674000006000f0001070000000000000000", "unknown type 7"],
    ["000200067000000400067400" + "0006000f0001010000000000000000", "no host"],
    ["ffff0003", "less than its head"],
    ["0200000400", "no username"],
    ["021000050000", "too short"],
  ])("%s: %s", (hex, reason) => {
    expect(() => [...readingsOf(Buffer.from(hex, "hex"), openRules)]).toThrow(reason);
  });

  test.each([
    [
      "Ethernet",
      1,
      (packet: Buffer) => Buffer.concat([Buffer.alloc(12), Buffer.from("0800", "hex"), packet, Buffer.alloc(9)]),
    ],
    [
      "Ethernet with VLAN tags",
      1,
      (packet: Buffer) => Buffer.concat([Buffer.alloc(12), Buffer.from("88a80001810000020800", "hex"), packet]),
    ],
    ["Linux cooked v1", 113, (packet: Buffer) => Buffer.concat([Buffer.alloc(14), Buffer.from("0800", "hex"), packet])],
    ["BSD loopback", 0, (packet: Buffer) => Buffer.concat([Buffer.from("02000000", "hex"), packet])],
  ] as const)("reads %s", async (_name, link, wrap) => {
    for (const bigEndian of [false, true]) {
      const { records: all, fault } = await readAll(pcapOf(link, [wrap(inUdp(sound))], { bigEndian }));
      expect([all.length, fault]).toEqual([count, undefined]);
    }
  });

  test("reads IPv6 with options, and passes over other packets", async () => {
    const dns = inUdp(Buffer.from("4d2a01000001", "hex"));
    const others = [inUdp(sound, { protocol: 6 }), inUdp(sound, { fragment: 0x2000 }), Buffer.from("60", "hex"), dns];
    const read = await readAll(pcapOf(101, [...others, inUdp(sound, { version: 6 })]));
    expect(read).toMatchObject({ messages: 1, others: 1, readings: count });
  });

  test("a cut packet, a cut file, an unknown link type and a capture without UDP are named as such", async () => {
    const cut = await readAll(pcapOf(101, [inUdp(sound)], { cutTo: 200 }));
    expect(cut.fault?.what).toContain("tcpdump -s 0");
    const ended = await readAll(capture.subarray(0, capture.length - 10));
    expect(ended.fault).toMatchObject({ kind: "truncated", message: 39 });
    expect((await readAll(capture.subarray(0, 20))).fault?.kind).toBe("truncated");
    const tcp = await readAll(pcapOf(101, [inUdp(sound, { protocol: 6 }), inUdp(sound, { protocol: 6 })]));
    expect(tcp.fault?.what).toBe("none of the 2 packets of this capture is UDP (link type 101)");
    expect((await readAll(pcapOf(101, []))).fault).toBe(undefined);
    expect((await readAll(pcapOf(147, []))).fault?.what).toContain("link type 147");
    expect((await readAll(Buffer.alloc(70_000, 1))).fault?.what).toContain("neither");
  });
});
