import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
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

  it.skipIf(process.platform === "win32")(
    "by a pipe is held, also if the error of a second one does not say so",
    async () => {
      // Here the path of the pipe is the name of a socket file in the current folder.
      const before = process.cwd();
      process.chdir(mkdtempSync(join(folder, "pipe-")));
      const emit = EventEmitter.prototype.emit;
      let failed = 0;
      const unclear = vi.spyOn(Server.prototype as EventEmitter, "emit");
      unclear.mockImplementation(function (this: EventEmitter, event, ...args) {
        if (event !== "error") return Reflect.apply(emit, this, [event, ...args]);
        failed += 1;
        return Reflect.apply(emit, this, [event, new Error("Failed to listen")]);
      });
      try {
        // Both find nobody at the address, and only one of them can create it.
        const both = await Promise.all([lock("name", "win32"), lock("name", "win32")]);
        expect(both.filter((one) => one !== undefined)).toHaveLength(1);
        expect(failed).toBe(1);
        expect(await lock("name", "win32")).toBeUndefined();
        for (const one of both) one?.release();
        const again = await lock("name", "win32");
        expect(again).toBeDefined();
        again?.release();
      } finally {
        unclear.mockRestore();
        process.chdir(before);
      }
    },
  );

  it("is always granted where no socket can be created", async () => {
    const long = join(folder, "n".repeat(200));
    mkdirSync(long);
    expect(await lock("name", "darwin", long)).toBeDefined();
    expect(await lock("name", "darwin", join(folder, "nowhere"))).toBeDefined();
  });
});
