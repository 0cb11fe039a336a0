import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { json, nothing, stream, text } from "../../src/http/answers.ts";
import { path } from "../../src/http/path.ts";
import { type Handler, serve } from "../support/server.ts";
import { type Changes, clientFor, type TestClient } from "./client-for.ts";
import { answer, type RawHandler, type RawServer, serveRaw } from "./raw-server.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function raw(handler: RawHandler, changes?: Changes): Promise<RawServer & Omit<TestClient, "close">> {
  const server = await serveRaw(handler);
  const client = clientFor(server.url, changes);
  closing.push(server.close, client.close);
  return { ...client, ...server };
}

async function scripted(handler: Handler, changes?: Changes) {
  const server = await serve(handler);
  const client = clientFor(server.url, changes);
  closing.push(server.close, client.close);
  return { ...client, ...server };
}

const thing = path`/thing`;
const read = (client: Pick<TestClient, "http">) => client.http.get(thing, { answers: json<unknown>() });
const write = (client: Pick<TestClient, "http">) =>
  client.http.post(thing, { body: { a: 1 }, answers: json<unknown>() });

describe("a lost connection", () => {
  it("makes a read retry if the body is cut off", async () => {
    const client = await raw((socket, _head, count) => {
      if (count > 1) return void socket.write(answer('{"whole":true}'));
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[1,2");
    });
    expect(await read(client)).toEqual({ whole: true });
    expect(client.requests).toHaveLength(2);
  });

  it("makes a read retry if a chunked body is cut off", async () => {
    const client = await raw((socket, _head, count) => {
      if (count > 1) return void socket.write(answer("[]"));
      socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n[1,2\r\n");
    });
    expect(await read(client)).toEqual([]);
  });

  it("is exit 6 if every attempt is cut off", async () => {
    const client = await raw((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[1,2"));
    await expect(read(client)).rejects.toMatchObject({ code: "connection_lost", exit: "noAnswer", method: "GET" });
    expect(client.requests).toHaveLength(4);
    expect(client.waits).toHaveLength(3);
  });

  it("never sends a POST twice that may have arrived, and warns that it may have taken effect", async () => {
    const client = await raw((socket) => socket.destroy());
    await expect(write(client)).rejects.toMatchObject({
      code: "connection_lost",
      hint: expect.stringContaining("may have taken effect"),
      path: "/api/v1/thing",
    });
    expect(client.requests).toHaveLength(1);
  });

  it("never sends a POST twice whose response was cut off", async () => {
    const client = await raw((socket) => socket.end("HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{"));
    await expect(write(client)).rejects.toMatchObject({ code: "connection_lost" });
    expect(client.requests).toHaveLength(1);
  });

  it("never retries a POST if the server closes the idle connection at the same time", async () => {
    const client = await raw((socket, _head, count) => {
      if (count === 1) socket.write(answer("{}"));
      else socket.resetAndDestroy();
    });
    await read(client);
    await expect(write(client)).rejects.toMatchObject({ code: "connection_lost" });
    expect(client.requests).toHaveLength(2);
    expect(client.connections()).toBe(1);
  });

  it("retries a read if the server closes the idle connection at the same time", async () => {
    const client = await raw((socket, _head, count) => {
      if (count === 2) socket.resetAndDestroy();
      else socket.write(answer("{}"));
    });
    await read(client);
    expect(await read(client)).toEqual({});
    expect(client.requests).toHaveLength(3);
  });

  it("makes a DELETE succeed if the response was lost and the next attempt returns 404", async () => {
    const client = await raw((socket, _head, count) => {
      if (count === 1) socket.destroy();
      else socket.write(answer('{"message":"not found"}', "404 Not Found"));
    });
    await expect(client.http.delete(thing, { answers: nothing })).resolves.toBeUndefined();
    expect(client.requests).toHaveLength(2);
  });

  it("does not hide a 404 for the first attempt of a DELETE", async () => {
    const client = await raw((socket) => socket.write(answer('{"message":"not found"}', "404 Not Found")));
    await expect(client.http.delete(thing, { answers: nothing })).rejects.toMatchObject({ code: "not_found" });
  });

  it("warns if a PUT is refused after an attempt whose response was lost", async () => {
    const client = await raw((socket, _head, count) => {
      if (count === 1) socket.destroy();
      else socket.write(answer('{"message":"exists"}', "409 Conflict"));
    });
    await expect(client.http.put(thing, { answers: nothing })).rejects.toMatchObject({ exit: "refused" });
    expect(client.warnings).toEqual([expect.stringContaining("may have taken effect")]);
  });

  it("is not retried if the connection is refused", async () => {
    const server = await serveRaw(() => undefined);
    await server.close();
    const client = clientFor(server.url);
    await expect(read(client)).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
    expect(client.waits).toEqual([]);
  });

  it("is reported as not HTTP if the server uses another protocol", async () => {
    const client = await raw((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
    await expect(read(client)).rejects.toMatchObject({ code: "not_http", exit: "noAnswer" });
  });

  it("is reported as a failed TLS handshake if the server uses plain http", async () => {
    const server = await serve(() => ({ body: {} }));
    const client = clientFor(server.url.replace("http:", "https:"));
    closing.push(server.close, client.close);
    await expect(read(client)).rejects.toMatchObject({
      code: "tls",
      message: expect.stringMatching(/^TLS handshake with .* failed: wrong version number$/),
    });
  });
});

describe("a slow server", () => {
  it("times out if no response begins", async () => {
    const client = await raw(() => undefined, { timeout: 100 });
    await expect(read(client)).rejects.toMatchObject({ code: "timeout", hint: expect.stringContaining("--timeout") });
    expect(client.requests).toHaveLength(1);
  });

  it("times out if the body stops", async () => {
    const client = await raw((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n[1"), {
      timeout: 100,
    });
    await expect(read(client)).rejects.toMatchObject({ code: "timeout" });
  });

  it("does not time out while data arrives", async () => {
    const client = await raw(
      (socket) => {
        const body = `[${"1,".repeat(20)}1]`;
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
        let at = 0;
        const timer = setInterval(() => {
          if (at >= body.length) clearInterval(timer);
          else socket.write(body.slice(at, ++at));
        }, 50);
      },
      { timeout: 1_500 },
    );
    expect(await read(client)).toHaveLength(21);
  });

  it("does not time out if the timeout is 0", async () => {
    const client = await scripted(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        return { body: {} };
      },
      { timeout: 0 },
    );
    expect(await read(client)).toEqual({});
  });

  it("does not time out because of a slow reader", async () => {
    const body = Buffer.alloc(2 * 1024 * 1024, "x");
    const client = await scripted(() => ({ body }), { timeout: 1_000 });
    const answered = await client.http.get(thing, { answers: stream });
    await new Promise((resolve) => setTimeout(resolve, 2_300));
    let size = 0;
    for await (const chunk of answered.body) size += (chunk as Buffer).length;
    expect(size).toBe(body.length);
  });

  it("receives a large body", async () => {
    const content = Buffer.alloc(3 * 1024 * 1024, "u");
    const client = await scripted((seen) => ({ body: { size: seen.body.length } }));
    const raw = { content, type: "application/octet-stream" };
    expect(await client.http.post(thing, { raw, answers: json() })).toEqual({ size: content.length });
    expect(client.seen[0]?.headers["content-length"]).toBe(String(content.length));
  });

  it("is aborted by an interruption, with its reason", async () => {
    const stop = new AbortController();
    const client = await raw(() => stop.abort(new Error("Interrupted")), { signal: stop.signal });
    await expect(read(client)).rejects.toThrow("Interrupted");
    const cut = new AbortController();
    const other = await raw(
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n[1");
        setTimeout(() => cut.abort(new Error("Interrupted")), 20);
      },
      { signal: cut.signal },
    );
    await expect(read(other)).rejects.toThrow("Interrupted");
    await expect(read(other)).rejects.toThrow("Interrupted");
  });
});

describe("an unexpected body", () => {
  const html = "<!DOCTYPE html><html><head><title>Sign in to the hotel</title></head></html>";

  it("is reported as a web page with its title", async () => {
    const client = await scripted(() => ({ headers: { "content-type": "text/html" }, body: html }));
    await expect(read(client)).rejects.toMatchObject({
      code: "broken_answer",
      message: expect.stringContaining("an HTML page titled “Sign in to the hotel” (text/html)"),
      hint: expect.stringContaining("path prefix"),
    });
  });

  it("is searched for a title in its first 8 KiB only", async () => {
    const page = (before: number) => ({ body: `<html>${" ".repeat(before)}<title>Late</title>` });
    const client = await scripted((seen) => {
      if (seen.url.endsWith("thing")) return { body: "<title ".repeat(1_000_000) };
      return page(seen.url.endsWith("near") ? 8_000 : 8_200);
    });
    const begun = performance.now();
    await expect(read(client)).rejects.toMatchObject({ message: expect.stringContaining("an HTML page") });
    expect(performance.now() - begun).toBeLessThan(3_000);
    for (const [name, title] of [
      ["near", "“Late”"],
      ["far", "an HTML page"],
    ] as const) {
      const failing = client.http.get(path`/${name}`, { answers: json() });
      await expect(failing).rejects.toMatchObject({ message: expect.stringMatching(new RegExp(`${title}$`)) });
    }
  });

  it("is refused if it is not UTF-8", async () => {
    const client = await scripted(() => ({ body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }));
    await expect(read(client)).rejects.toMatchObject({ message: expect.stringContaining("not valid UTF-8") });
  });

  it("is refused if it is empty instead of JSON, except for a status without content", async () => {
    const client = await scripted((seen) => ({ status: seen.url.endsWith("none") ? 202 : 200 }));
    await expect(read(client)).rejects.toMatchObject({ message: expect.stringContaining("an empty body") });
    expect(await client.http.post(path`/none`, { answers: json() })).toBeNull();
  });

  it("is refused if its length is less than its content", async () => {
    const client = await raw((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n[1,2,3,4,5]"));
    await expect(read(client)).rejects.toMatchObject({ code: "broken_answer" });
  });

  it("is read up to the end of the first JSON value", async () => {
    const client = await scripted((seen) => ({
      body: seen.url.endsWith("thing") ? '{"a":"}"}null' : "[1]\nInternal Server Error",
    }));
    expect(await read(client)).toEqual({ a: "}" });
    expect(await client.http.get(path`/other`, { answers: json() })).toEqual([1]);
  });

  it("keeps every digit of large integers, also when sent back", async () => {
    const client = await scripted((seen) => ({ body: seen.method === "GET" ? '{"id":9007199254740993}' : seen.body }));
    const { id } = (await read(client)) as { id: bigint };
    expect(id).toBe(9007199254740993n);
    expect(await client.http.post(thing, { body: { id }, answers: json() })).toEqual({ id });
    expect(client.seen[1]?.body).toBe('{"id":9007199254740993}');
  });

  it("can be 10 MB of JSON", async () => {
    const items = Array.from({ length: 10_000 }, (_, id) => ({ id, body: "x".repeat(1000) }));
    const client = await scripted(() => ({ body: items }));
    expect(await read(client)).toHaveLength(10_000);
  });

  it("is decompressed if it is gzip", async () => {
    const client = await scripted(() => ({
      headers: { "content-encoding": "gzip" },
      body: gzipSync('{"packed":true}'),
    }));
    expect(await read(client)).toEqual({ packed: true });
    expect(client.seen[0]?.headers["accept-encoding"]).toBe("gzip");
  });

  it("is refused if it is not gzip as stated", async () => {
    const client = await scripted(() => ({ headers: { "content-encoding": "gzip" }, body: '{"packed":false}' }));
    await expect(read(client)).rejects.toMatchObject({ message: expect.stringContaining("could not be decompressed") });
  });

  it("can be empty with content-encoding gzip", async () => {
    const client = await scripted(() => ({ status: 204, headers: { "content-encoding": "gzip" } }));
    await expect(client.http.delete(thing, { answers: nothing })).resolves.toBeUndefined();
  });

  it("is refused if it decompresses to more than 256 MiB", async () => {
    const bomb = gzipSync(Buffer.alloc(257 * 1024 * 1024), { level: 1 });
    const client = await scripted(() => ({ headers: { "content-encoding": "gzip" }, body: bomb }));
    await expect(read(client)).rejects.toMatchObject({ message: expect.stringContaining("larger than 256 MiB") });
  });

  it("is refused if it does not end", async () => {
    const piece = Buffer.alloc(1024 * 1024, " ");
    const client = await raw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const more = () => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on("drain", more);
      more();
    });
    await expect(read(client)).rejects.toMatchObject({ message: expect.stringContaining("larger than 256 MiB") });
  });

  it("does not hide an error status if it does not end or is cut off", async () => {
    const client = await raw((socket, head) => {
      socket.write("HTTP/1.1 422 Unprocessable Entity\r\n\r\n");
      if (head.startsWith("GET")) return void socket.destroySoon();
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(1024 * 1024, "<")));
      };
      socket.on("drain", more);
      more();
    });
    await expect(read(client)).rejects.toMatchObject({ exit: "invalid" });
    await expect(write(client)).rejects.toMatchObject({ exit: "invalid" });
  });

  it("is returned byte for byte as text", async () => {
    const body = Buffer.from([0, 0xff, 0x0d, 0x0a, 0x1b]);
    const client = await scripted(() => ({ body }));
    expect(await client.http.get(thing, { answers: text })).toEqual(body);
  });
});
