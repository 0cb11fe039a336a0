import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";

const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

/** A generic registry with the files of one version, charts@1.0.0 of mara. */
interface Registry extends TestServer {
  readonly stored: Map<string, Buffer>;
  run(line: readonly string[], world?: World): ReturnType<typeof tongs>;
}

const refusal = (status: number, body: string) => ({
  status,
  headers: { "content-type": "text/plain;charset=utf-8" },
  body,
});

/** Starts a registry; `first` can answer a request in its place. */
async function start(first: Handler = () => undefined, hash: typeof sha256 = sha256): Promise<Registry> {
  const stored = new Map<string, Buffer>();
  const server = await serve(async (seen, request, response) => {
    const given = await first(seen, request, response);
    if (given !== undefined || response.headersSent) return given;
    const url = decodeURIComponent(seen.url.split("?")[0] ?? "");
    if (url.endsWith("/files")) {
      const files = [...stored].map(([name, content], index) => ({
        id: index + 1,
        size: content.length,
        name,
        sha256: hash(content),
      }));
      return { body: files };
    }
    const name = url.split("/").slice(7).join("/");
    if (seen.method === "GET") {
      const content = stored.get(name);
      return content === undefined ? refusal(404, "package file does not exist") : { body: content };
    }
    if (stored.has(name)) return refusal(409, "package file already exists");
    stored.set(name, Buffer.from(seen.body));
    return { status: 201 };
  });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
  return {
    ...server,
    stored,
    run: (line, world = {}) => tongs(["package", ...line, "--owner", "mara"], { ...world, env }),
  };
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const cwd = emptyFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  return cwd;
}

describe("package upload", () => {
  it("streams files to the registry, checks their hashes and prints their addresses", async () => {
    const { run, stored, url } = await start();
    const cwd = folderWith({ "map.txt": "map v1\n", "out.bin": "x".repeat(700_000) });
    const ran = await run(["upload", "charts@1.0.0", "map.txt", "out.bin#big map.bin"], { cwd });
    expect([ran.code, ran.stderr]).toEqual([
      0,
      expect.stringContaining("Uploaded map.txt (7 B) to generic/charts@1.0.0 of mara"),
    ]);
    expect(ran.stdout.split("\n").sort()).toEqual([
      "",
      `${url}/api/packages/mara/generic/charts/1.0.0/big%20map.bin`,
      `${url}/api/packages/mara/generic/charts/1.0.0/map.txt`,
    ]);
    expect([stored.get("map.txt")?.toString(), stored.get("big map.bin")?.length]).toEqual(["map v1\n", 700_000]);
  });

  it("skips files that are there with the same content, and refuses others", async () => {
    const { run, stored } = await start();
    stored.set("map.txt", Buffer.from("map v1\n"));
    stored.set("legend.txt", Buffer.from("another"));
    const cwd = folderWith({ "map.txt": "map v1\n", "legend.txt": "legend\n", "new.txt": "new" });
    const ran = await run(["upload", "charts@1.0.0", "map.txt", "legend.txt", "new.txt"], { cwd });
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("No change: map.txt of generic/charts@1.0.0 of mara");
    expect(ran.stderr).toContain("already has another file named legend.txt");
    expect(stored.get("legend.txt")?.toString()).toBe("another");
    expect(stored.get("new.txt")?.toString()).toBe("new");
    expect((await run(["upload", "charts@1.0.0", "legend.txt"], { cwd })).code).toBe(9);
  });

  it("fails if the server stored another content", async () => {
    const { run } = await start(undefined, () => sha256("another"));
    const ran = await run(["upload", "charts@1.0.0", "map.txt"], { cwd: folderWith({ "map.txt": "map v1\n" }) });
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringContaining("The content of map.txt on the server differs"),
    ]);
  });

  it("sends the whole file again after a lost connection", async () => {
    let lost = 0;
    const { run, stored } = await start(({ method }, request) => {
      if (method === "PUT" && lost++ === 0) request.socket.destroy();
      return method === "PUT" && lost === 1 ? { status: 500 } : undefined;
    });
    const ran = await run(["upload", "charts@1.0.0", "map.txt"], { cwd: folderWith({ "map.txt": "map v1\n" }) });
    expect([ran.code, stored.get("map.txt")?.toString(), lost]).toEqual([0, "map v1\n", 2]);
  });

  it("sends nothing for a missing file, a folder, a missing version or a dry run", async () => {
    const { run, lines } = await start();
    const cwd = folderWith({ "map.txt": "map v1\n" });
    mkdirSync(join(cwd, "folder"));
    expect((await run(["upload", "charts@1.0.0", "map.txt", "none.txt"], { cwd })).code).toBe(2);
    expect((await run(["upload", "charts@1.0.0", "folder"], { cwd })).code).toBe(2);
    expect((await run(["upload", "charts", "map.txt"], { cwd })).code).toBe(2);
    const dry = await run(["upload", "charts@1.0.0", "map.txt", "--dry-run"], { cwd });
    expect(dry.stdout).toMatch(/^PUT .*\/map.txt\n"\(7 bytes of application\/octet-stream\)"\n$/);
    expect(lines()).toEqual([]);
  });

  it("asks as recorded, and explains the registry's refusals", async () => {
    const labels = [
      "publish a generic file",
      "files of a version",
      "publish for somebody else",
      "publish for an unknown owner",
    ];
    const player = await cassette(
      "packages",
      labels.map((label) => `packages: ${label}`),
    );
    const cwd = folderWith({ "map.txt": "map v1\n" });
    const upload = (version: string, owner: string) =>
      player.run(["package", "upload", `charts@${version}`, "map.txt", "--owner", owner], { cwd });
    expect((await upload("1.0.0", "mara")).code).toBe(0);
    const denied = await upload("1.2.0", "mara");
    expect([denied.code, denied.stderr]).toEqual([4, expect.stringContaining("No access to the packages of mara")]);
    expect((await upload("1.2.0", "nobody")).code).toBe(5);
  });
});

describe("package download", () => {
  it("downloads all files, some by name or pattern, and prints their paths", async () => {
    const { run, stored } = await start();
    for (const name of ["map.txt", "legend.txt"]) stored.set(name, Buffer.from(`${name}\n`));
    const cwd = emptyFolder();
    const all = await run(["download", "charts@1.0.0", "--dir", "out"], { cwd });
    expect([all.code, all.stdout.split("\n").sort()]).toEqual([0, ["", "out/legend.txt", "out/map.txt"]]);
    expect(readFileSync(join(cwd, "out/map.txt"), "utf8")).toBe("map.txt\n");
    expect((await run(["download", "charts@1.0.0", "-p", "leg*"], { cwd })).stdout).toBe("legend.txt\n");
    expect((await run(["download", "charts@1.0.0", "legend.txt"], { cwd })).code).toBe(0);
    writeFileSync(join(cwd, "legend.txt"), "Legend.txt\n");
    const exists = await run(["download", "charts@1.0.0", "legend.txt"], { cwd });
    expect([exists.code, exists.stderr]).toEqual([9, expect.stringContaining("already exists")]);
    expect((await run(["download", "charts@1.0.0", "legend.txt", "--skip-existing"], { cwd })).code).toBe(0);
    const unknown = await run(["download", "charts@1.0.0", "none.txt"], { cwd });
    expect([unknown.code, unknown.stderr]).toEqual([
      5,
      expect.stringContaining("No file none.txt in generic/charts@1.0.0 of mara"),
    ]);
  });

  it("refuses a file whose hash is another one, and leaves nothing behind", async () => {
    const { run, stored, lines } = await start(undefined, () => sha256("another"));
    stored.set("map.txt", Buffer.from("map v1\n"));
    const cwd = emptyFolder();
    const ran = await run(["download", "charts@1.0.0"], { cwd });
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("map.txt is damaged: its SHA-256 is ")]);
    expect(lines().filter((line) => line.endsWith("/map.txt"))).toHaveLength(2);
    expect(readdirSync(cwd).filter((name) => name !== ".tongs-test")).toEqual([]);
  });
});
