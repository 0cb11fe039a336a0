import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collectArtifacts } from "../../../src/app/artifacts/fetch.ts";
import type { FetchContext } from "../../../src/app/artifacts/fetch-artifact.ts";
import { Interruption } from "../../../src/failure/interruption.ts";
import { tree } from "../../archive/unpacked.ts";
import { scratchesIn, scratchIn } from "../../support/scratch.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { zip } from "../../support/zip.ts";
import { type ArtifactServer, type Kept, serveArtifacts, usual } from "./artifact-server.ts";

const docs = zip([{ name: "guide.md", content: "guide" }]);
const report = zip([{ name: "report.json", content: "{}" }]);
const two: Kept[] = [
  { id: 13, name: "report", content: report },
  { id: 14, name: "docs", content: docs },
];

let server: ArtifactServer | undefined;

/** The files in a folder, without the configuration of the test. */
function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(tree(folder)).filter(([name]) => !name.startsWith(".tongs-test")));
}

describe("artifact download", () => {
  it("removes what runs left that were killed at their beginning, and no folder with other files", async () => {
    server = await serveArtifacts(two);
    const cwd = emptyFolder();
    mkdirSync(join(cwd, "out", ".tongs-a1b2c3"), { recursive: true });
    mkdirSync(join(cwd, "out", ".tongs-b1b2c3"));
    writeFileSync(join(cwd, "out", ".tongs-b1b2c3", "scratch.json.new"), '{"folder":".tongs-b');
    mkdirSync(join(cwd, "out", ".tongs-d4e5f6"));
    writeFileSync(join(cwd, "out", ".tongs-d4e5f6", "mine.txt"), "mine");
    expect((await server.run(["download", "14", "--dir", "out"], { cwd })).code).toBe(0);
    expect(filesIn(cwd)).toEqual({
      "out/": "",
      "out/guide.md": "guide",
      "out/.tongs-d4e5f6/": "",
      "out/.tongs-d4e5f6/mine.txt": "mine",
    });
  });

  it("unpacks one artifact into the folder and prints its path", async () => {
    server = await serveArtifacts(two);
    const cwd = emptyFolder();
    const ran = await server.run(["download", "14", "--dir", "out"], { cwd });
    expect(ran).toMatchObject({ code: 0, stdout: "out\n" });
    expect(ran.stderr).toBe(`✓ Downloaded docs (${docs.length} B) from mara/harbor to out\n`);
    expect(filesIn(cwd)).toEqual({ "out/": "", "out/guide.md": "guide" });
    expect(server.api.lines()).toEqual([
      "GET /api/v1/repos/mara/harbor/actions/artifacts/14",
      "GET /api/v1/repos/mara/harbor/actions/artifacts/14/zip",
    ]);
  });

  it("unpacks the artifacts of the latest run into folders with their names by default", async () => {
    server = await serveArtifacts(two);
    const cwd = emptyFolder();
    const ran = await server.run(["download"], { cwd });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout.split("\n").sort()).toEqual(["", "docs", "report"]);
    expect(filesIn(cwd)).toEqual({ "docs/": "", "docs/guide.md": "guide", "report/": "", "report/report.json": "{}" });
    expect(server.api.lines()[0]).toBe("GET /api/v1/repos/mara/harbor/actions/runs?page=1&limit=1");
  });

  it("downloads the newest of several artifacts with the same name", async () => {
    server = await serveArtifacts([
      { id: 9, name: "docs", content: zip([{ name: "old", content: "old" }]) },
      { id: 14, name: "docs", content: docs },
      { id: 11, name: "docs", content: zip([{ name: "older", content: "older" }]) },
    ]);
    const cwd = emptyFolder();
    expect(await server.run(["download", "--run", "20"], { cwd })).toMatchObject({ code: 0 });
    expect(filesIn(cwd)).toEqual({ "guide.md": "guide" });
    expect(server.storage.lines()).toEqual(["GET /stored/14?sig=1"]);
  });

  it("filters by name and pattern, and lists the available names for an unknown one", async () => {
    server = await serveArtifacts([...two, { id: 15, name: "firmware-image", content: docs }]);
    const cwd = emptyFolder();
    await server.run(["download", "--run", "20", "-n", "docs", "-p", "firm*"], { cwd });
    expect(readdirSync(cwd).filter((name) => !name.startsWith("."))).toEqual(["docs", "firmware-image"]);
    const wrong = await server.run(["download", "--run", "20", "-n", "dogs"], { cwd });
    expect(wrong).toMatchObject({ code: 5, stderr: expect.stringContaining("report, docs, firmware-image") });
  });

  it("prints the records with their paths as JSON", async () => {
    server = await serveArtifacts(two);
    const cwd = emptyFolder();
    const ran = await server.run(["download", "14", "--zip", "--json", "id,path"], { cwd });
    expect(ran.json()).toEqual([{ id: 14, path: join(cwd, "docs.zip") }]);
  });

  it("saves the archive with --zip, and refuses, replaces or keeps an existing one", async () => {
    server = await serveArtifacts(two);
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "docs.zip"), "mine");
    const refused = await server.run(["download", "14", "--zip"], { cwd });
    expect(refused).toMatchObject({ code: 9, stderr: expect.stringContaining("already exists") });
    expect(await server.run(["download", "14", "--zip", "--skip-existing"], { cwd })).toMatchObject({ code: 0 });
    expect(server.storage.lines()).toEqual([]);
    expect(readFileSync(join(cwd, "docs.zip"), "utf8")).toBe("mine");
    expect(await server.run(["download", "14", "--zip", "--clobber"], { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "docs.zip")).equals(docs)).toBe(true);
  });

  it("keeps the download when files exist, and does not repeat it", async () => {
    server = await serveArtifacts(two);
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "guide.md"), "mine");
    expect(await server.run(["download", "14"], { cwd })).toMatchObject({ code: 9 });
    expect(filesIn(cwd)).toMatchObject({ "guide.md": "mine" });
    expect(await server.run(["download", "14", "--overwrite"], { cwd })).toMatchObject({ code: 0 });
    expect(filesIn(cwd)).toEqual({ "guide.md": "guide" });
    expect(server.storage.lines()).toHaveLength(1);
  });

  it("can be repeated: files with the same content are accepted", async () => {
    server = await serveArtifacts(two);
    const cwd = emptyFolder();
    for (let round = 0; round < 2; round += 1) {
      expect(await server.run(["download", "--run", "20"], { cwd })).toMatchObject({ code: 0 });
    }
  });

  it("continues after a failure, reports it, and exits with 11", async () => {
    server = await serveArtifacts([...two, { id: 15, name: "bad", content: Buffer.from("no zip") }]);
    const cwd = emptyFolder();
    const ran = await server.run(["download", "--run", "20"], { cwd });
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("bad: The file is not a zip archive") });
    expect(filesIn(cwd)).toMatchObject({ "docs/guide.md": "guide", "report/report.json": "{}" });
  });

  it("skips expired artifacts with a warning, and fails when none is left", async () => {
    server = await serveArtifacts([...two, { id: 15, name: "gone", content: docs, expired: true, run: 20 }]);
    const cwd = emptyFolder();
    const some = await server.run(["download", "--run", "20"], { cwd });
    expect(some).toMatchObject({ code: 0, stderr: expect.stringContaining("Skipped expired artifacts: gone") });
    const none = await server.run(["download", "--run", "20", "-n", "gone"], { cwd });
    expect(none).toMatchObject({ code: 5, stderr: expect.stringContaining("have expired: gone") });
    expect(await server.run(["download", "--run", "77"], { cwd })).toMatchObject({ code: 5 });
  });

  it("writes no file outside the folder, whatever the name of the artifact", async () => {
    const names = ["../up", "/etc/passwd", "..", "a\\b", "C:", "con", "", "x".repeat(300), ".git", "one\u001b[2J"];
    server = await serveArtifacts(names.map((name, index) => ({ id: index + 1, name, content: docs })));
    const cwd = emptyFolder();
    const out = join(cwd, "deep", "out");
    const ran = await server.run(["download", "--run", "20", "--dir", "deep/out"], { cwd });
    expect(ran).toMatchObject({ code: 0 });
    expect(readdirSync(out)).toHaveLength(names.length);
    expect(readdirSync(join(cwd, "deep"))).toEqual(["out"]);
    for (const name of readdirSync(out)) expect(readFileSync(join(out, name, "guide.md"), "utf8")).toBe("guide");
  });

  it("replaces a link with the name of the archive, never the file it points to", async () => {
    server = await serveArtifacts(two);
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "precious"), "precious");
    symlinkSync("precious", join(cwd, "docs.zip"));
    expect(await server.run(["download", "14", "--zip", "--clobber"], { cwd })).toMatchObject({ code: 0 });
    expect(filesIn(cwd)).toMatchObject({ precious: "precious", "docs.zip": docs.toString("latin1") });
  });

  it("accepts either IDs or filters", async () => {
    server = await serveArtifacts(two);
    expect(await server.run(["download", "14", "--run", "20"])).toMatchObject({ code: 2 });
    expect(await server.run(["download", "--run", "a b"])).toMatchObject({ code: 2 });
    expect(await server.run(["download", "14", "--max-size", "lots"])).toMatchObject({ code: 2 });
    expect(server.api.lines()).toEqual([]);
  });

  it("downloads an artifact once when its ID is repeated", async () => {
    server = await serveArtifacts(two);
    const cwd = emptyFolder();
    expect(await server.run(["download", "14", "014"], { cwd })).toMatchObject({ code: 0, stdout: ".\n" });
    expect(server.storage.lines()).toHaveLength(1);
  });

  it("refuses a zip bomb unless the limits are raised", async () => {
    const bomb = zip([{ name: "zeros", content: Buffer.alloc(70 * 1024 * 1024) }]);
    server = await serveArtifacts([{ id: 14, name: "docs", content: bomb }]);
    const cwd = emptyFolder();
    const ratio = await server.run(["download", "14"], { cwd });
    expect(ratio).toMatchObject({ code: 1, stderr: expect.stringContaining("raise the limit with --max-ratio") });
    const size = await server.run(["download", "14", "--max-ratio", "2000", "--max-size", "1M"], { cwd });
    expect(size).toMatchObject({ code: 1, stderr: expect.stringContaining("raise the limit with --max-size") });
    expect(existsSync(join(cwd, "zeros"))).toBe(false);
    const raised = await server.run(["download", "14", "--max-ratio", "2000"], { cwd });
    expect(raised).toMatchObject({ code: 0 });
    expect(statSync(join(cwd, "zeros")).size).toBe(70 * 1024 * 1024);
  });

  it("does not unpack through a link with the name of the artifact", async () => {
    server = await serveArtifacts(two);
    const cwd = emptyFolder();
    mkdirSync(join(cwd, "elsewhere"));
    mkdirSync(join(cwd, "out"));
    symlinkSync(join(cwd, "elsewhere"), join(cwd, "out", "docs"));
    const ran = await server.run(["download", "--run", "20", "--dir", "out", "--overwrite"], { cwd });
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("'docs' is a symbolic link") });
    expect(readdirSync(join(cwd, "elsewhere"))).toEqual([]);
  });

  it("downloads nothing with --dry-run", async () => {
    server = await serveArtifacts(two);
    const cwd = emptyFolder();
    const ran = await server.run(["download", "14", "--dry-run"], { cwd });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Would download docs") });
    expect(filesIn(cwd)).toEqual({});
  });

  it("keeps its part when interrupted, and exits with 130", async () => {
    const stop = new AbortController();
    const cwd = emptyFolder();
    server = await serveArtifacts(two, async (seen, response, kept) => {
      response.writeHead(200, { ...usual(seen, kept).headers });
      response.write(kept.content.subarray(0, 50));
      while (!scratchesIn(cwd).some(({ part }) => existsSync(part)))
        await new Promise((resolve) => setTimeout(resolve, 5));
      stop.abort(new Interruption("SIGINT"));
      return undefined;
    });
    const ran = await server.run(["download", "14"], { cwd, signal: stop.signal });
    expect(ran).toMatchObject({ code: 130, stderr: expect.stringContaining("Run the same command again to resume") });
    expect(scratchIn(cwd).names).toContain("archive.part.json");
  });

  it("downloads the artifacts of a run for another command, and prints nothing to stdout", async () => {
    server = await serveArtifacts(two);
    const cwd = emptyFolder();
    const messages: string[] = [];
    const failing = async () => {
      throw new Error("printed");
    };
    const { openContextFor } = await import("./context-for.ts");
    const context: FetchContext = openContextFor(server, cwd, {
      items: failing,
      raw: failing,
      records: true,
      note: (message: string) => void messages.push(message),
      done: async (message: string) => void messages.push(message),
    });
    expect(await collectArtifacts(context, 20, { dir: "out" })).toBeUndefined();
    expect(messages.sort()[0]).toContain("Downloaded docs");
    expect(existsSync(join(cwd, "out", "docs", "guide.md"))).toBe(true);
    expect(await collectArtifacts(context, 77, { dir: "out" })).toBeUndefined();
    expect(messages).toContain("Run 77 has no artifacts.");
  });
});
