import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tree } from "../../archive/unpacked.ts";
import { runBuilt } from "../../support/built.ts";
import { scratchesIn, scratchIn } from "../../support/scratch.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { zip } from "../../support/zip.ts";
import { type ArtifactServer, cut, serveArtifacts, usual } from "./artifact-server.ts";

const docs = zip([{ name: "guide.md", content: "guide ".repeat(500), stored: true }]);

let server: ArtifactServer | undefined;

async function download(cwd: string, ...args: string[]) {
  if (server === undefined) throw new Error("no server");
  return runBuilt(["artifact", "download", ...args], { cwd, env: server.env });
}

/** Leaves an interrupted download of artifact 14 in a folder. The next request gets the usual response. */
async function interrupted(cwd: string): Promise<void> {
  let broken = true;
  server = await serveArtifacts([{ id: 14, name: "docs", content: docs, etag: '"one"' }], (seen, response, kept) => {
    if (!broken) return "usual";
    broken = seen.headers["range"] === undefined;
    return broken ? cut(response, usual(seen, kept), 1000) : { status: 404, body: "" };
  });
  expect(await download(cwd, "14")).toMatchObject({ code: 5 });
  server.storage.seen.length = 0;
}

describe("files that tongs did not create", () => {
  it("are kept, whatever their names are", async () => {
    server = await serveArtifacts([{ id: 14, name: "docs", content: docs }]);
    const cwd = emptyFolder();
    mkdirSync(join(cwd, "docs.zip.unpacking"));
    writeFileSync(join(cwd, "docs.zip.unpacking", "mine"), "mine");
    for (const name of ["docs.zip.part", "docs.zip.part.json"]) writeFileSync(join(cwd, name), "mine");
    symlinkSync("docs.zip.part", join(cwd, "docs.zip.part.json.new"));
    const before = tree(cwd);
    expect(await download(cwd, "14")).toMatchObject({ code: 0 });
    expect(tree(cwd)).toEqual({ ...before, "guide.md": "guide ".repeat(500) });
  });

  it("are kept when they are from the archive or from another artifact", async () => {
    const own = zip([
      { name: "docs.zip.part", content: "1" },
      { name: "docs.zip.part.json", content: "2" },
      { name: "docs.zip.unpacking/a", content: "3" },
    ]);
    server = await serveArtifacts([
      { id: 14, name: "docs", content: own },
      { id: 15, name: "docs.zip.part", content: docs },
      { id: 16, name: "docs.zip.unpacking", content: docs },
    ]);
    const cwd = emptyFolder();
    expect(await download(cwd, "14")).toMatchObject({ code: 0 });
    expect(tree(cwd)).toEqual({
      "docs.zip.part": "1",
      "docs.zip.part.json": "2",
      "docs.zip.unpacking/": "",
      "docs.zip.unpacking/a": "3",
    });
    const out = join(cwd, "out");
    expect(await download(cwd, "--run", "20", "--dir", "out")).toMatchObject({ code: 0 });
    expect(readdirSync(out).sort()).toEqual(["docs", "docs.zip.part", "docs.zip.unpacking"]);
    expect(readFileSync(join(out, "docs.zip.unpacking", "guide.md"), "utf8")).toContain("guide");
  });

  it("are kept in a scratch folder, and the folder with them", async () => {
    const cwd = emptyFolder();
    await interrupted(cwd);
    const { folder } = scratchIn(cwd);
    writeFileSync(join(folder, "mine"), "mine");
    expect(await download(cwd, "14")).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toEqual(["mine"]);
  });
});

describe("a scratch folder", () => {
  it("is removed when it is for an older artifact with the same name", async () => {
    const cwd = emptyFolder();
    await interrupted(cwd);
    server = await serveArtifacts([{ id: 15, name: "docs", content: docs }]);
    expect(await download(cwd, "15")).toMatchObject({ code: 0 });
    expect(scratchesIn(cwd)).toEqual([]);
  });

  it("is neither used nor removed when it was copied, moved or made up", async () => {
    const cwd = emptyFolder();
    await interrupted(cwd);
    const { folder, mark } = scratchIn(cwd);
    const copy = emptyFolder();
    cpSync(folder, join(copy, basename(folder)), { recursive: true });
    cpSync(folder, join(copy, ".tongs-abcdef"), { recursive: true });
    mkdirSync(join(copy, ".tongs-uvwxyz"));
    symlinkSync(mark, join(copy, ".tongs-uvwxyz", "scratch.json"));
    symlinkSync(folder, join(copy, ".tongs-ABCDEF"));
    const before = tree(copy);
    expect(await download(copy, "14")).toMatchObject({ code: 0 });
    expect(tree(copy)).toEqual({ ...before, "guide.md": "guide ".repeat(500) });
    expect(server?.storage.seen.map(({ headers }) => headers["range"])).toEqual([undefined]);
    expect(scratchIn(cwd).names).toContain("archive.part");
  });

  it("cannot be unpacked from an archive", async () => {
    const name = ".tongs-abcdef";
    server = await serveArtifacts([
      { id: 14, name: "docs", content: zip([{ name: `${name}/scratch.json`, content: "{}" }]) },
    ]);
    const cwd = emptyFolder();
    expect(await download(cwd, "14")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`'${name}_/scratch.json'`),
    });
    expect(tree(cwd)).toEqual({ [`${name}_/`]: "", [`${name}_/scratch.json`]: "{}" });
  });
});
