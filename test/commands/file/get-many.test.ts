import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openScratch } from "../../../src/download/scratch.ts";
import { lock } from "../../../src/system/lock.ts";
import { type Handler, type Reply, type Seen, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, type Ran, tongs } from "../../support/tongs.ts";

let server: TestServer;

const file = (path: string, text = `text of ${path}\n`) => ({
  name: path.split("/").at(-1),
  path,
  type: "file",
  sha: "0".repeat(40),
  size: Buffer.byteLength(text),
  encoding: "base64",
  content: Buffer.from(text).toString("base64"),
  target: null,
});

/** The paths that a request for many files asks for. */
function asked({ url, body }: Seen): string[] {
  const json = body === "" ? (new URL(url, server.url).searchParams.get("body") ?? "") : body;
  return (JSON.parse(json) as { files: string[] }).files;
}

/** A server that has every file, and answers with at most `most` of them at a time. */
function forgeWithFiles(most = 30, entry: (path: string) => unknown = (path) => file(path)): Handler {
  return (seen) => {
    if (seen.url.includes("/file-contents")) return { body: asked(seen).slice(0, most).map(entry) };
    return { status: 500, body: { message: `not expected: ${seen.url}` } };
  };
}

/** A server without the operation for many files, as Forgejo is. */
const withoutOperation: Handler = ({ url }): Reply => {
  if (url.includes("/file-contents")) {
    return { status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found\n" };
  }
  return { body: file(decodeURIComponent(/\/contents\/([^?]+)/.exec(url)?.[1] ?? "")) };
};

const cwd = emptyFolder();
let folder = 0;

/** Downloads paths into a new folder. */
async function get(paths: readonly string[], ...flags: readonly string[]): Promise<Ran & { readonly dir: string }> {
  folder += 1;
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
  const line = ["file", "get", "-", "--dir", `${folder}`, ...flags];
  const ran = await tongs(line, { cwd, env, stdin: `${paths.join("\n")}\n` });
  return { ...ran, dir: join(cwd, `${folder}`) };
}

const many = Array.from({ length: 300 }, (_, at) => `charts/${at % 7}/berth ${at}.txt`);

describe("file get of many files", () => {
  it("needs at most 12 requests for 300 files, all of them reads", async () => {
    server = await serve(forgeWithFiles());
    const ran = await get(many);
    expect(ran.code, ran.stderr).toBe(0);
    expect(server.seen.length).toBeLessThanOrEqual(12);
    expect(server.seen.every(({ method }) => method === "GET")).toBe(true);
    expect(Math.max(...server.seen.map(({ url }) => url.length))).toBeLessThan(7000);
    expect(ran.stdout.trim().split("\n")).toHaveLength(300);
    expect(readFileSync(join(ran.dir, "charts/5/berth 299.txt"), "utf8")).toBe("text of charts/5/berth 299.txt\n");
    expect(readdirSync(ran.dir)).toEqual(["charts"]);
  });

  it("asks again for the files that the server left out", async () => {
    server = await serve(forgeWithFiles(7));
    const ran = await get(many.slice(0, 30));
    expect(ran.code, ran.stderr).toBe(0);
    expect(server.seen).toHaveLength(5);
    expect(ran.stdout.trim().split("\n")).toHaveLength(30);
  });

  it("ends if the server answers with no file at all", async () => {
    server = await serve(forgeWithFiles(0));
    const ran = await get(many.slice(0, 3));
    expect(ran.code).toBe(7);
    expect(ran.stderr).toContain("left out charts/0/berth 0.txt");
  });

  it("keeps addresses short, and posts a path that fits into none", async () => {
    server = await serve(forgeWithFiles());
    const long = Array.from({ length: 20 }, (_, at) => `${"é".repeat(80)}/${at}.txt`);
    const longest = `${Array.from({ length: 12 }, () => "ü".repeat(90)).join("/")}/a.txt`;
    const ran = await get([...long, longest]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(Math.max(...server.seen.map(({ url }) => url.length))).toBeLessThan(7000);
    expect(server.seen.filter(({ method }) => method === "POST").map(asked)).toEqual([[longest]]);
  });

  it("asks for each file on a server that lacks the operation", async () => {
    server = await serve(withoutOperation);
    const ran = await get(many.slice(0, 40));
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout.trim().split("\n")).toHaveLength(40);
    expect(server.lines().filter((line) => line.includes("/contents/"))).toHaveLength(40);
    expect(server.lines().filter((line) => line.includes("/file-contents")).length).toBeLessThanOrEqual(2);
  });

  it("names links, submodules, folders and missing files, and saves the others", async () => {
    const kinds: Readonly<Record<string, unknown>> = {
      "a.txt": file("a.txt"),
      link: { ...file("link"), type: "symlink", content: null, target: "../../etc/passwd\u001b[2J" },
      sub: { ...file("sub"), type: "submodule", content: null, submodule_git_url: "https://example.org/sub.git" },
      dir: { ...file("dir"), type: "dir", content: null },
      none: null,
    };
    server = await serve(forgeWithFiles(30, (path) => kinds[path] ?? null));
    const ran = await get(Object.keys(kinds));
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("link is a symbolic link to ../../etc/passwd␛[2J, which is not followed");
    expect(ran.stderr).toContain("sub is a submodule of https://example.org/sub.git");
    expect(ran.stderr).toContain("dir is a directory");
    expect(ran.stderr).toContain("File none not found in mara/harbor");
    expect(readdirSync(ran.dir)).toEqual(["a.txt"]);
  });

  it("streams a large file, which the record does not contain", async () => {
    const large = Buffer.alloc(3_000_000, "tide ");
    server = await serve((seen) =>
      seen.url.includes("/file-contents")
        ? { body: asked(seen).map((path) => ({ ...file(path), content: null, encoding: null, size: large.length })) }
        : { headers: { "content-type": "application/octet-stream" }, body: large },
    );
    const ran = await get(["big.bin", "bigger.bin"], "--ref", "v1.0");
    expect(ran.code, ran.stderr).toBe(0);
    expect(server.lines()).toContain("GET /api/v1/repos/mara/harbor/raw/big.bin?ref=v1.0");
    expect(readFileSync(join(ran.dir, "bigger.bin")).equals(large)).toBe(true);
  });

  it("saves no file of another size than the server says", async () => {
    server = await serve((seen, _request, response) => {
      if (seen.url.includes("/file-contents")) {
        return { body: asked(seen).map((path) => ({ ...file(path), content: null, encoding: null, size: 30 })) };
      }
      // Without a length, the end of the connection is the end of the file.
      response.writeHead(200, { "content-type": "application/octet-stream", connection: "close" });
      response.end(seen.url.includes("whole") ? "x".repeat(30) : "the first half");
      return undefined;
    });
    const ran = await get(["cut.bin", "whole.bin"]);
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("cut.bin is damaged: received 14 bytes, expected 30");
    expect(readdirSync(ran.dir)).toEqual(["whole.bin"]);
  });

  it("saves nothing with --dry-run, and says what it would", async () => {
    server = await serve(forgeWithFiles());
    const ran = await get(["a.txt", "b.txt"], "--dry-run");
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toContain(`Would download a.txt (14 B) from mara/harbor to ${folder}/a.txt`);
    expect(existsSync(ran.dir)).toBe(false);
    const all = await get(many, "--dry-run");
    expect(all).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("Would download charts/") });
  });

  it("says what a Git LFS pointer is, and downloads its file with --lfs", async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 1048576\n`;
    server = await serve((seen) =>
      seen.url.includes("/file-contents")
        ? { body: asked(seen).map((path) => file(path, pointer)) }
        : { headers: { "content-type": "application/octet-stream" }, body: "the chart itself" },
    );
    const plain = await get(["chart.png", "map.png"]);
    expect(plain.code).toBe(0);
    expect(plain.stderr).toContain("chart.png is a Git LFS pointer to 1.0 MiB; pass --lfs");
    expect(readFileSync(join(plain.dir, "chart.png"), "utf8")).toBe(pointer);
    const real = await get(["chart.png", "map.png"], "--lfs");
    expect(readFileSync(join(real.dir, "map.png"), "utf8")).toBe("the chart itself");
    expect(server.lines()).toContain("GET /api/v1/repos/mara/harbor/media/map.png");
  });

  it("prints the records without content as JSON", async () => {
    server = await serve(forgeWithFiles());
    const ran = await get(["a.txt", "b.txt"], "--json", "path,file,content");
    expect(ran.json()).toEqual([
      { path: "a.txt", file: join(String(folder), "a.txt"), content: null },
      { path: "b.txt", file: join(String(folder), "b.txt"), content: null },
    ]);
  });

  it("removes what a killed run has left, and not what another one is writing", async () => {
    server = await serve(forgeWithFiles());
    folder += 1;
    const dir = join(cwd, `${folder}`);
    mkdirSync(dir);
    const { dev, ino } = statSync(dir, { bigint: true });
    const [other, killed] = [1, 2].map((number) => openScratch(dir, `file get ${number}`, "files"));
    for (const one of [other, killed]) mkdirSync(join(one?.unpacking ?? "", "1"), { recursive: true });
    const held = await lock(`${dev}:${ino}/file get 1`);
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
    expect((await tongs(["file", "get", "a.txt", "b.txt", "--dir", dir], { cwd, env })).code).toBe(0);
    expect(readdirSync(dir).sort()).toEqual([basename(other?.folder ?? ""), "a.txt", "b.txt"]);
    held?.release();
  });

  it("leaves nothing half-done if it is interrupted", async () => {
    const interruption = new AbortController();
    server = await serve((seen, _request, response) => {
      if (seen.url.includes("/file-contents")) {
        return { body: asked(seen).map((path) => ({ ...file(path), content: null, encoding: null })) };
      }
      response.writeHead(200, { "content-type": "application/octet-stream" });
      response.write("the first half");
      setTimeout(() => interruption.abort(new Error("Ctrl-C")), 50);
      return undefined;
    });
    folder += 1;
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
    const line = ["file", "get", "a.bin", "b.bin", "--dir", `${folder}`];
    const ran = await tongs(line, { cwd, env, signal: interruption.signal });
    expect(ran.code).not.toBe(0);
    expect(readdirSync(join(cwd, `${folder}`))).toEqual([]);
  });
});
