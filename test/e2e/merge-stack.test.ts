import { execFile } from "node:child_process";
import { existsSync, readdirSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { testSandbox } from "../sandbox/with-sandbox.ts";
import { emptyFolder, startBuilt } from "./built.ts";

const repo = "/repos/mara/logs";
const sandbox = await testSandbox();
let env: Record<string, string>;
beforeAll(async () => {
  const identity = { GIT_AUTHOR_NAME: "Mara", GIT_AUTHOR_EMAIL: "mara@example.org" };
  const committer = { GIT_COMMITTER_NAME: "Mara", GIT_COMMITTER_EMAIL: "mara@example.org" };
  const server = { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("mara"), TONGS_REPO: "mara/logs" };
  env = { ...server, ...identity, ...committer, TMPDIR: emptyFolder() };
  await sandbox.ask("POST", "/user/repos", "mara", { name: "logs", auto_init: true, default_branch: "main" });
  for (const [name, base] of [
    ["keel", "main"],
    ["mast", "keel"],
    ["sail", "mast"],
  ] as const) {
    const file = { content: "eA==", message: name, branch: base, new_branch: name };
    await sandbox.ask("POST", `${repo}/contents/${name}.txt`, "mara", file);
    await sandbox.ask("POST", `${repo}/pulls`, "mara", { title: name, head: name, base });
  }
});

const bases = async () => {
  const pulls = (await sandbox.ask("GET", `${repo}/pulls?state=all&sort=oldest`, "mara")).body as {
    readonly number: number;
    readonly merged: boolean;
    readonly base: { readonly ref: string };
  }[];
  return Object.fromEntries(pulls.map(({ number, merged, base }) => [number, `${base.ref} ${merged}`]));
};

/** Resolves when something is made in an empty folder. */
const madeIn = (folder: string) =>
  new Promise<void>((resolve) => {
    const watcher = watch(folder, () => {
      watcher.close();
      resolve();
    });
  });

describe.skipIf(process.platform === "win32")("pr merge --stack that is interrupted during a rebase", () => {
  it("leaves the clone as it was, says so, and goes on when it is run again", async () => {
    const clone = join(emptyFolder(), "logs");
    expect(await startBuilt(["repo", "clone", "mara/logs", clone], { env }).ended).toBe(0);
    const git = async (...words: string[]) => (await promisify(execFile)("git", words, { cwd: clone })).stdout.trim();
    await git("switch", "-q", "sail");
    const hooks = join(clone, ".git/hooks");
    const signs = emptyFolder();
    const hook = join(hooks, "pre-rebase");
    writeFileSync(hook, `#!/bin/sh\ncd '${signs}' && touch rebasing\nwhile [ -e rebasing ]; do sleep 1; done\n`, {
      mode: 0o755,
    });
    const state = async () => ({
      branches: await git("for-each-ref", "refs/heads", "refs/tongs"),
      worktrees: await git("worktree", "list"),
      entries: existsSync(join(clone, ".git/worktrees")) ? readdirSync(join(clone, ".git/worktrees")) : [],
      head: await git("symbolic-ref", "HEAD"),
      changes: await git("status", "--porcelain"),
    });
    const before = await state();
    const line = ["pr", "merge", "3", "--stack", "--style", "squash", "--yes"];
    const rebasing = madeIn(signs);
    const running = startBuilt(line, { cwd: clone, env });
    await Promise.race([rebasing, running.ended]);
    running.kill("SIGINT");
    const ended = await running.ended;
    rmSync(join(signs, "rebasing"));
    expect([ended, running.stderr()]).toEqual([130, expect.stringContaining("Merged mara/logs#1 into main (squash)")]);
    expect(running.stderr()).toContain(
      "The rebase was stopped, and nothing pushed. Your clone and its branches are as",
    );
    expect(running.stderr()).toContain("Merged 1 of 3. When it can go on, run the same command again.");
    expect(await state()).toEqual(before);
    expect(readdirSync(env["TMPDIR"] ?? "").filter((name) => name.startsWith("tongs-worktree-"))).toEqual([]);
    expect(await bases()).toEqual({ 1: "main true", 2: "keel false", 3: "mast false" });
    writeFileSync(hook, "#!/bin/sh\n", { mode: 0o755 });
    const again = startBuilt(line, { cwd: clone, env });
    expect([await again.ended, again.stderr()]).toEqual([
      0,
      expect.stringContaining("Merged mara/logs#3 into main (squash)"),
    ]);
    expect(await bases()).toEqual({ 1: "main true", 2: "main true", 3: "main true" });
    expect(await state()).toEqual(before);
  });
});
