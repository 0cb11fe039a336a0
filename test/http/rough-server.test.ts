import type { AddressInfo, Socket } from "node:net";
import net from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { json } from "../../src/http/answers.ts";
import { NoAnswerError } from "../../src/http/no-answer-error.ts";
import { path } from "../../src/http/path.ts";
import { choicesFrom } from "../support/random.ts";
import { clientFor } from "./client-for.ts";

const { below } = choicesFrom(20_261_121);

/** The body for a number: up to 200 KB. */
const bodyOf = (number: number) => JSON.stringify({ number, pad: "x".repeat((number * 7919) % 200_000) });

function chunked(body: string): string {
  let text = "";
  for (let at = 0; at < body.length; ) {
    const piece = body.slice(at, at + 1 + below(30_000));
    text += `${piece.length.toString(16)}\r\n${piece}\r\n`;
    at += piece.length;
  }
  return `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${text}0\r\n\r\n`;
}

type Ending = "keep" | "end" | "reset";

/** A random response, which can be cut off, and what happens to the connection. */
function answerTo(number: number, doomed: boolean): { readonly text: string; readonly ending: Ending } {
  const body = bodyOf(number);
  const sized = (more: string) => `HTTP/1.1 200 OK\r\n${more}content-length: ${body.length}\r\n\r\n${body}`;
  const way = below(20);
  if (way === 0) return { text: sized("").slice(0, below(body.length)), ending: "end" };
  if (way === 1) return { text: chunked(body).slice(0, below(body.length)), ending: "reset" };
  if (way < 5) return { text: sized("connection: close\r\n"), ending: "end" };
  // A client cannot detect that a body without length was cut off by a reset.
  if (way < 7 && !doomed) return { text: `HTTP/1.0 200 OK\r\n\r\n${body}`, ending: "end" };
  if (way < 12) return { text: chunked(body), ending: "keep" };
  return { text: sized(""), ending: way === 12 ? "reset" : "keep" };
}

/** Writes a text in pieces of random size, some of them later. */
async function write(socket: Socket, text: string): Promise<void> {
  let at = 0;
  for (let piece = 0; at < text.length && piece < 12; piece += 1) {
    const end = at + 1 + below(piece < 6 ? 60 : 60_000);
    socket.write(text.slice(at, end));
    at = end;
    if (below(3) === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (at < text.length) socket.write(text.slice(at));
}

const open = new Set<Socket>();
const server = net.createServer({ noDelay: true }, (socket) => {
  open.add(socket);
  socket.on("close", () => open.delete(socket));
  socket.on("error", () => undefined);
  let pending = "";
  let doomed = false;
  let turn = Promise.resolve();
  async function reply(head: string): Promise<void> {
    const { text, ending } = answerTo(Number(/things\/(\d+)/.exec(head)?.[1]), doomed);
    await write(socket, text);
    if (ending === "end") socket.end();
    if (ending !== "reset") return;
    doomed = true;
    setTimeout(() => socket.resetAndDestroy(), below(3));
  }
  socket.on("data", (bytes) => {
    const heads = (pending + bytes.toString("latin1")).split("\r\n\r\n");
    pending = heads.pop() ?? "";
    for (const head of heads) turn = turn.then(() => reply(head));
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  for (const socket of open) socket.destroy();
  server.close();
});

it("returns each response of an unreliable server completely, or reports it as lost", async () => {
  const { http, waits, close } = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  let [whole, lost] = [0, 0];
  async function ask(number: number): Promise<void> {
    try {
      const answer = await http.get(path`/things/${number}`, { answers: json() });
      expect(JSON.stringify(answer) === bodyOf(number), `answer ${number}`).toBe(true);
      whole += 1;
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      expect(error.code).toBe("connection_lost");
      lost += 1;
    }
  }
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => ask(round * 50 + index)));
  }
  close();
  expect(whole + lost).toBe(1_000);
  // Four attempts each: hardly any is lost, and many were retried.
  expect(whole).toBeGreaterThan(980);
  expect(waits.length).toBeGreaterThan(50);
});
