import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fileNames } from "../../../src/download/file-names.ts";
import { tree } from "../../archive/unpacked.ts";
import { runBuilt, startBuilt } from "../../support/built.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { zip } from "../../support/zip.ts";
import { type ArtifactServer, type Kept, type Storage, serveArtifacts } from "./artifact-server.ts";

const docs = zip([{ name: "guide.md", content: "guide" }]);

let server: ArtifactServer | undefined;

/** Runs the built program in a new folder against a server with these artifacts. */
async function download(kept: readonly Kept[], args: readonly string[], storage?: Storage) {
  server = await serveArtifacts(kept, storage);
  const cwd = emptyFolder();
  const ran = await runBuilt(["artifact", "download", ...args], { cwd, env: server.env });
  return { ran, cwd };
}

describe("a hostile artifact", () => {
  it("with a .git folder is refused, and can be saved with --zip", async () => {
    const content = zip([
      { name: "readme", content: "x" },
      { name: ".GIT/config", content: "[core]\n\tfsmonitor = ./run\n" },
    ]);
    const { ran, cwd } = await download([{ id: 14, name: "docs", content }], ["14", "--dir", "out"]);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/'\.GIT\/config'[\s\S]*--zip/) });
    expect(Object.keys(tree(join(cwd, "out"))).filter((name) => !name.startsWith(".tongs-"))).toEqual([]);
    const args = ["artifact", "download", "14", "--zip", "--dir", "out"];
    expect(await runBuilt(args, { cwd, env: server?.env ?? {} })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "out", "docs.zip")).equals(content)).toBe(true);
  });

  it("with paths of thousands of parts is refused at once", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `${index}${"/d".repeat(30_000)}`);
    const content = zip(names.map((name) => ({ name })));
    const { ran } = await download([{ id: 14, name: "docs", content }], ["14"]);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("the path is too long") });
    expect(ran.stderr.length).toBeLessThan(1000);
  });

  it("with millions of entries by its end record is refused, even with --zip", async () => {
    const content = zip([{ name: "x" }], { count: 11_000_000, zip64: true });
    for (const args of [["14"], ["14", "--zip"]]) {
      const { ran } = await download([{ id: 14, name: "docs", content }], args);
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("000000 files and directories") });
      expect(server?.storage.seen).toHaveLength(1);
    }
  });

  it("with too many folders is refused", async () => {
    const names = Array.from({ length: 4_200 }, (_, index) => `${index}${"/d".repeat(240)}/x`);
    const content = zip(names.map((name) => ({ name, stored: true })));
    const { ran, cwd } = await download([{ id: 14, name: "docs", content }], ["14", "--dir", "out"]);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("more than 1000000 files and directories") });
    expect(readdirSync(join(cwd, "out")).filter((name) => !name.startsWith(".tongs-"))).toEqual([]);
  });

  it.each([
    ["with a length", (bytes: Buffer) => ({ headers: { "content-length": String(bytes.length) }, body: bytes })],
    ["without a length", undefined],
    [
      "with a content encoding",
      (bytes: Buffer) => ({ headers: { "content-encoding": "gzip" }, body: gzipSync(bytes, { level: 9 }) }),
    ],
  ])("that is larger than --max-size is not downloaded, %s", async (_what, reply) => {
    const content = zip([{ name: "zeros", content: Buffer.alloc(3_000_000), stored: true }]);
    const { ran, cwd } = await download(
      [{ id: 14, name: "docs", content }],
      ["14", "--zip", "--max-size", "1M"],
      async (_seen, response, kept) => {
        if (reply !== undefined) return reply(kept.content);
        response.writeHead(200, { "content-type": "application/zip" });
        response.end(kept.content);
        return undefined;
      },
    );
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("raise the limit with --max-size") });
    expect(readdirSync(cwd).filter((name) => name !== ".tongs-test")).toEqual([]);
    expect(server?.storage.seen).toHaveLength(1);
  });

  it("writes no file outside the folder when a subfolder is replaced by a link meanwhile", async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `sub/f${index}`);
    server = await serveArtifacts([
      { id: 14, name: "docs", content: zip(names.map((name) => ({ name, content: "x" }))) },
    ]);
    for (let round = 0; round < 3; round += 1) {
      const cwd = emptyFolder();
      const [out, outside] = [join(cwd, "out"), join(cwd, "outside")];
      for (const folder of [out, outside, join(out, "sub")]) mkdirSync(folder);
      const { child, ended } = await startBuilt(["artifact", "download", "14", "--dir", "out"], {
        cwd,
        env: server.env,
      });
      while (child.exitCode === null && readdirSync(join(out, "sub")).length === 0) {
        await pause(2);
      }
      renameSync(join(out, "sub"), join(out, "aside"));
      symlinkSync(outside, join(out, "sub"));
      const ran = await ended;
      expect(readdirSync(outside)).toEqual([]);
      if (ran.code !== 0) expect(ran.stderr).toContain("'sub");
    }
  });
});

describe("artifact names", () => {
  it("get unique file names", async () => {
    const names = new Map([
      [1, "x"],
      [5, "x-701"],
      [701, "X"],
      [6, "git~1"],
    ]);
    const kept = [...names].map(([id, name]) => ({ id, name, content: zip([{ name: `of-${id}`, content: name }]) }));
    const { ran, cwd } = await download(kept, [...names.keys()].map(String));
    expect(ran).toMatchObject({ code: 0 });
    const folders = readdirSync(cwd).filter((name) => name !== ".tongs-test");
    expect(folders.sort()).toEqual(["X-701-701", "_git~1", "x-1", "x-701"]);
    for (const folder of folders) expect(readdirSync(join(cwd, folder))).toHaveLength(1);
  });

  it("get unique file names whichever ones are equal after adding an ID", () => {
    const of = (id: number, name: string) => ({ id, name }) as Parameters<typeof fileNames>[0][number];
    const all = [of(1, "x"), of(701, "x"), of(2, "x-701"), of(3, "x-701-701"), of(4, "stra\u00dfe"), of(5, "STRASSE")];
    const made = [...fileNames(all).values()];
    expect(made).toEqual(["x-1", "x-701-701-701", "x-701", "x-701-701", "stra\u00dfe-4", "STRASSE-5"]);
  });

  it("are printed with pictures for line ends", async () => {
    const { ran } = await download([{ id: 14, name: "a\n\u2713 Downloaded b\r\tc", content: docs }], ["14"]);
    expect(ran.stderr).toContain("Downloaded a\u240a\u2713 Downloaded b\u240d\u2409c (");
    expect(ran.stderr.trimEnd().split("\n")).toHaveLength(1);
    const wrong = await download([{ id: 14, name: "a\nb", content: docs }], ["--run", "20", "-n", "c\nd"]);
    expect(wrong.ran.stderr).toContain("No artifact c\u240ad");
    expect(wrong.ran.stderr).toContain("Available: a\u240ab");
  });
});

describe("an archive saved with --zip", () => {
  it("replaces no file that was created during the download", async () => {
    server = await serveArtifacts([{ id: 14, name: "docs", content: docs }], (_seen, response, kept) => {
      writeFileSync(join(cwd, "docs.zip"), "mine");
      response.end(kept.content);
      return undefined;
    });
    const cwd = emptyFolder();
    const ran = await runBuilt(["artifact", "download", "14", "--zip"], { cwd, env: server.env });
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining("docs.zip already exists") });
    expect(readFileSync(join(cwd, "docs.zip"), "utf8")).toBe("mine");
  });

  it("is refused for a longer name in the local header of a large entry, as when unpacked", async () => {
    const content = zip([{ name: "a", content: "b".repeat(5e6), stored: true, localName: "a.exe" }]);
    for (const args of [["14"], ["14", "--zip"]]) {
      const { ran } = await download([{ id: 14, name: "docs", content }], args);
      expect(ran).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("'a': its name differs in the local header"),
      });
    }
  });

  it("can have stored entries with sizes of 0 in the local header, which are checked on disk", async () => {
    const entry = { name: "a", content: "tide ".repeat(1000), stored: true, localSize: 0 };
    const { ran, cwd } = await download([{ id: 14, name: "docs", content: zip([entry]) }], ["14", "--zip"]);
    expect(ran).toMatchObject({ code: 0 });
    expect(readdirSync(cwd)).toContain("docs.zip");
    const wrong = await download([{ id: 14, name: "docs", content: zip([{ ...entry, crc: 1 }]) }], ["14", "--zip"]);
    expect(wrong.ran).toMatchObject({ code: 1, stderr: expect.stringContaining("'a': the checksum does not match") });
  });
});
