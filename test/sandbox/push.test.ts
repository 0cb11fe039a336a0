import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestSandbox, testSandbox } from "./with-sandbox.ts";

const run = promisify(execFile);
let sandbox: TestSandbox;
const folder = mkdtempSync(join(tmpdir(), "tongs-push-"));
const identity = { GIT_AUTHOR_NAME: "Mara Lind", GIT_AUTHOR_EMAIL: "mara@example.org" };
const env = {
  ...process.env,
  ...identity,
  GIT_COMMITTER_NAME: "Mara Lind",
  GIT_COMMITTER_EMAIL: "mara@example.org",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
  GIT_TERMINAL_PROMPT: "0",
};

beforeAll(async () => {
  sandbox = await testSandbox();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs git and returns its output on both streams and whether it succeeded. */
async function git(cwd: string, ...args: string[]): Promise<{ ok: boolean; said: string }> {
  try {
    const { stdout, stderr } = await run("git", args, { cwd, env });
    return { ok: true, said: stdout + stderr };
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return { ok: false, said: stdout + stderr };
  }
}

const address = (repo: string, login = "", secret = "") =>
  `${sandbox.url.replace("://", login === "" ? "://" : `://${login}:${secret}@`)}/${repo}.git`;
const asToken = (repo: string, login: string) => address(repo, login, sandbox.token(login));

async function clone(name: string, from = address("mara/harbor")): Promise<string> {
  const { ok, said } = await git(folder, "clone", "--quiet", from, name);
  expect([ok, said]).toEqual([true, ""]);
  return join(folder, name);
}

async function commit(dir: string, file: string, text: string): Promise<string> {
  writeFileSync(join(dir, file), text);
  await git(dir, "add", file);
  await git(dir, "commit", "--quiet", "-m", `Change ${file}`);
  return (await git(dir, "rev-parse", "HEAD")).said.trim();
}

test("a large push, sent compressed and chunked, arrives complete", async () => {
  const dir = await clone("large");
  const text = Array.from({ length: 60_000 }, (_line, number) => `${number} ${Math.sin(number)}`).join("\n");
  const tip = await commit(dir, "large.txt", text);
  expect(await git(dir, "push", asToken("mara/harbor", "mara"), "HEAD:large")).toMatchObject({ ok: true });
  const again = await clone("large-again");
  expect((await git(again, "rev-parse", "origin/large")).said.trim()).toBe(tip);
});

test("an anonymous user, a reader, a wrong password and a token without the scope cannot push", async () => {
  const dir = await clone("refused");
  await commit(dir, "log.txt", "refused");
  const basic = Buffer.from("mara:not-a-secret-mara").toString("base64");
  const response = await fetch(`${sandbox.url}/api/v1/users/mara/tokens`, {
    method: "POST",
    headers: { Authorization: `Basic ${basic}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "reader", scopes: ["read:repository"] }),
  });
  const { sha1 } = (await response.json()) as { sha1: string };
  for (const to of [
    address("mara/harbor"),
    asToken("mara/harbor", "tomas"),
    address("mara/harbor", "mara", "wrong"),
    address("mara/harbor", "mara", sha1),
  ]) {
    expect(await git(dir, "push", to, "HEAD:refused")).toMatchObject({ ok: false });
  }
  expect(await sandbox.ask("GET", "/repos/mara/harbor/branches/refused")).toMatchObject({ status: 404 });
});

test("a private repository is only available to users with access", async () => {
  expect(await git(folder, "ls-remote", address("jonas/notes"))).toMatchObject({ ok: false });
  expect(await git(folder, "ls-remote", asToken("jonas/notes", "mara"))).toMatchObject({ ok: false });
  expect(await git(folder, "ls-remote", asToken("jonas/notes", "jonas"))).toMatchObject({ ok: true });
});

test("a protected branch rejects a forbidden push with Gitea's message", async () => {
  const rule = {
    rule_name: "release/*",
    enable_push: true,
    enable_push_whitelist: true,
    push_whitelist_usernames: ["mara"],
  };
  await sandbox.ask("POST", "/repos/mara/harbor/branches", "mara", { new_branch_name: "release/1" });
  expect(await sandbox.ask("POST", "/repos/mara/harbor/branch_protections", "mara", rule)).toMatchObject({
    status: 201,
  });
  const dir = await clone("protected");
  await commit(dir, "log.txt", "protected");
  const byJonas = await git(dir, "push", asToken("mara/harbor", "jonas"), "HEAD:release/1");
  expect(byJonas).toMatchObject({
    ok: false,
    said: expect.stringContaining("Not allowed to push to protected branch release/1"),
  });
  expect(await git(dir, "push", asToken("mara/harbor", "mara"), "HEAD:release/1")).toMatchObject({ ok: true });
  const forced = await git(dir, "push", "--force", asToken("mara/harbor", "mara"), "HEAD~2:release/1");
  expect(forced).toMatchObject({ ok: false, said: expect.stringContaining("protected from force push") });
  const deleted = await git(dir, "push", "--delete", asToken("mara/harbor", "mara"), "release/1");
  expect(deleted).toMatchObject({ ok: false, said: expect.stringContaining("protected from deletion") });
});

test("an unprotected branch can be force-pushed and deleted, the default branch cannot be deleted", async () => {
  const dir = await clone("forced");
  const to = asToken("mara/harbor", "mara");
  expect(await git(dir, "push", to, "HEAD:loose")).toMatchObject({ ok: true });
  expect(await git(dir, "push", "--force", to, "HEAD~1:loose")).toMatchObject({ ok: true });
  expect(await git(dir, "push", "--delete", to, "loose")).toMatchObject({ ok: true });
  expect(await git(dir, "push", "--delete", to, "main")).toMatchObject({ ok: false });
});

test("a renamed repository redirects from its old name, also for git", async () => {
  await sandbox.ask("POST", "/user/repos", "priya", { name: "old-name", auto_init: true });
  await sandbox.ask("PATCH", "/repos/priya/old-name", "priya", { name: "new-name" });
  expect(await git(folder, "clone", "--quiet", address("priya/old-name"), "renamed")).toMatchObject({ ok: true });
});

test("an archived repository can be cloned but not pushed to", async () => {
  await sandbox.ask("POST", "/user/repos", "priya", { name: "museum", auto_init: true });
  await sandbox.ask("PATCH", "/repos/priya/museum", "priya", { archived: true });
  const dir = await clone("museum", address("priya/museum"));
  const pushed = await git(dir, "push", asToken("priya/museum", "priya"), "HEAD:other");
  expect(pushed).toMatchObject({ ok: false });
});
