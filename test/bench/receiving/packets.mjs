// Sends what a fleet sends by collectd's network protocol, and prints as JSON what it sent, how many
// readings of it found no receiver, and the processor time it took:
//   node test/bench/receiving/packets.mjs PORT HOSTS SERIES READINGS_PER_SECOND SECONDS [even]
// Each host has SERIES series, in packets of at most 1,452 bytes as collectd makes them. All hosts send at once, and pause
// until the rate is kept; with `even`, they send one after the other through all of the time.
import { createSocket } from "node:dgram";
import { setTimeout } from "node:timers/promises";

const [port = 0, hosts = 0, series = 0, rate = 0, seconds = 0] = process.argv.slice(2, 7).map(Number);
const isEven = process.argv[7] === "even";

const text = (type, content) => {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(5 + content.length, 2);
  return Buffer.concat([head, Buffer.from(content), Buffer.alloc(1)]);
};
const number = (type, value) => {
  const part = Buffer.alloc(12);
  part.writeUInt16BE(type, 0);
  part.writeUInt16BE(12, 2);
  part.writeBigUInt64BE(value, 4);
  return part;
};
const values = (kind, ...all) => {
  const part = Buffer.alloc(6 + 9 * all.length);
  part.writeUInt16BE(6, 0);
  part.writeUInt16BE(part.length, 2);
  part.writeUInt16BE(all.length, 4);
  for (const [index, value] of all.entries()) {
    part[6 + index] = kind;
    const at = 6 + all.length + 8 * index;
    if (kind === 1) part.writeDoubleLE(value, at);
    else part.writeBigInt64BE(BigInt(value), at);
  }
  return part;
};

/** The parts of one reading: cpu, memory and interface in turn. */
function reading(index) {
  if (index % 5 === 4)
    return [["interface", `eth${index}`, "if_octets", ""], values(2, 1e9 + 7919 * index, 1e8 + 104_729 * index)];
  const names = ["user", "system", "idle", "wait"];
  if (index % 2 === 0) return [["cpu", `${index >> 3}`, "cpu", names[(index >> 1) % 4]], values(2, 1e6 + 977 * index)];
  return [["memory", "", "memory", `${names[(index >> 1) % 4]}${index}`], values(1, 1e9 / (index + 1))];
}

/** The packets of a host, and where their times are. */
function packetsOf(host) {
  const packets = [];
  let parts = [];
  let times = [];
  let before = [];
  let size = 0;
  const add = (part) => {
    parts.push(part);
    size += part.length;
  };
  const end = () => {
    packets.push({ bytes: Buffer.concat(parts), times });
    [parts, times, before, size] = [[], [], [], 0];
  };
  for (let index = 0; index < series; index += 1) {
    const [names, part] = reading(index);
    if (size + 120 > 1452) end();
    if (size === 0) add(text(0, host));
    times.push(size + 4);
    add(number(8, 0n));
    if (times.length === 1) add(number(9, 10n << 30n));
    for (const [at, type] of [2, 3, 4, 5].entries()) if (names[at] !== before[at]) add(text(type, names[at]));
    before = names;
    add(part);
  }
  end();
  return packets;
}

const all = Array.from({ length: hosts }, (_, index) => packetsOf(`node${String(index).padStart(4, "0")}.example.net`));
const socket = createSocket("udp4");
await new Promise((resolve) => socket.bind(0, "127.0.0.1", resolve));
socket.setSendBufferSize(1 << 22);
socket.connect(port, "127.0.0.1");
await new Promise((resolve) => socket.once("connect", resolve));
const before = process.cpuUsage();
const start = performance.now();
const until = start + 1000 * seconds;
const perRound = (1000 * hosts * series) / rate;
let [packets, readings, refused, round] = [0, 0, 0, 0];
for (; start + round * perRound < until; round += 1) {
  const time = BigInt(Math.floor((performance.timeOrigin + performance.now()) * 1.073741824e6));
  for (const [index, ofHost] of all.entries()) {
    for (const { bytes, times } of ofHost) {
      for (const at of times) bytes.writeBigUInt64BE(time, at);
      // Nobody listens, as between a kill of the receiver and its next start. collectd goes on, too.
      const error = await new Promise((resolve) => socket.send(bytes, resolve));
      if (error) refused += times.length;
      packets += 1;
      readings += times.length;
    }
    const due = start + round * perRound + (perRound * (index + 1)) / hosts;
    if (isEven && index % 20 === 19 && due > performance.now()) await setTimeout(due - performance.now());
  }
  const left = start + (round + 1) * perRound - performance.now();
  if (left > 0) await setTimeout(left);
}
const { user, system } = process.cpuUsage(before);
const took = (performance.now() - start) / 1000;
console.log(JSON.stringify({ packets, readings, refused, seconds: took, cpu: (user + system) / 1e6 }));
socket.close();
