import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { chmodSync, linkSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { lock } from "../../src/system/lock.ts";
import { bundleFile } from "../support/bundle.ts";

const folder = mkdtempSync(join(tmpdir(), "tongs-lock-"));

describe.each([
  ["where /proc has its folder", "linux", "short"],
  ["in a folder with a long path", "linux", "n".repeat(200)],
] as const)("a lock %s", (_what, system, name) => {
  it.skipIf(process.platform !== "linux")("is held by one owner until it is released, and leaves nothing", async () => {
    const own = join(folder, name);
    const first = await lock("name", system, own);
    expect(first).toBeDefined();
    expect(await lock("name", system, own)).toBeUndefined();
    const other = await lock("other", system, own);
    expect(other).toBeDefined();
    other?.release();
    first?.release();
    const again = await lock("name", system, own);
    expect(again).toBeDefined();
    again?.release();
    expect([readdirSync(own), statSync(own).mode & 0o777]).toEqual([[], 0o700]);
  });
});

describe("a lock", () => {
  const holder = async (own: string) => {
    const dir = mkdtempSync(join(folder, "holder-"));
    await bundleFile(join(import.meta.dirname, "lock-holder.ts"), { dir, format: "cjs", minify: true });
    const child = spawn(process.execPath, [join(dir, "lock-holder.js"), own], { stdio: ["ignore", "pipe", "inherit"] });
    const [text] = await once(child.stdout, "data");
    return { child, said: String(text).trim() };
  };

  it.skipIf(process.platform === "win32")(
    "is kept by a stopped process, free after it was killed, and what that left is removed",
    async () => {
      const own = mkdtempSync(join(folder, "killed-"));
      const { child, said } = await holder(own);
      expect(said).toBe("held");
      child.kill("SIGSTOP");
      expect(await lock("name", undefined, own)).toBeUndefined();
      child.kill("SIGKILL");
      await once(child, "close");
      expect(readdirSync(own)).toHaveLength(1);
      const taken = await lock("name", undefined, own);
      expect([taken !== undefined, await lock("name", undefined, own)]).toEqual([true, undefined]);
      taken?.release();
      expect(readdirSync(own)).toEqual([]);
    },
  );

  it.skipIf(process.platform === "win32")(
    "has one owner of many that want it at once after one was killed",
    async () => {
      const digest = createHash("sha256").update("name").digest("hex").slice(0, 16);
      const own = mkdtempSync(join(folder, "many-"));
      for (let round = 0; round < 20; round += 1) {
        const dead = createServer().listen(join(own, "dead"));
        await once(dead, "listening");
        for (const name of [digest, `${digest}.00000000`]) linkSync(join(own, "dead"), join(own, name));
        dead.close();
        await once(dead, "close");
        const all = await Promise.all(Array.from({ length: 20 }, () => lock("name", undefined, own)));
        expect(all.filter((one) => one !== undefined)).toHaveLength(1);
        for (const one of all) one?.release();
        expect(readdirSync(own)).toEqual([]);
      }
    },
  );

  it.skipIf(process.platform === "win32")("is had by each of many that try again until they have it", async () => {
    const own = mkdtempSync(join(folder, "turns-"));
    const turn = async (): Promise<void> => {
      const held = await lock("name", undefined, own);
      if (held === undefined) return setTimeout(1).then(turn);
      held.release();
    };
    await Promise.all(Array.from({ length: 50 }, turn));
    expect(readdirSync(own)).toEqual([]);
  });

  it.skipIf(process.platform !== "linux")(
    "cannot be taken by others, who can listen at any abstract address",
    async () => {
      const own = mkdtempSync(join(folder, "others-"));
      const digest = createHash("sha256").update("name").digest("hex").slice(0, 32);
      const squatter = createServer().listen(`\0tongs-${digest}`);
      await once(squatter, "listening");
      chmodSync(own, 0o777);
      const held = await lock("name", undefined, own);
      expect([held !== undefined, statSync(own).mode & 0o777]).toEqual([true, 0o700]);
      held?.release();
      squatter.close();
    },
  );

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
    writeFileSync(join(folder, "file"), "");
    for (let time = 0; time < 2; time += 1) expect(await lock("name", undefined, join(folder, "file"))).toBeDefined();
  });
});
