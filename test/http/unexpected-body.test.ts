import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { fileGet } from "../../src/forge/contents.ts";
import { call } from "../../src/forge/operation.ts";
import { json, nothing, stream, text } from "../../src/http/answers.ts";
import { path } from "../../src/http/path.ts";
import { connected, read, thing, write } from "./connected.ts";

const { raw, scripted, closeAll } = connected();
afterEach(closeAll);

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
      // Searched as a whole, it would take hours.
      if (seen.url.endsWith("thing")) return { body: "<title ".repeat(1_000_000) };
      return page(seen.url.endsWith("near") ? 8_000 : 8_200);
    });
    await expect(read(client)).rejects.toMatchObject({ message: expect.stringContaining("an HTML page") });
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

  it("is refused if it decompresses to more than 64 MiB, or 160 MiB for the content of a file", async () => {
    const bomb = gzipSync(Buffer.alloc(257 * 1024 * 1024), { level: 1 });
    const client = await scripted(() => ({ headers: { "content-encoding": "gzip" }, body: bomb }));
    await expect(read(client)).rejects.toMatchObject({ message: expect.stringContaining("larger than 64 MiB") });
    await expect(client.http.list(thing).take(30).next()).rejects.toMatchObject({
      message: expect.stringContaining("larger than 64 MiB"),
    });
    await expect(
      call(client.http, fileGet, { repo: { owner: "mara", name: "harbor" }, filepath: "a", ref: "main" }),
    ).rejects.toMatchObject({
      message: expect.stringContaining("larger than 160 MiB"),
    });
    let size = 0;
    for await (const piece of (await client.http.get(thing, { answers: stream })).body) size += piece.length;
    expect(size).toBe(257 * 1024 * 1024);
  });

  it("is refused if it has more than two million values, strings apart", async () => {
    const client = await scripted((seen) => ({
      body: seen.url.endsWith("thing") ? `[${"{},".repeat(2_000_000)}{}]` : `["\\"${",[".repeat(2_000_000)}"]`,
    }));
    await expect(read(client)).rejects.toMatchObject({ message: expect.stringContaining("2,000,000 values") });
    expect(await client.http.get(path`/other`, { answers: json() })).toHaveLength(1);
  });

  it.each(["gzip", "deflate", "br"])("can be empty with content-encoding %s after a POST", async (coding) => {
    const client = await scripted(() => ({
      status: 201,
      headers: { "content-encoding": coding, "transfer-encoding": "chunked" },
    }));
    await expect(client.http.post(thing, { answers: nothing })).resolves.toBeUndefined();
    await expect(client.http.send("POST", thing, { answers: text })).resolves.toMatchObject({ value: Buffer.alloc(0) });
    expect(client.seen).toHaveLength(2);
  });

  it("is refused if it is gzip members without content and without end", async () => {
    const members = Buffer.concat(Array.from({ length: 3_000 }, () => gzipSync("")));
    const client = await raw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n");
      const more = () => {
        while (!socket.destroyed && socket.write(members));
      };
      socket.on("drain", more);
      more();
    });
    await expect(read(client)).rejects.toMatchObject({ message: expect.stringContaining("could not be decompressed") });
    const { body } = await client.http.get(thing, { answers: stream });
    await expect(body.drain(() => undefined)).rejects.toMatchObject({ code: "broken_answer" });
  });

  it("fails as broken if a stream is not gzip as stated", async () => {
    const client = await scripted(() => ({ headers: { "content-encoding": "gzip" }, body: "PK" }));
    const { body } = await client.http.get(thing, { answers: stream });
    await expect(body.drain(() => undefined)).rejects.toMatchObject({ code: "broken_answer" });
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
    await expect(read(client)).rejects.toMatchObject({ message: expect.stringContaining("larger than 64 MiB") });
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
