// Makes calls as the hosts of a fleet do by collectd's grpc plugin, one reading a call, and prints as JSON how many were
// answered with OK and how many were refused, with the processor time of this process:
//   node test/bench/receiving/calls.mjs PORT CONNECTIONS CALLS_AT_ONCE SECONDS [CALLS_PER_SECOND]
// Each connection has so many calls under way. Frames of HTTP/2 are written here: a library would take most of a core.
import { connect } from "node:net";

const [port = 0, connections = 1, atOnce = 1, seconds = 1, rate = Infinity] = process.argv.slice(2).map(Number);
const frame = (type, flags, stream, payload) => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};
const literal = (first, name, value) => {
  const named = name === "" ? [] : [Buffer.from([name.length]), Buffer.from(name)];
  return Buffer.concat([Buffer.from([first]), ...named, Buffer.from([value.length]), Buffer.from(value)]);
};
const firstHeaders = Buffer.concat([
  Buffer.from([0x83, 0x86]),
  literal(0x44, "", "/collectd.Collectd/PutValues"),
  literal(0x41, "", "127.0.0.1"),
  literal(0x40, "te", "trailers"),
  literal(0x5f, "", "application/grpc"),
  literal(0x7a, "", "grpc-c++/1.51.1 grpc-c/29.0.0 (linux; chttp2)"),
]);
// The same from the table that the first ones filled.
const nextHeaders = Buffer.from([0x83, 0x86, 0xc2, 0xc1, 0xc0, 0xbf, 0xbe]);
const field = (number, content) => Buffer.concat([Buffer.from([number * 8 + 2, content.length]), content]);
const text = (number, content) => field(number, Buffer.from(content));

function request(host, index) {
  const value = Buffer.alloc(9);
  value[0] = 0x11;
  value.writeDoubleLE(index * 1.1, 1);
  const identifier = [text(1, host), text(2, "cpu"), text(3, `${index % 8}`), text(4, "cpu"), text(5, "user")];
  const time = Buffer.from([8, 0x80 | (index & 0x7f), 0x9c, 0xd6, 0xc9, 0x06, 0x10, 1]);
  const reading = [
    field(1, value),
    field(2, time),
    field(3, Buffer.from([8, 10])),
    field(4, Buffer.concat(identifier)),
  ];
  const wrapped = field(1, Buffer.concat([...reading, text(5, "value")]));
  return Buffer.concat([Buffer.from([0, 0, 0, 0, wrapped.length]), wrapped]);
}

let [ok, ended, begun] = [0, 0, 0];
const start = performance.now();
const until = start + 1000 * seconds;
const before = process.cpuUsage();

async function sender(number) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const requests = Array.from({ length: 8 }, (_, index) => request(`node${number}.example.net`, index));
  let [stream, rest, data, open, resolve] = [1, Buffer.alloc(0), 0, 0, () => {}];
  const done = new Promise((end) => {
    resolve = end;
  });
  const call = () => {
    if (performance.now() >= until) return open === 0 ? resolve() : undefined;
    const wait = start + (1000 * begun) / rate - performance.now();
    begun += 1;
    open += 1;
    const send = () => {
      const headers = stream === 1 ? firstHeaders : nextHeaders;
      socket.write(Buffer.concat([frame(1, 4, stream, headers), frame(0, 1, stream, requests[stream % 8])]));
      stream += 2;
    };
    if (wait > 1) setTimeout(send, wait);
    else send();
  };
  socket.on("data", (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    let at = 0;
    for (; rest.length - at >= 9; ) {
      const size = rest.readUIntBE(at, 3);
      if (rest.length - at < 9 + size) break;
      const [type, flags] = [rest[at + 3], rest[at + 4]];
      if (type === 4 && (flags & 1) === 0) socket.write(frame(4, 1, 0, Buffer.alloc(0)));
      if (type === 6 && (flags & 1) === 0) socket.write(frame(6, 1, 0, rest.subarray(at + 9, at + 17)));
      if (type === 0 && size > 0) {
        ok += 1;
        data += size;
      }
      if (((type === 0 || type === 1) && (flags & 1) === 1) || type === 3) {
        ended += 1;
        open -= 1;
        call();
      }
      at += 9 + size;
    }
    rest = rest.subarray(at);
    if (data > 16_384) {
      const more = Buffer.alloc(4);
      more.writeUInt32BE(data, 0);
      socket.write(frame(8, 0, 0, more));
      data = 0;
    }
  });
  socket.on("close", resolve);
  socket.on("error", resolve);
  socket.write(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame(4, 0, 0, Buffer.alloc(0))]));
  for (let index = 0; index < atOnce; index += 1) call();
  await done;
  socket.destroy();
}

await Promise.all(Array.from({ length: connections }, (_, index) => sender(index)));
const { user, system } = process.cpuUsage(before);
const took = (performance.now() - start) / 1000;
console.log(JSON.stringify({ begun, ok, refused: ended - ok, seconds: took, cpu: (user + system) / 1e6 }));
