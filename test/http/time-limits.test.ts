import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { json, stream } from "../../src/http/answers.ts";
import { path } from "../../src/http/path.ts";
import { type Changes, clientFor, type TestClient } from "./client-for.ts";
import { answer, type RawHandler, serveRaw } from "./raw-server.ts";

/** Writes a piece every 50 ms, for as long as the connection is open. */
function trickle(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 50);
  socket.on("close", () => clearInterval(timer));
}

const thing = path`/thing`;
const read = ({ http }: Pick<TestClient, "http">) => http.get(thing, { answers: json<unknown>() });

describe.each([
  ["directly", false],
  ["through a proxy", true],
])("a time limit %s", (_way, byProxy) => {
  async function raw(handler: RawHandler, changes: Changes) {
    const server = await serveRaw(handler);
    const proxy = byProxy ? { proxy: server.url } : {};
    const client = clientFor(byProxy ? "http://forge.test" : server.url, { ...changes, ...proxy });
    return { ...client, requests: server.requests };
  }

  it.each([
    ["bytes of the head", "HTTP/1.1 200 OK\r\nx-slow: ", "x"],
    ["headers", "HTTP/1.1 200 OK\r\n", "x-slow: 1\r\n"],
    ["informational responses", "", "HTTP/1.1 103 Early Hints\r\n\r\n"],
  ])("does not start anew with %s", async (_what, start, piece) => {
    const client = await raw(
      (socket) => {
        socket.write(start);
        trickle(socket, piece);
      },
      { timeout: 400 },
    );
    await expect(read(client)).rejects.toMatchObject({ code: "timeout", exit: "noAnswer" });
    expect(client.waits).toEqual([]);
  });

  it.each([
    ["an error", "422 Unprocessable Entity", { exit: "invalid" }],
    ["a redirect", "307 Temporary Redirect\r\nlocation: /api/v1/next", { exit: "notFound" }],
  ])("includes the body of %s", async (_what, status, outcome) => {
    const client = await raw(
      (socket, head) => {
        if (head.includes("/next")) return void socket.write(answer("{}", "404 Not Found"));
        socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 100000\r\n\r\n`);
        trickle(socket, "x");
      },
      { timeout: 400 },
    );
    await expect(read(client)).rejects.toMatchObject(outcome);
  });

  it("does not include the body of a success, whose limit is for silence", async () => {
    const slow: RawHandler = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 61\r\n\r\n[");
      for (let part = 1; part <= 30; part += 1) setTimeout(() => socket.write(part < 30 ? "1," : "1]"), 100 * part);
    };
    expect(await read(await raw(slow, { timeout: 2_500 }))).toHaveLength(30);
    const silent: RawHandler = (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n[1");
    const changes = { timeout: 200_000, idleTimeout: 1_200 };
    for (const answers of [json<unknown>(), stream]) {
      const client = await raw(silent, changes);
      const reading = async () => {
        const value = await client.http.get<unknown>(thing, { answers });
        if (answers === stream)
          await (value as { body: { drain(take: () => void): Promise<void> } }).body.drain(() => {});
      };
      await expect(reading()).rejects.toMatchObject({
        code: "timeout",
        message: expect.stringContaining("within 1.2 s"),
        hint: expect.stringContaining("--timeout"),
      });
    }
  });

  it("ends a body that drips for a minute, but not a download or one that goes on", async () => {
    let now = 0;
    const later = () => {
      now += 10_000;
      return new Date(now);
    };
    const retry = { attempts: 1, random: () => 0, sleep: async () => undefined, now: later };
    const body = (piece: string, pieces: number): RawHandler => {
      return (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${piece.length * pieces + 1}\r\n\r\n`);
        for (let part = 0; part < pieces; part += 1) setTimeout(() => socket.write(piece), 30 * part);
        setTimeout(() => socket.write("1"), 30 * pieces);
      };
    };
    const dripping = body(" ", 20);
    await expect(read(await raw(dripping, { retry }))).rejects.toMatchObject({
      code: "timeout",
      message: expect.stringMatching(/sent only \d bytes within 60 s$/),
    });
    expect(await read(await raw(body(" ".repeat(4096), 20), { retry }))).toBe(1);
    for (const changes of [
      { retry, idleTimeout: 0 },
      { retry, idleTimeout: 600_000 },
    ])
      expect(await read(await raw(dripping, changes))).toBe(1);
    const download = await (await raw(dripping, { retry })).http.get(thing, { answers: stream });
    await download.body.drain(() => undefined);
  });

  it.each([0, 3_000_000_000, 2 ** 31, 1e15])("of %i ms is not over at once", async (timeout) => {
    const client = await raw((socket) => setTimeout(() => socket.write(answer("[1]")), 100), { timeout });
    expect(await read(client)).toEqual([1]);
  });
});
