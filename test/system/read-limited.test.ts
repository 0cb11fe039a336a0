import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readLimited, readStart } from "../../src/system/read-limited.ts";

describe.skipIf(!existsSync("/dev/zero"))("reading a file", () => {
  const pipe = join(mkdtempSync(join(tmpdir(), "tongs-test-")), "pipe");
  execFileSync("mkfifo", [pipe]);

  it("ends at the limit, though a device has no end", async () => {
    await expect(readLimited("/dev/zero", { limit: 100_000, isRegular: false })).rejects.toThrow("has more than 98");
    expect(await readStart("/dev/zero", { limit: 100_000, isRegular: false })).toHaveLength(100_001);
    expect(await readLimited(import.meta.filename, { limit: 100_000, isRegular: true })).not.toHaveLength(0);
  });

  it("that another file names takes no device, and waits for no pipe", async () => {
    for (const path of ["/dev/zero", pipe])
      await expect(readLimited(path, { limit: 10, isRegular: true })).rejects.toThrow("not a regular file");
  });

  it("that the user names takes a pipe", async () => {
    spawn("sh", ["-c", `printf text > ${pipe}`]);
    expect(String(await readLimited(pipe, { limit: 4, isRegular: false }))).toBe("text");
  });
});
