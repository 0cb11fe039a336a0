import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readLimited, readStart } from "../../src/system/read-limited.ts";

describe.skipIf(!existsSync("/dev/zero"))("reading a file", () => {
  const pipe = join(mkdtempSync(join(tmpdir(), "tongs-test-")), "pipe");
  execFileSync("mkfifo", [pipe]);
  const { signal } = new AbortController();

  it("ends at the limit, though a device has no end", async () => {
    await expect(readLimited("/dev/zero", { limit: 100_000, isRegular: false, signal })).rejects.toThrow(
      "has more than 98",
    );
    expect(await readStart("/dev/zero", { limit: 100_000, isRegular: false, signal })).toHaveLength(100_001);
    expect(await readLimited(import.meta.filename, { limit: 100_000, isRegular: true, signal })).not.toHaveLength(0);
  });

  it("that another file names takes no device, and waits for no pipe", async () => {
    for (const path of ["/dev/zero", pipe])
      await expect(readLimited(path, { limit: 10, isRegular: true, signal })).rejects.toThrow("not a regular file");
  });

  it("that the user names takes a pipe", async () => {
    spawn("sh", ["-c", `printf text > ${pipe}`]);
    expect(String(await readLimited(pipe, { limit: 4, isRegular: false, signal }))).toBe("text");
  });

  it("ends the wait for what a pipe gets with the signal, before and after a writer opens it", async () => {
    for (const command of ["true", `sleep 9 > ${pipe}`]) {
      const stopped = new AbortController();
      const writer = spawn("sh", ["-c", `exec ${command}`]);
      const reading = readLimited(pipe, { limit: 4, isRegular: false, signal: stopped.signal });
      setTimeout(() => stopped.abort(new Error("stopped")), 200);
      await expect(reading).rejects.toThrow("stopped");
      writer.kill();
    }
  });

  it("reads all of a large pipe, and nothing of an empty one", async () => {
    for (const [command, size] of [["head -c 300000 /dev/zero", 300_000] as const, ["true", 0] as const]) {
      spawn("sh", ["-c", `${command} > ${pipe}`]);
      expect(await readLimited(pipe, { limit: 400_000, isRegular: false, signal })).toHaveLength(size);
    }
  });
});
