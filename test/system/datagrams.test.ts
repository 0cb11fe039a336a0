import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { receiveDatagrams } from "../../src/system/datagrams.ts";

const local = { type: "udp4", host: "127.0.0.1", port: 0, receiveBuffer: 1024 * 1024 } as const;

/** Sends packets of 1000 bytes from another process, while this one is blocked. */
function flood(port: number, times: number): void {
  const program = `
    const socket = require("node:dgram").createSocket("udp4");
    let left = ${times};
    const next = () => left-- > 0 ? socket.send(Buffer.alloc(1000, left), ${port}, "127.0.0.1", next) : socket.close();
    next();`;
  expect(spawnSync(process.execPath, ["-e", program]).status).toBe(0);
}

test("packets that come while this thread is blocked are taken later, in order, with their senders", async () => {
  const taken: number[] = [];
  const senders = new Set<string>();
  const socket = await receiveDatagrams({ ...local, most: 1024 * 1024 }, (packet, host, port) => {
    expect(packet.length).toBe(1000);
    taken.push(packet[0] ?? 0);
    senders.add(`${host}:${port > 0}`);
  });
  flood(socket.port, 100);
  await socket.close(() => {});
  expect(taken).toEqual(Array.from({ length: 100 }, (_, index) => 99 - index));
  expect([...senders, socket.lost()]).toEqual(["127.0.0.1:true", 0]);
});

test("packets beyond what may wait are lost, and counted", async () => {
  let taken = 0;
  const socket = await receiveDatagrams({ ...local, most: 20_000 }, () => {
    taken += 1;
  });
  flood(socket.port, 100);
  await socket.close(() => {});
  expect(taken + socket.lost()).toBe(100);
  expect([taken > 10, socket.lost() > 50]).toEqual([true, true]);
});

test("an address that cannot be used is an error with its code", async () => {
  const first = await receiveDatagrams({ ...local, most: 1000 }, () => {});
  const second = receiveDatagrams({ ...local, port: first.port, most: 1000 }, () => {});
  await expect(second).rejects.toMatchObject({ code: "EADDRINUSE" });
  await first.close(() => {});
});
