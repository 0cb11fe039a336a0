import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { json } from "../../src/http/answers.ts";
import { fileUpload } from "../../src/http/file-upload.ts";
import { anything } from "../../src/shape/shape.ts";
import { serve } from "../support/server.ts";
import { emptyFolder } from "../support/tongs.ts";
import { clientFor, type TestClient } from "./client-for.ts";
import { thing } from "./connected.ts";
import { serveProxy } from "./proxy-server.ts";

/** A file of this size, in base64, so that a test server reads it as text. */
function fileOf(size: number): { readonly path: string; readonly size: number; readonly text: string } {
  const path = join(emptyFolder(), "log.txt");
  const text = randomBytes(size).toString("base64").slice(0, size);
  writeFileSync(path, text);
  return { path, size, text };
}

const upload = ({ http }: TestClient, file: Parameters<typeof fileUpload>[1]) =>
  http.post(thing, { raw: fileUpload("attachment", file), answers: json(anything) });

describe.each(["directly", "through a proxy"])("the upload of a file %s", (way) => {
  const changes = async () => (way === "directly" ? {} : { proxy: (await serveProxy()).url });

  it("sends all of it with its length, and reports progress", async () => {
    const server = await serve(() => ({ status: 201, body: {} }));
    const client = clientFor(server.url, await changes());
    const { text, ...file } = fileOf(3_000_000);
    const progress: number[] = [];
    await upload(client, { ...file, onProgress: (done) => progress.push(done) });
    const [sent] = server.seen;
    expect(sent?.body.includes(`\r\n\r\n${text}\r\n--`)).toBe(true);
    expect(Number(sent?.headers["content-length"])).toBe(sent?.body.length);
    expect(sent?.headers["transfer-encoding"]).toBeUndefined();
    expect([progress.length > 2, progress.at(-1)]).toEqual([true, file.size]);
  });

  it("reads the file again after a redirect", async () => {
    const server = await serve((seen) =>
      seen.url.endsWith("/moved") ? { status: 201, body: {} } : { status: 307, headers: { location: "/moved" } },
    );
    const client = clientFor(server.url, await changes());
    const { text, ...file } = fileOf(1000);
    await upload(client, file);
    expect(server.seen.map(({ body }) => body.includes(text))).toEqual([true, true]);
  });

  it("fails with the name of the file when it is gone, and does not hang", async () => {
    const server = await serve(() => ({ status: 201, body: {} }));
    const client = clientFor(server.url, await changes());
    const { path, size } = fileOf(600_000);
    rmSync(path);
    await expect(upload(client, { path, size })).rejects.toThrow(`Cannot read ${path}`);
    expect(server.seen).toEqual([]);
  });
});

it("does not send a lost upload twice", async () => {
  const server = await serve((_seen, request) => {
    request.socket.destroy();
    return undefined;
  });
  const client = clientFor(server.url);
  await expect(upload(client, fileOf(1000))).rejects.toMatchObject({ exit: "noAnswer" });
  expect(server.seen).toHaveLength(1);
});
