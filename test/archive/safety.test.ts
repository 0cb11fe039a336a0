import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkEntryCount } from "../../src/archive/limits.ts";
import { safePath } from "../../src/archive/safe-path.ts";
import { type ZipEntry, zip } from "../support/zip.ts";
import { tree, unpack } from "./unpacked.ts";

const good: ZipEntry = { name: "good.txt", content: "good" };

describe("unpacking", () => {
  it.each([
    ["a parent folder", { name: "../evil" }, "'../evil' (outside the directory)"],
    ["a parent folder inside a path", { name: "a/../../evil" }, "outside the directory"],
    ["parent folders with backslashes", { name: "a\\..\\..\\evil" }, "outside the directory"],
    ["a parent folder with spaces", { name: ".. /evil" }, "outside the directory"],
    ["an absolute path", { name: "/etc/evil" }, "'/etc/evil' (an absolute path)"],
    ["a network path", { name: "\\\\host\\evil" }, "an absolute path"],
    ["a drive letter", { name: "C:\\evil" }, "a drive letter"],
    ["a NUL", { name: "evil\0.txt" }, "a NUL in the name"],
    ["a symbolic link", { name: "link", content: "/etc", mode: 0o120777 }, "'link' (a symbolic link)"],
    ["a device", { name: "dev", mode: 0o020666 }, "not a regular file"],
    ["an encrypted entry", { name: "secret", flags: 1 }, "'secret' (encrypted)"],
    ["a long file name", { name: "n".repeat(256) }, "a file name that is too long"],
    ["an empty name", { name: "" }, "an empty name"],
    ["an unsupported compression method", { name: "odd", content: "x", method: 12 }, "compression method 12"],
  ] satisfies [string, ZipEntry, string][])("refuses %s and writes nothing", async (_what, entry, words) => {
    const { into, error } = await unpack(zip([good, entry]));
    expect(error).toMatchObject({ code: "unsafe_archive", message: expect.stringContaining(words) });
    expect(existsSync(into) ? tree(into) : {}).toEqual({});
    expect(readdirSync(dirname(into)).filter((name) => name !== "out")).toEqual(["it.zip"]);
  });

  it("refuses a duplicate entry", async () => {
    const { error } = await unpack(zip([good, { name: "good.txt", content: "other" }]));
    expect(error).toMatchObject({ code: "unsafe_archive", message: expect.stringContaining("'good.txt'") });
  });

  it("refuses a file with the path of a folder", async () => {
    for (const names of [
      ["a", "a/b"],
      ["a/b/c", "a"],
      ["a", "a/"],
      ["a/./b", "a/b"],
    ]) {
      const { error } = await unpack(zip(names.map((name) => ({ name }))));
      expect(error).toMatchObject({ code: "unsafe_archive", message: expect.stringContaining("duplicate paths") });
    }
  });

  it("warns about files that differ only in case, and keeps both if the file system can", async () => {
    const { into, error, warnings } = await unpack(
      zip([
        { name: "Read", content: "1" },
        { name: "read", content: "2" },
      ]),
    );
    if (existsSync(join(into, "READ"))) expect(error).toMatchObject({ code: "unsafe_archive" });
    else expect(tree(into)).toEqual({ Read: "1", read: "2" });
    expect(warnings.join()).toContain("'read'");
  });

  it("changes device names on Windows, and warns about it", async () => {
    const bytes = zip([{ name: "aux.c" }, { name: "sub/CON" }, { name: "console.log" }]);
    const elsewhere = await unpack(bytes);
    expect(Object.keys(tree(elsewhere.into)).sort()).toEqual(["aux.c", "console.log", "sub/", "sub/CON"]);
    expect(elsewhere.warnings).toEqual([]);
    const { into, warnings } = await unpack(bytes, { windows: true });
    expect(Object.keys(tree(into)).sort()).toEqual(["aux_.c", "console.log", "sub/", "sub/CON_"]);
    expect(warnings.join()).toContain("'aux.c' as 'aux_.c'");
  });

  it("treats backslashes as separators and warns about it", async () => {
    const { into, warnings } = await unpack(zip([{ name: "docs\\guide.md", content: "g" }]));
    expect(tree(into)).toEqual({ "docs/": "", "docs/guide.md": "g" });
    expect(warnings.join()).toContain("'docs\\guide.md' as 'docs/guide.md'");
  });

  it.each([
    ["con .txt", "con_ .txt"],
    ["NUL ", "NUL__"],
    ["sub/Com1 .tar.gz", "sub/Com1_ .tar.gz"],
    ["con:stream", "con_stream"],
    ["contents", "contents"],
  ])("does not let '%s' be a device of Windows", (name, path) => {
    expect(safePath(name, true)).toMatchObject({ path });
  });

  it("changes names that Windows does not allow, on Windows only", () => {
    expect(safePath("a/b:c?.txt", true)).toEqual({ path: "a/b_c_.txt", renamed: true });
    expect(safePath("end. /x", true)).toEqual({ path: "end._/x", renamed: true });
    expect(safePath("a/b:c?.txt", false)).toEqual({ path: "a/b:c?.txt", renamed: false });
  });

  it("keeps backslashes in names from git, and refuses them on Windows", () => {
    expect(safePath("docs\\guide.md", false, "git")).toEqual({ path: "docs\\guide.md", renamed: false });
    expect(safePath("docs\\guide.md", true, "git")).toEqual({ refused: "a backslash in the name" });
    expect(safePath("..\\up", true, "git")).toEqual({ refused: "a backslash in the name" });
    expect(safePath("docs/../../up", false, "git")).toEqual({ refused: "outside the directory" });
  });

  it("refuses an archive that would unpack to too much, by ratio and by size, unless the limit is raised", async () => {
    const bomb = zip([good, { name: "zeros", content: Buffer.alloc(70 * 1024 * 1024) }]);
    const limits = { size: 1024 ** 4, ratio: 200 };
    const ratio = await unpack(bomb, { limits });
    expect(ratio.error).toMatchObject({ code: "unsafe_archive", hint: expect.stringContaining("--max-ratio") });
    const size = await unpack(bomb, { limits: { size: 1024 * 1024, ratio: 10_000 } });
    expect(size.error).toMatchObject({ code: "unsafe_archive", hint: expect.stringContaining("--max-size") });
    expect((size.error as Error).message).toContain("'zeros' with 70 MiB");
    expect((await unpack(bomb, { limits: { ...limits, ratio: 2000 } })).error).toBeUndefined();
  });

  it("follows no existing link", async () => {
    const outside = { into: "" };
    const { into, error } = await unpack(zip([{ name: "sub/evil", content: "x" }]), {
      before(folder) {
        outside.into = join(dirname(folder), "outside");
        mkdirSync(folder);
        mkdirSync(outside.into);
        symlinkSync(outside.into, join(folder, "sub"));
      },
      onExisting: "overwrite",
    });
    expect(error).toMatchObject({ code: "unsafe_archive", message: expect.stringContaining("is a symbolic link") });
    expect(readdirSync(outside.into)).toEqual([]);
    expect(readdirSync(into)).toEqual(["sub"]);
  });

  it("replaces a link, never the file it points to", async () => {
    const { into, error } = await unpack(zip([good]), {
      before(folder) {
        mkdirSync(folder);
        writeFileSync(join(folder, "precious"), "precious");
        symlinkSync("precious", join(folder, "good.txt"));
      },
      onExisting: "overwrite",
    });
    expect(error).toBeUndefined();
    expect(tree(into)).toEqual({ "good.txt": "good", precious: "precious" });
  });

  it("uses no existing file as its staging folder, and leaves it alone", async () => {
    const { into, error } = await unpack(zip([good]), {
      before(folder) {
        mkdirSync(folder);
        mkdirSync(join(dirname(folder), "outside"));
        writeFileSync(join(dirname(folder), "outside", "kept"), "kept");
        symlinkSync(join(dirname(folder), "outside"), join(folder, "it.unpacking"));
      },
    });
    expect(error).toMatchObject({ code: "EEXIST" });
    expect(tree(into)).toEqual({ "it.unpacking": "(link)" });
    expect(tree(join(dirname(into), "outside"))).toEqual({ kept: "kept" });
  });

  it.each([
    ".git/hooks/post-checkout",
    "sub/.GIT/config",
    "GIT~1/config",
    ".git. ./config",
    "a\\.git \\config",
    ".git",
    ".g\u200cit/config",
    ".git::$INDEX_ALLOCATION/config",
  ])("refuses a whole archive with %j, and suggests --zip", async (name) => {
    const { into, error } = await unpack(zip([good, { name, content: "x", utf8: true }]));
    expect(error).toMatchObject({
      code: "unsafe_archive",
      message: expect.stringContaining("its config can run programs"),
      hint: expect.stringContaining("--zip"),
    });
    expect(existsSync(into)).toBe(false);
  });

  it.each([
    ["HEAD", "objects/"],
    ["a/Head", "a/OBJECTS/pack/x"],
    ["a/HEAD", "a/commondir"],
    ["a\\HEAD", "a/objects"],
  ])("refuses a bare repository: %j with %j", async (...names) => {
    const { into, error } = await unpack(zip([good, ...names.map((name) => ({ name }))]));
    const reason = expect.stringContaining("a bare git repository");
    expect(error).toMatchObject({ code: "unsafe_archive", message: reason, hint: expect.stringContaining("--zip") });
    expect(existsSync(into)).toBe(false);
  });

  it.each([
    ["a/HEAD", "a/objects/x"],
    ["a/objects", "a/Head"],
  ])("refuses what makes a bare repository of the target: %j is there, and %j comes", async (there, name) => {
    const before = (into: string) => {
      mkdirSync(join(into, "a"), { recursive: true });
      writeFileSync(join(into, there), "");
    };
    const { into, error } = await unpack(zip([good, { name }]), { before });
    expect(error).toMatchObject({ code: "unsafe_archive", message: expect.stringContaining("a bare git repository") });
    expect(Object.keys(tree(into)).filter((path) => !path.endsWith("/"))).toEqual([there]);
    expect((await unpack(zip([good, { name: "b/x" }]), { before })).error).toBeUndefined();
  });

  it("unpacks names that only resemble .git, a bare repository or, except on Windows, a drive", async () => {
    expect(safePath("c:evil", true)).toEqual({ refused: "a drive letter" });
    const alike = ["HEAD", "src/objects/HEAD", "my-objects/x", "src/commondir", "c:evil"];
    const names = [".gitignore", ".github/x", "git/x", "a.git/x", "git~2", ...alike];
    const { into, error } = await unpack(zip(names.map((name) => ({ name, content: "x" }))));
    expect(error).toBeUndefined();
    expect(
      Object.keys(tree(into))
        .filter((name) => !name.endsWith("/"))
        .sort(),
    ).toEqual([...names].sort());
  });

  it("refuses paths that are too long, in bytes or parts, and shortens them in the message", async () => {
    for (const name of [
      "d/".repeat(255) + "x",
      "/".repeat(60_000),
      `${"n".repeat(200)}/`.repeat(21),
      "\\".repeat(300),
    ]) {
      const { error } = await unpack(zip([{ name: "x" }, ...[1, 2, 3].map((one) => ({ name: `${name}${one}` }))]));
      expect(error).toMatchObject({ code: "unsafe_archive", message: expect.stringContaining("the path is too long") });
      expect((error as Error).message.length).toBeLessThan(600);
    }
    const { error } = await unpack(zip([{ name: `${"d/".repeat(254)}x` }, { name: "e/".repeat(255) }]));
    expect(error).toBeUndefined();
  });

  it("shortens a path in the error of the file system", async () => {
    const { error } = await unpack(zip([{ name: `${"n".repeat(254)}/`.repeat(16) + "x" }]));
    expect(error).toMatchObject({ code: "disk", message: expect.stringContaining("file name too long") });
    expect((error as Error).message.length).toBeLessThan(300);
  });

  it("refuses too many entries by the number in the end record, before it reads the directory", async () => {
    for (const zip64 of [true, false]) {
      const bytes = zip([good], { count: zip64 ? 1_000_001 : 1, zip64 });
      const { error } = await unpack(bytes);
      if (zip64) expect(error).toMatchObject({ code: "unsafe_archive", message: expect.stringContaining("1000000") });
      else expect(error).toBeUndefined();
    }
  });

  it("counts the parent folders of each file", () => {
    const deep = Array.from({ length: 20 }, (_, index) => `${index}/${"d/".repeat(9)}x`);
    expect(() => checkEntryCount(deep, [], 220)).not.toThrow();
    expect(() => checkEntryCount(deep, [], 219)).toThrow("more than 219 files and directories");
    expect(() => checkEntryCount([], ["a/b/c", "a/b", "a"], 3)).not.toThrow();
    expect(() => checkEntryCount([], ["a/b/c"], 2)).toThrow("more than 2 files and directories");
  });

  it("leaves the folder as it was when files exist, and replaces or keeps them on request", async () => {
    const archive = zip([good, { name: "sub/new.txt", content: "new" }, { name: "same.txt", content: "same" }]);
    const before = (folder: string) => {
      mkdirSync(folder);
      writeFileSync(join(folder, "good.txt"), "mine");
      writeFileSync(join(folder, "same.txt"), "same");
    };
    const refused = await unpack(archive, { before });
    expect(refused.error).toMatchObject({ code: "exists", message: "A file already exists: 'good.txt'" });
    expect(tree(refused.into)).toEqual({ "good.txt": "mine", "same.txt": "same" });
    const replaced = await unpack(archive, { before, onExisting: "overwrite" });
    expect(tree(replaced.into)).toMatchObject({ "good.txt": "good", "sub/new.txt": "new" });
    const kept = await unpack(archive, { before, onExisting: "keep" });
    expect(tree(kept.into)).toMatchObject({ "good.txt": "mine", "sub/new.txt": "new" });
  });

  it("refuses to replace a folder by a file, and a file by a folder", async () => {
    for (const [name, there] of [
      ["good.txt", "good.txt/x"],
      ["sub/a", "sub"],
    ] as const) {
      const { error } = await unpack(zip([{ name, content: "x" }]), {
        before(folder) {
          mkdirSync(dirname(join(folder, there)), { recursive: true });
          writeFileSync(join(folder, there), "mine");
        },
        onExisting: "overwrite",
      });
      expect(error).toMatchObject({ code: "unsafe_archive" });
    }
  });

  it("stops when interrupted, and leaves no files", async () => {
    const stop = new AbortController();
    const reason = new Error("stopped");
    stop.abort(reason);
    const { into, error } = await unpack(zip([good]), { signal: stop.signal });
    expect(error).toBe(reason);
    expect(tree(into)).toEqual({});
  });

  it("unpacks into a subfolder", async () => {
    const { into } = await unpack(zip([good]), { subfolder: "docs" });
    expect(readFileSync(join(into, "docs", "good.txt"), "utf8")).toBe("good");
    expect(readdirSync(into)).toEqual(["docs"]);
  });
});
