import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/archive/archive.ts";
import { holdFolder } from "../../src/archive/held-folder.ts";
import { moveAll } from "../../src/archive/move.ts";
import { moveIntoPlace } from "../../src/archive/move-into-place.ts";
import { tree } from "./unpacked.ts";

/** Creates a staging folder with unpacked files, a target folder, and a folder outside of it. */
function prepared(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "tongs-place-"));
  const [staging, into, outside] = [join(root, "staging"), join(root, "into"), join(root, "outside")];
  for (const folder of [staging, join(staging, "old"), join(staging, "new"), into, outside]) mkdirSync(folder);
  for (const [path, content] of Object.entries(files)) write(join(staging, "new"), path, content);
  const items = Object.entries(files).map(([path, content]) => ({ path, entry: entryOf(path, content.length) }));
  return { staging, into, outside, plan: { files: items, folders: [] as readonly string[] } };
}

function entryOf(name: string, size: number): Entry {
  return {
    name,
    rawName: Buffer.from(name),
    kind: "file",
    isExecutable: false,
    isEncrypted: false,
    method: 0,
    crc: 0,
    compressedSize: size,
    size,
    offset: 0,
  };
}

function write(folder: string, path: string, content: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), content);
}

describe.each([
  ["folder descriptors", "linux"],
  ["compared inodes", "darwin"],
] as const)("moving files into place with %s", (_what, system) => {
  const options = { subfolder: undefined, onExisting: "overwrite", system } as const;

  it("merges folders and replaces files", async () => {
    const { staging, into, plan } = prepared({ "a/b/1": "new", "a/2": "new", "c/3": "new" });
    write(into, "a/b/0", "old");
    write(into, "a/2", "old");
    await moveIntoPlace(staging, plan, { into, ...options });
    expect(tree(into)).toEqual({
      "a/": "",
      "a/b/": "",
      "c/": "",
      "a/b/0": "old",
      "a/b/1": "new",
      "a/2": "new",
      "c/3": "new",
    });
  });

  it("moves everything back and restores replaced files when an entry is missing at the end", async () => {
    const { staging, into, plan } = prepared({ "a/1": "new", "b/2": "new", "3": "new" });
    write(into, "a/1", "old");
    symlinkSync("a/1", join(into, "3"));
    const more = { ...plan, folders: ["nowhere"] };
    await expect(moveIntoPlace(staging, more, { into, ...options })).rejects.toMatchObject({
      message: "'nowhere' is missing after it was moved into place",
      hint: expect.stringContaining("were moved back"),
    });
    expect(tree(into)).toEqual({ "3": "(link)", "a/": "", "a/1": "old" });
    expect(readlinkSync(join(into, "3"))).toBe("a/1");
    expect(tree(join(staging, "new"))).toEqual({ "3": "new", "a/": "", "a/1": "new", "b/": "", "b/2": "new" });
  });

  it("follows no link that was created after the check, and moves everything back", async () => {
    const { staging, into, outside } = prepared({ "a/1": "x", "sub/2": "x", "sub/3": "x" });
    for (const name of ["a", "sub"]) mkdirSync(join(into, name));
    const [source, target] = [holdFolder(staging, system), holdFolder(into, system)];
    target.stat("sub/2");
    renameSync(join(into, "sub"), join(into, "aside"));
    symlinkSync(outside, join(into, "sub"));
    const moves = ["a/1", "sub/2", "sub/3"].map((to) => ({ from: `new/${to}`, to, replaces: false }));
    const moved = moveAll(moves, { source, target, backup: join(staging, "old") }, async () => undefined);
    await expect(moved).rejects.toMatchObject({
      message: expect.stringContaining("'sub'"),
      hint: expect.stringContaining("were moved back"),
    });
    for (const held of [source, target]) held.close();
    expect(readdirSync(outside)).toEqual([]);
    expect(tree(into)).toEqual({ "a/": "", "aside/": "", sub: "(link)" });
    expect(Object.keys(tree(join(staging, "new"))).sort()).toEqual(["a/", "a/1", "sub/", "sub/2", "sub/3"]);
  });

  it("names the target of a failed move, and moves the others back", async () => {
    const { staging, into } = prepared({ "1": "x", "2": "x" });
    mkdirSync(join(into, "2"));
    const [source, target] = [holdFolder(staging, system), holdFolder(into, system)];
    const moves = ["1", "2"].map((to) => ({ from: `new/${to}`, to, replaces: true }));
    const moved = moveAll(moves, { source, target, backup: join(staging, "old") }, async () => undefined);
    await expect(moved).rejects.toMatchObject({ code: "disk", message: expect.stringContaining("'2'") });
    for (const held of [source, target]) held.close();
    expect(tree(into)).toEqual({ "2/": "" });
  });

  it("replaces no file that was created after the check", async () => {
    const { staging, into } = prepared({ "1": "x" });
    const [source, target] = [holdFolder(staging, system), holdFolder(into, system)];
    writeFileSync(join(into, "1"), "mine");
    const moves = [{ from: "new/1", to: "1", replaces: false }];
    const moved = moveAll(moves, { source, target, backup: join(staging, "old") }, async () => undefined);
    await expect(moved).rejects.toMatchObject({ code: "exists", message: "A file already exists: '1'" });
    for (const held of [source, target]) held.close();
    expect(tree(into)).toEqual({ "1": "mine" });
  });
});
