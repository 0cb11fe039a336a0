import { getEventListeners, once } from "node:events";
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import { directTransport } from "../../src/http/direct.ts";
import type { Transport, WireRequest, WireResponse } from "../../src/http/transport.ts";
import { atEnd, listen } from "../support/at-end.ts";
import { serve } from "../support/server.ts";
import { answer, type RawHandler, serveRaw } from "./raw-server.ts";
import { ca, identity } from "./tls-server.ts";

function open(authority?: string): Transport {
  const transport = directTransport(authority);
  atEnd(transport.close);
  return transport;
}

async function raw(handler: RawHandler) {
  const server = await serveRaw(handler);
  return { ...server, transport: open() };
}

const request = (url: string, more: Partial<WireRequest> = {}): WireRequest => ({
  method: "GET",
  url: new URL(url),
  headers: {},
  timeout: 5_000,
  ...more,
});

async function bodyOf(response: WireResponse): Promise<string> {
  let text = "";
  await response.body.drain((piece) => {
    text += piece.toString("latin1");
  });
  return text;
}

const get = async (transport: Transport, url: string) => bodyOf(await transport.send(request(url)));

describe("connections", () => {
  it("are reused for sequential requests", async () => {
    const { transport, url, connections } = await raw((socket, _head, count) => socket.write(answer(String(count))));
    for (const expected of ["1", "2", "3"]) expect(await get(transport, url)).toBe(expected);
    expect(connections()).toBe(1);
  });

  it("do not collect listeners while requests wait for them", async () => {
    const warnings: string[] = [];
    const warn = ({ message }: Error) => warnings.push(message);
    process.on("warning", warn);
    atEnd(() => process.off("warning", warn));
    const server = await serve(() => ({ body: "" }));
    const transport = open();
    await Promise.all(Array.from({ length: 300 }, () => get(transport, server.url)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  it("are limited to 16, and each response reaches its request", async () => {
    let most = 0;
    let now = 0;
    const server = await serve(async ({ url }) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
      return { body: url };
    });
    const transport = open();
    const paths = Array.from({ length: 100 }, (_, index) => `/${index}`);
    expect(await Promise.all(paths.map((path) => get(transport, server.url + path)))).toEqual(paths);
    expect(most).toBe(16);
  });

  it.each([
    ["sends connection: close", answer("a", "200 OK", "connection: close\r\n")],
    ["sends a response without length", "HTTP/1.0 200 OK\r\n\r\na"],
    ["keeps idle connections for one second", answer("a", "200 OK", "keep-alive: timeout=1\r\n")],
    ["sends more after the response", `${answer("a")}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`],
  ])("are not reused if the server %s", async (_what, text) => {
    const { transport, url, connections } = await raw((socket) => {
      socket.write(text);
      if (!text.includes("content-length")) socket.end();
    });
    expect(await get(transport, url)).toBe("a");
    expect(await get(transport, url)).toBe("a");
    expect(connections()).toBe(2);
  });

  it("are closed if the server sends unexpected data, which is not read as the next response", async () => {
    const { transport, url, connections } = await raw((socket, _head, count) => {
      socket.write(answer(count === 1 ? "first" : "second"));
      if (count === 1) setTimeout(() => socket.write(answer("planted")), 20);
    });
    expect(await get(transport, url)).toBe("first");
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await get(transport, url)).toBe("second");
    expect(connections()).toBe(2);
  });

  it("are opened for waiting requests after others fail", async () => {
    const { transport, url } = await raw((socket, _head, count) => {
      if (count <= 16) socket.destroy();
      else socket.write(answer("ok"));
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => get(transport, url)));
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(16);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
  });

  it("are not used for waiting requests after an interruption", async () => {
    const stop = new AbortController();
    const { transport, url, requests } = await raw((_socket, _head, count) => {
      if (count === 16) setTimeout(() => stop.abort(new Error("Interrupted")), 10);
    });
    const sending = Array.from({ length: 20 }, () => transport.send(request(url, { signal: stop.signal })));
    expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
    for (const outcome of await Promise.allSettled(sending)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { message: "Interrupted" } });
    }
    expect(requests).toHaveLength(16);
  });
});

describe("a request", () => {
  it("is sent with its length, and without headers that only Node sets", async () => {
    const { transport, url, requests } = await raw((socket) => socket.write(answer("{}")));
    const host = new URL(url).host;
    await bodyOf(
      await transport.send(
        request(`${url}/api/v1/a%20b?x=1#no`, {
          method: "POST",
          body: '{"a":"ü"}',
          headers: {
            accept: "application/json",
            "x-name": "Zoë €",
            "Content-Length": "3",
            "transfer-encoding": "chunked",
            Connection: "close",
          },
        }),
      ),
    );
    const sent = Buffer.from("Zoë €").toString("latin1");
    const lines = [
      `host: ${host}`,
      "accept: application/json",
      `x-name: ${sent}`,
      "content-length: 10",
      "Connection: keep-alive",
    ];
    expect(requests[0]).toBe(`POST /api/v1/a%20b?x=1 HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    await bodyOf(await transport.send(request(url, { method: "PUT", headers: { Host: "other.example.org" } })));
    expect(requests[1]).toMatch(/^PUT \/ HTTP.*host: other\.example\.org\r\n.*content-length: 0\r\n/is);
    await bodyOf(await transport.send(request(url, { method: "DELETE" })));
    expect(requests[2]).not.toMatch(/content-length|transfer-encoding/i);
  });

  it("is not sent if a header or the method is not valid", async () => {
    const { transport, url, requests } = await raw((socket) => socket.write(answer("{}")));
    for (const headers of [{ a: "b\r\nc: d" }, { "a\r\nb": "c" }, { a: "b\0" }, { "a b": "c" }, { "": "c" }]) {
      await expect(transport.send(request(url, { headers }))).rejects.toThrow("cannot be sent");
    }
    await expect(transport.send(request(url, { method: "GET /x" }))).rejects.toThrow("cannot be sent");
    expect(await get(transport, url)).toBe("{}");
    expect(requests).toHaveLength(1);
  });

  it.each(["http", "https"] as const)(
    "can take longer than the timeout while the server reads it (%s)",
    async (scheme) => {
      const content = Buffer.alloc(64 * 1024 * 1024, "u");
      // Slow for the first 40 MiB; what is in the system's buffers then arrives quickly.
      const slow: http.RequestListener = (seen, response) => {
        let [size, pauses] = [0, 0];
        seen.on("data", (piece: Buffer) => {
          size += piece.length;
          if (pauses === 80 || size <= (pauses + 1) * 512 * 1024) return;
          pauses += 1;
          seen.pause();
          setTimeout(() => seen.resume(), 40);
        });
        seen.on("end", () => response.end(String(size)));
      };
      const server = scheme === "http" ? http.createServer(slow) : https.createServer(identity, slow);
      const url = `${scheme}://localhost:${(await listen(server)).port}`;
      const begun = performance.now();
      const wire = request(url, { method: "POST", body: content, timeout: 2_500 });
      expect(await bodyOf(await open(ca).send(wire))).toBe(String(content.length));
      expect(performance.now() - begun).toBeGreaterThan(2_500);
    },
  );

  it("times out as not sent if the connection is not established", async () => {
    const { port } = await listen(net.createServer());
    const wire = request(`https://127.0.0.1:${port}`, { method: "POST", timeout: 100 });
    await expect(open().send(wire)).rejects.toMatchObject({ code: "timeout", progress: "unsent" });
  });

  it("can get a response before it is sent completely", async () => {
    const { transport, url } = await raw((socket) => {
      socket.pause();
      socket.write(answer("too large", "413 Content Too Large"));
    });
    const body = Buffer.alloc(64 * 1024 * 1024, "u");
    const response = await transport.send(request(url, { method: "POST", body }));
    expect([response.status, await bodyOf(response)]).toEqual([413, "too large"]);
  });
});

describe("a body", () => {
  it("is not read from the server while the reader is slow", async () => {
    const size = 100 * 1024 * 1024;
    let sender: net.Socket | undefined;
    const { transport, url } = await raw((socket) => {
      sender = socket;
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
      socket.write(Buffer.alloc(size, "x"));
    });
    const { body } = await transport.send(request(url));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const waiting = sender?.writableLength ?? 0;
    expect(waiting).toBeGreaterThan(size / 2);
    let read = 0;
    for await (const piece of body) read += piece.length;
    expect(read).toBe(size);
  });

  it("is the same with drain and with iteration", async () => {
    const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * 7) % 251));
    const server = await serve(() => ({ body: content }));
    const transport = open();
    const copies: Buffer[] = [];
    await (await transport.send(request(server.url))).body.drain((piece) => copies.push(Buffer.from(piece)));
    expect(Buffer.concat(copies).equals(content)).toBe(true);
    const pieces: Buffer[] = [];
    for await (const piece of (await transport.send(request(server.url))).body) {
      pieces.push(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
  });

  it("returns what arrived before it is cut off, and then fails", async () => {
    const { transport, url } = await raw((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"));
    let text = "";
    const take = (piece: Buffer) => {
      text += piece;
    };
    await expect((await transport.send(request(url))).body.drain(take)).rejects.toMatchObject({
      code: "connection_lost",
    });
    expect(text).toBe("half");
    const late = await transport.send(request(url));
    await new Promise((resolve) => setTimeout(resolve, 30));
    await expect(late.body.drain(take)).rejects.toMatchObject({ code: "connection_lost" });
    expect(text).toBe("halfhalf");
    const iterated = async () => {
      for await (const piece of (await transport.send(request(url))).body) take(piece);
    };
    await expect(iterated()).rejects.toMatchObject({ code: "connection_lost" });
    expect(text).toBe("halfhalfhalf");
  });

  it("fails with the error of its reader and closes the connection", async () => {
    const { transport, url, connections } = await raw((socket, _head, count) =>
      socket.write(count === 1 ? "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf" : answer("ok")),
    );
    const { body } = await transport.send(request(url));
    const full = new Error("the disk is full");
    await expect(
      body.drain(() => {
        throw full;
      }),
    ).rejects.toBe(full);
    expect(await get(transport, url)).toBe("ok");
    expect(connections()).toBe(2);
  });

  it("closes the connection when it is destroyed", async () => {
    let closed: Promise<unknown> | undefined;
    const { transport, url } = await raw((socket) => {
      closed = once(socket, "close");
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
    });
    const { body } = await transport.send(request(url));
    body.destroy();
    await closed;
    await expect(body.drain(() => undefined)).rejects.toThrow("closed before its end");
  });
});

describe("a TLS connection", () => {
  it("is reused, and a new one resumes the session", async () => {
    const content = Buffer.alloc(5_000_000, "abcdefg");
    const resumed: boolean[] = [];
    const names: unknown[] = [];
    const server = https.createServer(identity, (seen, response) => {
      if (seen.url === "/last") response.setHeader("connection", "close");
      response.end(content);
    });
    server.on("secureConnection", (socket: TLSSocket) => {
      resumed.push(socket.isSessionReused());
      names.push(socket.servername);
    });
    const url = `https://localhost:${(await listen(server)).port}`;
    const transport = open(ca);
    for (const path of ["/", "/last", "/"]) {
      expect(Buffer.from(await get(transport, url + path), "latin1").equals(content)).toBe(true);
    }
    transport.close();
    expect(resumed).toEqual([false, true]);
    expect(names).toEqual(["localhost", "localhost"]);
  });
});

describe("an IPv6 address", () => {
  it("is connected to", async (context) => {
    const server = net.createServer((socket) =>
      socket.once("data", (head) => socket.end(answer(String(head).split("\r\n")[1] ?? ""))),
    );
    const listens = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(0, "::1", () => resolve(true));
    });
    if (!listens) context.skip("this machine has no IPv6 on loopback");
    atEnd(() => server.close());
    const { port } = server.address() as AddressInfo;
    expect(await get(open(), `http://[::1]:${port}/`)).toBe(`host: [::1]:${port}`);
  });
});
