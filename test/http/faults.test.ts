import { afterEach, describe, expect, it } from "vitest";
import { json, nothing, stream } from "../../src/http/answers.ts";
import { clientFor } from "./client-for.ts";
import { connected, read, thing, write } from "./connected.ts";
import { answer, serveRaw } from "./raw-server.ts";

const { raw, scripted, closeAll } = connected();
afterEach(closeAll);

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

  it("never sends a POST twice that waited for a connection, which was lost then", async () => {
    const held: (() => void)[] = [];
    const client = await raw((socket, _head, count) => {
      if (count > 16) return void socket.destroy();
      held.push(() => socket.write(answer("{}")));
      if (count === 16) for (const respond of held) respond();
    });
    const reads = Array.from({ length: 16 }, () => read(client));
    await expect(write(client)).rejects.toMatchObject({ hint: expect.stringContaining("may have taken effect") });
    await Promise.all(reads);
    expect(client.requests).toHaveLength(17);
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
    const server = await scripted(() => ({ body: {} }));
    const client = clientFor(server.url.replace("http:", "https:"));
    await expect(read(client)).rejects.toMatchObject({
      code: "tls",
      message: expect.stringMatching(/^TLS handshake with .* failed: wrong version number$/),
    });
    await client.close();
  });
});

describe("a slow server", () => {
  it("times out if no response begins", async () => {
    const client = await raw(() => undefined, { timeout: 100 });
    await expect(read(client)).rejects.toMatchObject({ code: "timeout", hint: expect.stringContaining("--timeout") });
    expect(client.waits).toEqual([]);
  });

  it("times out if the body stops", async () => {
    const client = await raw((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n[1"), {
      timeout: 100,
    });
    await expect(read(client)).rejects.toMatchObject({ code: "timeout" });
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
