import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AccountServer, accountServer } from "../commands/user/import/forge.ts";
import { shellProgram } from "./built.ts";
import { importFolder, line, plain, sentTo } from "./import-folder.ts";

let server: AccountServer;
const setUp = (content: string) => importFolder(content, () => server);
const sent = () => sentTo(server);

describe("user import from stdin or a pipe", () => {
  const rows = 300;

  it.each([
    ["a process substitution", "tongs user import <(cat people.csv) --format csv"],
    ["/dev/stdin", "cat people.csv | tongs user import /dev/stdin --format csv"],
    ["a FIFO", "mkfifo pipe.csv && (cat people.csv > pipe.csv &) && tongs user import pipe.csv"],
  ])("imports all rows from %s", async (_what, typed) => {
    server = await accountServer();
    const { cwd, run, passwordLines } = setUp(plain(rows));
    const { code, stderr } = await run(`${typed} --generate-passwords passwords.csv --jobs 32`);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${rows} created`)]);
    expect(server.made).toHaveLength(rows);
    expect(passwordLines()).toEqual(sent());
    expect(readdirSync(cwd).filter((name) => /row|stdin/.test(name))).toEqual([]);
  });
});

describe("the passwords of user import", () => {
  const mounts = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
  it.skipIf(!mounts)(
    "are named when the disk is full, and nobody is created (skipped if a small file system cannot be mounted)",
    async () => {
      server = await accountServer();
      const { cwd, run } = setUp(plain(200));
      mkdirSync(join(cwd, "small"));
      const typed = [
        "mount -t tmpfs -o size=8k none small",
        "head -c 4096 /dev/zero > small/filler",
        `${shellProgram} user import people.csv --generate-passwords small/passwords.csv`,
      ];
      const { code, stderr } = await run(`unshare -rm bash -c '${typed.join(" && ")}'`);
      expect(stderr).toContain("small/passwords.csv: no space left on device (ENOSPC)");
      expect([code, server.made]).toEqual([1, []]);
    },
  );

  it("are locked while an import runs or is suspended", async () => {
    let created = 0;
    let reached = () => {};
    const many = new Promise<void>((resolve) => {
      reached = resolve;
    });
    server = await accountServer(async ({ method }) => {
      if (method === "POST") created += 1;
      if (created === 60) reached();
      await new Promise((resolve) => setTimeout(resolve, 10));
      return undefined;
    });
    const { start, run, text, passwordLines } = setUp(plain(150));
    const first = start(line);
    await many;
    first.kill("SIGSTOP");
    const before = text("passwords.csv");
    const second = await run(line);
    expect(text("passwords.csv")).toBe(before);
    first.kill("SIGCONT");
    expect([await first.ended, first.stderr()]).toEqual([0, expect.stringContaining("150 created")]);
    expect(second).toMatchObject({ code: 9, stderr: expect.stringContaining("Another command is using ") });
    expect(passwordLines()).toEqual(sent());
    expect(server.made).toHaveLength(150);
  });
});
