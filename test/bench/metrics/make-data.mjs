// Makes the recordings that the decode figures are measured on:
//   node test/bench/metrics/make-data.mjs FILE [READINGS] [--new]
// One varint-delimited file of 1,000,000 readings, 95 bytes each on average: 200 hosts (or as given) with 66 series each in
// a fixed order, 10 s interval, nanosecond times; integers from 2^53 up, gauges of every look, some NaN, metadata on a tenth of
// the hosts. With --new, every reading has an identifier that never came before. The same on every machine.
import { closeSync, openSync, writeSync } from "node:fs";

/** A small generator of random numbers (mulberry32), so that every run makes the same file. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const series = [
  ...Array.from({ length: 32 }, (_, index) => [
    "cpu",
    `${index >> 3}`,
    "cpu",
    ["idle", "user", "system", "wait", "nice", "steal", "softirq", "interrupt"][index % 8],
    "derive",
    ["value"],
  ]),
  ...["used", "free", "cached", "buffered", "slab_recl", "slab_unrecl"].map((name) => [
    "memory",
    "",
    "memory",
    name,
    "gauge",
    ["value"],
  ]),
  ...Array.from({ length: 9 }, (_, index) => [
    "df",
    ["root", "var", "home"][Math.floor(index / 3)],
    "df_complex",
    ["free", "used", "reserved"][index % 3],
    "gauge",
    ["value"],
  ]),
  ...Array.from({ length: 9 }, (_, index) => [
    "interface",
    ["eth0", "eth1", "lo"][Math.floor(index / 3)],
    ["if_octets", "if_packets", "if_errors"][index % 3],
    "",
    "derive",
    ["rx", "tx"],
  ]),
  ["load", "", "load", "", "gauge", ["shortterm", "midterm", "longterm"]],
  ...["running", "sleeping", "blocked", "zombies", "stopped", "paging"].map((name) => [
    "processes",
    "",
    "ps_state",
    name,
    "gauge",
    ["value"],
  ]),
  ...["get", "post", "put"].map((name) => ["requests", "", "http_requests", name, "counter", ["value"]]),
];

function varint(number) {
  let rest = BigInt.asUintN(64, BigInt(number));
  const bytes = [];
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

const field = (number, content) => Buffer.concat([Buffer.from([number * 8 + 2]), varint(content.length), content]);
const text = (number, content) => (content === "" ? Buffer.alloc(0) : field(number, Buffer.from(content)));

function gauge(next) {
  const roll = next();
  const value =
    roll < 0.002
      ? Number.NaN
      : roll < 0.4
        ? Math.floor(next() * 1e10)
        : roll < 0.7
          ? Math.round(next() * 1e4) / 100
          : next() * 1e3;
  const bytes = Buffer.alloc(9);
  bytes[0] = 0x11;
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

function integer(kind, next) {
  const value = 2n ** 53n + BigInt(Math.floor(next() * 2 ** 53)) * BigInt(1 + Math.floor(next() * 127));
  return Buffer.concat([Buffer.from([kind === "counter" ? 0x08 : 0x18]), varint(value)]);
}

function tail(host, [plugin, instance, type, typeInstance, , names], suffix) {
  const identifier = [text(1, host), text(2, plugin), text(3, instance + suffix), text(4, type), text(5, typeInstance)];
  const parts = [
    field(3, Buffer.from([8, 10])),
    field(4, Buffer.concat(identifier)),
    ...names.map((name) => text(5, name)),
  ];
  const number = Number.parseInt(host.slice(4), 10);
  if (number % 10 === 0) {
    const created = Buffer.concat([text(1, "aggregation:created"), field(2, Buffer.from([0x28, 1]))]);
    const address = Buffer.concat([text(1, "network:ip"), field(2, text(1, `192.0.2.${number % 256}`))]);
    parts.push(field(6, created), field(6, address));
  }
  return Buffer.concat(parts);
}

/** The number of series of a host. */
export const seriesPerHost = series.length;

export function makeData(path, readings = 1_000_000, everyNew = false, hosts = 200) {
  const next = random(20_260_101);
  const tails = new Map();
  const file = openSync(path, "w");
  let gathered = [];
  for (let index = 0; index < readings; index += 1) {
    const which = index % (hosts * series.length);
    const one = series[which % series.length];
    const host = `node${String(Math.floor(which / series.length)).padStart(3, "0")}.dc1.example.net`;
    const key = everyNew ? index : which;
    const end = tails.get(key) ?? tail(host, one, everyNew ? `-${index}` : "");
    if (!everyNew) tails.set(key, end);
    const values = one[5].map(() => field(1, one[4] === "gauge" ? gauge(next) : integer(one[4], next)));
    const time = Buffer.concat([
      Buffer.from([8]),
      varint(1_767_225_600 + Math.floor(index / 1320)),
      Buffer.from([16]),
      varint(Math.floor(next() * 1e9)),
    ]);
    const message = Buffer.concat([...values, field(2, time), end]);
    gathered.push(varint(message.length), message);
    if (gathered.length > 20_000) {
      writeSync(file, Buffer.concat(gathered));
      gathered = [];
    }
  }
  writeSync(file, Buffer.concat(gathered));
  closeSync(file);
}

const [, script, path, readings] = process.argv;
if (script === import.meta.filename && path !== undefined) {
  makeData(
    path,
    Number.isInteger(Number(readings)) && readings !== undefined ? Number(readings) : 1_000_000,
    process.argv.includes("--new"),
  );
}
