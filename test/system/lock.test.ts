import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lock } from "../../src/system/lock.ts";

const folder = mkdtempSync(join(tmpdir(), "tongs-lock-"));

describe.each([
  ["an abstract address", "linux"],
  ["a socket file", "darwin"],
] as const)("a lock by %s", (_what, system) => {
  it.skipIf(system === "linux" && process.platform !== "linux")(
    "is held by one owner until it is released",
    async () => {
      const name = `${folder} ${system}`;
      const first = await lock(name, system, folder);
      expect(first).toBeDefined();
      expect(await lock(name, system, folder)).toBeUndefined();
      const other = await lock(`${name} other`, system, folder);
      expect(other).toBeDefined();
      other?.release();
      first?.release();
      const again = await lock(name, system, folder);
      expect(again).toBeDefined();
      again?.release();
    },
  );
});

describe("a lock", () => {
  it("is free after its owner was killed, though the socket file remains", async () => {
    const own = mkdtempSync(join(folder, "killed-"));
    const probe = await lock("name", "darwin", own);
    const [file = ""] = readdirSync(own);
    probe?.release();
    const listen = `require("node:net").createServer().listen(${JSON.stringify(join(own, file))}, () => console.log("held"))`;
    const child = spawn(process.execPath, ["-e", listen], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    expect(await lock("name", "darwin", own)).toBeUndefined();
    child.kill("SIGKILL");
    await once(child, "close");
    expect(readdirSync(own)).toEqual([file]);
    const taken = await lock("name", "darwin", own);
    expect(taken).toBeDefined();
    expect(await lock("name", "darwin", own)).toBeUndefined();
    taken?.release();
  });

  it("is always granted where no socket can be created", async () => {
    const long = join(folder, "n".repeat(200));
    mkdirSync(long);
    expect(await lock("name", "darwin", long)).toBeDefined();
    expect(await lock("name", "darwin", join(folder, "nowhere"))).toBeDefined();
  });
});
