import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { fileUpload } from "../../../src/http/file-upload.ts";
import { type Handler, serve } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";

let cwd: string;
beforeEach(() => {
  cwd = emptyFolder();
});

async function on(handler: Handler) {
  const opened = await serve(handler);
  const env = { TONGS_HOST: opened.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
  return {
    ...opened,
    run: (line: readonly string[], world: World = {}) =>
      tongs(["issue", "attachment", ...line], { cwd, ...world, env: { ...env, ...world.env } }),
  };
}

const assets = "/api/v1/repos/mara/harbor/issues/1/assets";
const uuid = "4b056cd5-d124-4837-9f5e-717adb564eff";
const file = (more: Record<string, unknown> = {}) => ({ id: 12, name: "log.txt", size: 11, uuid, ...more });

describe("issue attachment upload", () => {
  it("sends a form with the whole file, under its own name", async () => {
    const text = "22:04 dark\n".repeat(100_000);
    writeFileSync(join(cwd, 'a "b".txt'), text);
    const { run, seen } = await on(({ method, url }) => {
      if (method === "POST") return { status: 201, body: file({ browser_download_url: "http://h/attachments/x" }) };
      // The server has no quotas.
      return url === "/api/v1/user" ? { body: { id: 1, login: "mara" } } : { status: 404, body: "" };
    });
    const ran = await run(["upload", "1", 'a "b".txt']);
    expect(ran).toMatchObject({ code: 0, stdout: "http://h/attachments/x\n" });
    const sent = seen.find(({ method }) => method === "POST");
    expect(new URL(sent?.url ?? "", "http://h").searchParams.get("name")).toBe('a "b".txt');
    expect(Number(sent?.headers["content-length"])).toBe(Buffer.byteLength(sent?.body ?? ""));
    const boundary = /boundary=(\S+)/.exec(String(sent?.headers["content-type"]))?.[1];
    expect(sent?.body.startsWith(`--${boundary}\r\n`)).toBe(true);
    expect(sent?.body.split("\r\n\r\n")[1]).toBe(`${text}\r\n--${boundary}--\r\n`.split("\r\n\r\n")[0]);
    expect(sent?.body).toContain('name="attachment"; filename="a %22b%22.txt"');
  });

  it("refuses a missing file and a folder before anything is sent", async () => {
    writeFileSync(join(cwd, "log.txt"), "x");
    const { run, seen } = await on(() => ({ status: 201, body: file() }));
    for (const name of ["gone.txt", "."]) expect((await run(["upload", "1", "log.txt", name])).code).toBe(2);
    expect(seen).toEqual([]);
  });

  it("sends one file after the other, as Gitea refuses one of two at the same time", async () => {
    let [now, most] = [0, 0];
    const { run } = await on(async ({ method }) => {
      if (method !== "POST") return { status: 404, body: "" };
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 20));
      now -= 1;
      return { status: 201, body: file() };
    });
    for (const name of ["1.txt", "2.txt", "3.txt"]) writeFileSync(join(cwd, name), name);
    expect((await run(["upload", "1", "1.txt", "2.txt", "3.txt"])).code).toBe(0);
    expect(most).toBe(1);
  });

  it("continues after a file that the server refuses", async () => {
    for (const name of ["tool.exe", "log.txt"]) writeFileSync(join(cwd, name), "x");
    const { run } = await on((seen) =>
      seen.url.includes("exe")
        ? { status: 422, body: { message: "This file extension or type is not allowed to be uploaded." } }
        : { status: 201, body: file() },
    );
    const ran = await run(["upload", "1", "tool.exe", "log.txt"]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("tool.exe")]);
  });

  it("uploads to a comment, and prints the request of a dry run with its size only", async () => {
    writeFileSync(join(cwd, "log.txt"), "dark");
    const { run, seen } = await on(() => ({ status: 201, body: file() }));
    const dry = await run(["upload", "1", "log.txt", "--comment", "34", "--dry-run"]);
    expect([dry.code, dry.stdout]).toEqual([
      0,
      expect.stringMatching(/comments\/34\/assets\?name=log.txt\n"\(\d+ bytes of multipart/),
    ]);
    expect(seen).toEqual([]);
  });

  it("fails when the file shrinks while it is sent", async () => {
    const path = join(cwd, "log.txt");
    writeFileSync(path, "x".repeat(100));
    const { content } = fileUpload("attachment", { path, size: 100 });
    truncateSync(path, 50);
    if (typeof content === "string" || Buffer.isBuffer(content)) throw new Error("not streamed");
    const read = async () => {
      for await (const piece of content.read()) expect(piece.length).toBeGreaterThan(0);
    };
    await expect(read()).rejects.toThrow("changed while it was uploaded");
  });
});

describe("issue attachment download", () => {
  const text = "22:04 dark\n";

  /** A server with these attachments, whose files are `content`. */
  const withFiles =
    (files: readonly unknown[], content = text): Handler =>
    (seen) =>
      seen.url === assets ? { body: files } : { headers: { etag: '"1"', "content-type": "text/plain" }, body: content };

  it("reads the file from the web page with the token, and saves it under its name", async () => {
    const { run, seen } = await on(withFiles([file()]));
    const ran = await run(["download", "1", "-D", "out"]);
    expect(ran).toMatchObject({ code: 0, stdout: `${join("out", "log.txt")}\n` });
    expect(readFileSync(join(cwd, "out/log.txt"), "utf8")).toBe(text);
    expect(seen.at(-1)).toMatchObject({
      url: `/attachments/${uuid}`,
      headers: { authorization: "token not-a-secret" },
    });
    expect(readdirSync(join(cwd, "out"))).toEqual(["log.txt"]);
  });

  it("keeps hostile and repeated names inside the folder", async () => {
    const names = ["../../evil", "/etc/passwd", ".git", "a\u001b[31m", "log.txt", "LOG.txt"];
    const { run } = await on(withFiles(names.map((name, at) => file({ id: at + 1, name, uuid: `${uuid}${at}` }))));
    const ran = await run(["download", "1", "-D", "out"]);
    expect(ran.code).toBe(0);
    expect(readdirSync(cwd).filter((name) => !name.startsWith(".tongs"))).toEqual(["out"]);
    expect(readdirSync(join(cwd, "out"))).toHaveLength(names.length);
    expect(readdirSync(join(cwd, "out"))).not.toContain(".git");
  });

  it("refuses a file of another size, and leaves nothing behind", async () => {
    const { run } = await on(withFiles([file({ size: 12 })]));
    const ran = await run(["download", "1", "-D", "out"]);
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("received 11 bytes, expected 12")]);
    expect(readdirSync(join(cwd, "out"))).toEqual([]);
  });

  it("keeps or replaces existing files only when told to", async () => {
    writeFileSync(join(cwd, "log.txt"), "mine");
    const { run } = await on(withFiles([file({ created_at: "2026-01-02T03:04:05+01:00" })]));
    expect((await run(["download", "1"])).code).toBe(9);
    expect((await run(["download", "1", "--skip-existing"])).code).toBe(0);
    expect(readFileSync(join(cwd, "log.txt"), "utf8")).toBe("mine");
    expect((await run(["download", "1", "--overwrite"])).code).toBe(0);
    expect(readFileSync(join(cwd, "log.txt"), "utf8")).toBe(text);
    expect(await run(["download", "1"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("same size and time"),
    });
    writeFileSync(join(cwd, "log.txt"), text.toUpperCase());
    expect((await run(["download", "1"])).code).toBe(9);
  });

  it("resumes an interrupted download", async () => {
    const content = "x".repeat(300_000);
    const ranges: unknown[] = [];
    const interruption = new AbortController();
    const handler: Handler = (seen, _request, response) => {
      if (seen.url === assets) return { body: [file({ size: content.length })] };
      const { range } = seen.headers;
      ranges.push(range);
      const headers = { etag: '"1"', "content-type": "text/plain" };
      if (range === undefined) {
        response.writeHead(200, { ...headers, "content-length": String(content.length) });
        response.write(content.slice(0, 100_000), () => setTimeout(() => interruption.abort(new Error("Ctrl-C")), 200));
        return undefined;
      }
      const from = Number(/bytes=(\d+)-/.exec(String(range))?.[1]);
      const rest = `bytes ${from}-${content.length - 1}/${content.length}`;
      return { status: 206, headers: { ...headers, "content-range": rest }, body: content.slice(from) };
    };
    const { run } = await on(handler);
    const first = await run(["download", "1"], { signal: interruption.signal });
    expect([first.code === 0, existsSync(join(cwd, "log.txt"))]).toEqual([false, false]);
    expect(first.stderr).toContain("Run the same command again to resume");
    expect((await run(["download", "1"])).code).toBe(0);
    expect(ranges).toEqual([undefined, "bytes=100000-"]);
    expect(readFileSync(join(cwd, "log.txt"), "utf8")).toBe(content);
  });

  it("names an attachment that the issue does not have, and downloads none", async () => {
    const { run, seen } = await on(withFiles([file()]));
    const ran = await run(["download", "1", "12", "99"]);
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("Attachment 99 not found in mara/harbor#1")]);
    expect(seen).toHaveLength(1);
  });
});
