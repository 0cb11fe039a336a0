import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testSandbox } from "../../sandbox/with-sandbox.ts";
import { emptyFolder, type Ran, tongs } from "../../support/tongs.ts";

/** Fills `ROOT/OWNER/NAME.git` from the sandbox: what an SSH server would serve. */
let root: string;
const sandbox = await testSandbox();
let cwd: string;
let calls: string;

beforeAll(async () => {
  root = emptyFolder();
  const fork = await sandbox.ask("POST", "/repos/mara/harbor/forks", "jonas", {});
  expect(fork.status).toBe(202);
  for (const name of ["mara/harbor", "jonas/harbor"]) {
    const url = sandbox.url.replace("//", `//mara:${sandbox.token("mara")}@`);
    await git(root, "clone", "-q", "--bare", `${url}/${name}.git`, join(root, `${name}.git`));
  }
});
beforeEach(() => {
  cwd = emptyFolder();
  calls = join(cwd, "ssh-calls");
});

/** An ssh that runs the command on this machine, and writes down what it was asked. */
function sshCommand(): string {
  const script = join(cwd, "ssh");
  const lines = ["#!/bin/sh", `printf '%s\\n' "$*" >> ${calls}`, "for last; do :; done", `cd ${root} && eval "$last"`];
  writeFileSync(script, `${lines.join("\n")}\n`, { mode: 0o755 });
  return script;
}

async function run(as: string, line: readonly string[], folder = cwd): Promise<Ran> {
  return tongs(line, {
    cwd: folder,
    env: {
      TONGS_HOST: sandbox.url,
      TONGS_TOKEN: sandbox.token(as),
      TONGS_CONFIG_DIR: join(cwd, "config"),
      GIT_SSH_COMMAND: sshCommand(),
      GIT_SSH_VARIANT: "ssh",
      GIT_CONFIG_GLOBAL: "/dev/null",
    },
  });
}
/** Not synchronous: the sandbox runs in this process. */
const git = async (folder: string, ...args: string[]) =>
  (await promisify(execFile)("git", args, { cwd: folder })).stdout.trimEnd();
const useSsh = async () => expect((await run("mara", ["config", "set", "git_protocol", "ssh"])).code).toBe(0);
const ssh = (name: string) => `git@127.0.0.1:${name}.git`;

describe("the setting git_protocol", () => {
  it("clones over SSH, with the parent of a fork as upstream, and without the token", async () => {
    await useSsh();
    const ran = await run("jonas", ["repo", "clone", "jonas/harbor"]);
    expect(ran.stderr).toContain("with mara/harbor as upstream");
    const clone = join(cwd, "harbor");
    expect(await git(clone, "remote", "get-url", "origin")).toBe(ssh("jonas/harbor"));
    expect(await git(clone, "remote", "get-url", "upstream")).toBe(ssh("mara/harbor"));
    expect(readFileSync(join(clone, ".git/config"), "utf8")).not.toContain("credential");
    expect(readFileSync(calls, "utf8")).not.toContain(sandbox.token("jonas"));
    const list = await run("jonas", ["pr", "list", "--json", "number"], clone);
    expect(list.code).toBe(0);
  });

  it("is https by default, and does not apply to a URL that was typed", async () => {
    await run("mara", ["repo", "clone", "mara/harbor", "one"]);
    expect(await git(join(cwd, "one"), "remote", "get-url", "origin")).toBe(`${sandbox.url}/mara/harbor.git`);
    await run("mara", ["repo", "clone", ssh("mara/harbor"), "two"]);
    expect(await git(join(cwd, "two"), "remote", "get-url", "origin")).toBe(ssh("mara/harbor"));
    await useSsh();
    await run("mara", ["repo", "clone", `${sandbox.url}/mara/harbor`, "three"]);
    expect(await git(join(cwd, "three"), "remote", "get-url", "origin")).toBe(`${sandbox.url}/mara/harbor.git`);
  });

  it("applies to the remotes that repo fork and repo create add", async () => {
    await useSsh();
    await run("mara", ["repo", "clone", "mara/harbor"]);
    const clone = join(cwd, "harbor");
    expect((await run("jonas", ["repo", "fork", "--remote"], clone)).code).toBe(0);
    expect(await git(clone, "remote", "get-url", "origin")).toBe(ssh("jonas/harbor"));
    const fresh = join(cwd, "fresh");
    await git(cwd, "init", "-q", "-b", "main", fresh);
    expect((await run("mara", ["repo", "create", "lantern", "--source", fresh])).code).toBe(0);
    expect(await git(fresh, "remote", "get-url", "origin")).toBe(ssh("mara/lantern"));
  });
});

describe("the SSH address of a server", () => {
  it.each([
    "",
    "-oProxyCommand=touch mischief:mara/harbor.git",
    "ext::sh -c touch% mischief mara/harbor",
    "git@git.example.org:mara/other.git",
    "ssh://-oProxyCommand=mischief/mara/harbor.git",
    "git@git.example.org:mara/harbor.git\n",
  ])("%j is not used", async (address) => {
    await useSsh();
    const { serve } = await import("../../support/server.ts");
    const server = await serve(() => ({
      body: { id: 1, name: "harbor", full_name: "mara/harbor", owner: { id: 1, login: "mara" }, ssh_url: address },
    }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "x", TONGS_CONFIG_DIR: join(cwd, "config") };
    const ran = await tongs(["repo", "clone", "mara/harbor"], { cwd, env });
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("did not return an SSH address of mara/harbor"),
    });
    expect(existsSync(join(cwd, "harbor"))).toBe(false);
  });
});
