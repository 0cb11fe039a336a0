import { execFileSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBeside, readBeside } from "../../src/system/open-beside.ts";

describe.skipIf(process.platform === "win32")("a file beside one that the user named", () => {
  const folder = mkdtempSync(join(tmpdir(), "tongs-test-"));
  const [secret, link, dangling, pipe] = ["secret", "link", "dangling", "pipe"].map((name) => join(folder, name));
  writeFileSync(`${secret}`, "secret");
  symlinkSync(`${secret}`, `${link}`);
  symlinkSync(join(folder, "elsewhere"), `${dangling}`);
  execFileSync("mkfifo", [`${pipe}`]);

  it("is not opened through a link, in any way", () => {
    for (const way of ["r", "r+", "a"] as const) expect(() => openBeside(`${link}`, way)).toThrow(/ELOOP/);
    for (const way of ["a", "wx"] as const) expect(() => openBeside(`${dangling}`, way)).toThrow(/ELOOP|EEXIST/);
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
    expect(readFileSync(`${secret}`, "utf8")).toBe("secret");
  });

  it("is not a pipe, which nobody waits for", () => {
    expect(() => readBeside(`${pipe}`)).toThrow("is not a regular file");
  });

  it("is created, appended to and read", () => {
    const path = join(folder, "new");
    closeSync(openBeside(path, "wx", 0o600));
    const file = openBeside(path, "a");
    writeFileSync(file, "one");
    closeSync(file);
    expect(readBeside(path).toString()).toBe("one");
  });
});
