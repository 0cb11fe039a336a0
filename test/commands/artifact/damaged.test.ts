import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runBuilt, startBuilt } from "../../support/built.ts";
import { scratchesIn, scratchIn } from "../../support/scratch.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { zip } from "../../support/zip.ts";
import { type ArtifactServer, type Kept, serveArtifacts } from "./artifact-server.ts";

const text = Buffer.from(randomBytes(3 * 1024 * 1024).toString("hex"));
const sound = zip([{ name: "big.txt", content: text }]);
/** The deflated bytes start with an invalid block type, so that inflating fails while more bytes are read. */
const damaged = Buffer.from(sound);
damaged.fill(0xff, 30 + "big.txt".length, 100);

let server: ArtifactServer | undefined;

/** The names in a folder, without the configuration of the test. */
function namesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name !== ".tongs-test");
}

/** The paths of all files with a name below a folder. */
function filesNamed(name: string, folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile() && item.name === name)
    .map((item) => join(item.parentPath, item.name));
}

describe("a damaged artifact", () => {
  it("is reported after a second download, and no files remain", async () => {
    server = await serveArtifacts([{ id: 14, name: "docs", content: damaged }]);
    const cwd = emptyFolder();
    const ran = await runBuilt(["artifact", "download", "14"], { cwd, env: server.env });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("The archive is damaged at 'big.txt'") });
    expect(ran.stderr).not.toContain("bug in tongs");
    expect(server.storage.seen.map(({ headers }) => headers["range"])).toEqual([undefined, undefined]);
    expect(namesIn(cwd)).toEqual([]);
  });

  it("is complete if the second download is", async () => {
    server = await serveArtifacts([{ id: 14, name: "docs", content: sound }], (_seen, _response, _kept, count) =>
      count === 1 ? { body: damaged } : "usual",
    );
    const cwd = emptyFolder();
    const ran = await runBuilt(["artifact", "download", "14"], { cwd, env: server.env });
    expect(ran).toMatchObject({ code: 0 });
    expect(namesIn(cwd)).toEqual(["big.txt"]);
    expect(readFileSync(join(cwd, "big.txt")).equals(text)).toBe(true);
  });

  it("does not affect intact artifacts that are downloaded in parallel", async () => {
    const all: Kept[] = Array.from({ length: 16 }, (_, index) => {
      const bad = index % 3 === 0;
      return { id: index + 1, name: `${bad ? "bad" : "good"}${index}`, content: bad ? damaged : sound };
    });
    server = await serveArtifacts(all);
    for (let round = 0; round < 4; round += 1) {
      const cwd = emptyFolder();
      const ran = await runBuilt(["artifact", "download", "--run", "20"], { cwd, env: server.env });
      expect(ran).toMatchObject({ code: 11, signal: null });
      for (const { name } of all.filter((one) => one.name.startsWith("good"))) {
        expect(ran.stderr).toContain(`Downloaded ${name}`);
        expect(readFileSync(join(cwd, name, "big.txt")).equals(text)).toBe(true);
      }
      expect(ran.stderr.match(/damaged at 'big\.txt'/g)).toHaveLength(6);
      expect(ran.stderr).not.toContain("bug in tongs");
      expect(namesIn(cwd).every((name) => name.startsWith("good"))).toBe(true);
    }
  });
});

describe("interrupted unpacking", () => {
  it("removes unpacked files, keeps the archive, and is completed by the same command", async () => {
    const line = `${randomBytes(100).toString("hex")}\n`;
    const large = Buffer.from(line.repeat(Math.ceil((200 * 1024 * 1024) / line.length)));
    server = await serveArtifacts([{ id: 14, name: "docs", content: zip([{ name: "big.txt", content: large }]) }]);
    const cwd = emptyFolder();
    const out = join(cwd, "out");
    mkdirSync(out);
    const args = ["artifact", "download", "14", "--dir", "out", "--max-ratio", "2000"];
    const { child, ended } = await startBuilt(args, { cwd, env: server.env });
    for (let size = 0; size < 5 * 1024 * 1024; await pause(2)) {
      expect(child.exitCode).toBeNull();
      size = filesNamed("big.txt", out).reduce(
        (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
        0,
      );
    }
    child.kill("SIGINT");
    const ran = await ended;
    expect(ran).toMatchObject({ code: 130 });
    expect(ran.stderr).not.toContain("Unexpected");
    expect(filesNamed("big.txt", out)).toEqual([]);
    expect(scratchIn(out).names).toEqual(["archive.part", "archive.part.json", "scratch.json"]);
    expect(await runBuilt(args, { cwd, env: server.env })).toMatchObject({ code: 0 });
    expect(server.storage.seen).toHaveLength(1);
    expect(readFileSync(join(out, "big.txt")).equals(large)).toBe(true);
    expect(scratchesIn(out)).toEqual([]);
    expect(existsSync(join(out, "big.txt"))).toBe(true);
  });
});
