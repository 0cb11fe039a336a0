import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Interruption } from "../../../src/failure/interruption.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { openHarbor } from "../pr/harbor.ts";

const clone = (cwd: string, ...words: string[]) => harbor.tongs("mara", cwd, "repo", "clone", ...words);
const config = (cwd: string, name: string) => readFileSync(join(cwd, "mara", name, ".git", "config"), "utf8");

const harbor = await openHarbor();
const { ask } = harbor.sandbox;
for (const name of ["lamp", "lens", "old-lamp", ".profile"])
  await ask("POST", "/user/repos", "mara", { name, auto_init: true, default_branch: "main" });
await ask("POST", "/user/repos", "mara", { name: "empty-lamp" });
await ask("PATCH", "/repos/mara/old-lamp", "mara", { archived: true });

/** Clones mara/lamp and mara/lens, and pushes a commit to each. */
async function behind(): Promise<string> {
  const cwd = emptyFolder();
  expect((await clone(cwd, "mara/l*")).code).toBe(0);
  const file = `${Math.random()}.txt`;
  for (const name of ["lamp", "lens"]) await harbor.write(`/repos/mara/${name}`, "main", file, "oil\n");
  return cwd;
}
const head = (cwd: string, name: string) => harbor.git(join(cwd, "mara", name), ["log", "-1", "--format=%s"]);

describe("tongs repo clone PATTERN", () => {
  it("clones what matches into OWNER/NAME, with no token in arguments or clones, and filters as repo list does", async () => {
    const cwd = emptyFolder();
    const ran = await clone(cwd, "MARA/{l*,*-lamp}", "--no-archived");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(readdirSync(join(cwd, "mara")).sort()).toEqual(["empty-lamp", "lamp", "lens"]);
    expect(ran.stdout.split("\n").sort()).toEqual([
      "",
      ...["empty-lamp", "lamp", "lens"].map((name) => join(cwd, "mara", name)),
    ]);
    expect(ran.stderr).toContain("Cloned mara/lamp into mara/lamp");
    const token = harbor.sandbox.token("mara");
    expect([harbor.calls(), config(cwd, "lamp"), ran.stderr].join()).not.toContain(token);
    expect(config(cwd, "lamp")).toContain("tongs auth git-credential");
  });

  it("takes names of one's own, several owners, stdin and --dir", async () => {
    const cwd = emptyFolder();
    expect((await clone(cwd, ".prof*", "--dir", "sub")).code).toBe(0);
    expect(existsSync(join(cwd, "sub", "mara", ".profile", "README.md"))).toBe(true);
    const two = await clone(cwd, "--dir", ".", "mara/lamp", "priya/harbor", "mara/lamp");
    expect(two, two.stderr).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, "priya", "harbor", "fork.txt"))).toBe(true);
    const everywhere = await harbor.tongs("priya", cwd, "repo", "clone", "*/harbor", "--source", "--json", "full_name");
    expect(everywhere.json()).toEqual([{ full_name: "mara/harbor" }]);
  });

  it("passes flags after -- to git", async () => {
    const cwd = emptyFolder();
    expect((await clone(cwd, "mara/lamp", "quay", "--", "--depth", "1", "--branch=main")).code).toBe(0);
    expect(existsSync(join(cwd, "quay", ".git", "shallow"))).toBe(true);
    expect((await clone(cwd, "mara/la*", "--", "--depth=1")).code).toBe(0);
    expect(existsSync(join(cwd, "mara", "lamp", ".git", "shallow"))).toBe(true);
    const dry = await clone(cwd, "mara/lamp", "x", "--dry-run", "--", "--filter=blob:none");
    expect(dry.stdout).toBe(`git clone --filter=blob:none ${harbor.sandbox.url}/mara/lamp.git x\n`);
  });

  it("updates what is there, and changes nothing the next time", async () => {
    const cwd = await behind();
    const ran = await clone(cwd, "mara/l*");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain("Updated mara/lamp (1 commit)");
    expect(await head(cwd, "lamp")).toMatch(/^Write /);
    const again = await clone(cwd, "mara/l*");
    expect(again.stderr).toContain("mara/lens is up to date");
    expect(again.stderr).not.toContain("Updated");
  });

  it("never loses work: uncommitted changes, diverged branches and other remotes are named and left, the others updated", async () => {
    const cwd = await behind();
    for (const name of ["old", "new"])
      await harbor.sandbox.ask("POST", "/user/repos", "mara", { name: `hull-${name}` });
    expect((await clone(cwd, "mara/harbor", "mara/hull-*")).code).toBe(0);
    const at = (name: string, ...parts: string[]) => join(cwd, "mara", name, ...parts);
    writeFileSync(at("lamp", "README.md"), "mine\n");
    await harbor.git(at("lens"), ["commit", "-q", "--allow-empty", "-m", "Mine"]);
    await harbor.git(at("hull-old"), ["remote", "set-url", "origin", "https://me:not-a-secret@example.org/x/y.git"]);
    await harbor.write("/repos/mara/harbor", "main", `${Math.random()}.txt`, "new\n");

    const ran = await clone(cwd, "mara/{l*,harbor,hull-*}");
    expect(ran, ran.stderr).toMatchObject({ code: 11 });
    expect(ran.stderr).toContain("mara/lamp: Branch main is 1 behind its upstream, and has uncommitted changes");
    expect(ran.stderr).toContain("mara/lens: Branch main and its upstream have diverged: 1 ahead, 1 behind");
    expect(ran.stderr).toContain("is a clone of another repository: origin is https://");
    expect(ran.stderr).not.toContain("not-a-secret");
    expect(ran.stderr).toContain("3 of 5 failed.");
    expect(ran.stderr).toContain("Updated mara/harbor (1 commit)");
    expect(readFileSync(at("lamp", "README.md"), "utf8")).toBe("mine\n");
    expect(await head(cwd, "lens")).toBe("Mine");

    await harbor.git(at("lamp"), ["stash", "-q"]);
    expect((await clone(cwd, "mara/lamp*")).code).toBe(0);
  });

  it("keeps untracked files that the new commits have, and what is ahead, detached or without an upstream", async () => {
    const cwd = await behind();
    const at = (name: string) => join(cwd, "mara", name);
    await harbor.write("/repos/mara/lamp", "main", "untracked.txt", "theirs\n");
    writeFileSync(join(at("lamp"), "untracked.txt"), "mine\n");
    await harbor.git(at("lens"), ["switch", "-q", "-c", "own"]);
    const ran = await clone(cwd, "mara/l*");
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("untracked.txt") });
    expect(ran.stderr).toContain("mara/lens was fetched: branch own has no upstream");
    expect(readFileSync(join(at("lamp"), "untracked.txt"), "utf8")).toBe("mine\n");
    await harbor.git(at("lens"), ["switch", "-q", "--detach"]);
    expect((await clone(cwd, "mara/lens*")).stderr).toContain("mara/lens was fetched: HEAD is detached");
    await harbor.git(at("lens"), ["switch", "-q", "main"]);
    await clone(cwd, "mara/lens*");
    await harbor.git(at("lens"), ["commit", "-q", "--allow-empty", "-m", "Mine"]);
    const ahead = await clone(cwd, "mara/lens*");
    expect(ahead).toMatchObject({ code: 0, stderr: expect.stringContaining("1 ahead of its upstream") });
  });

  it("fills the clone of a repository that was empty", async () => {
    await harbor.sandbox.ask("POST", "/user/repos", "mara", { name: "hold" });
    const cwd = emptyFolder();
    await clone(cwd, "mara/hold*");
    expect((await clone(cwd, "mara/hold*")).stderr).toContain("mara/hold is up to date");
    const seed = emptyFolder();
    await harbor.git(seed, ["init", "-q", "-b", "main"]);
    await harbor.git(seed, ["commit", "-q", "--allow-empty", "-m", "First"]);
    await harbor.git(seed, ["push", "-q", `${harbor.sandbox.url}/mara/hold.git`, "main"], "mara");
    const ran = await clone(cwd, "mara/hold*");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining("(1 commit)") });
    expect(await head(cwd, "hold")).toBe("First");
  });

  it("signs in for submodules on the server, and leaves them as they are in an update", async () => {
    const seed = emptyFolder();
    await harbor.sandbox.ask("POST", "/user/repos", "mara", { name: "fleet", auto_init: true, default_branch: "main" });
    await harbor.git(seed, ["clone", "-q", `${harbor.sandbox.url}/mara/fleet.git`, "."], "mara");
    await harbor.git(seed, ["submodule", "--quiet", "add", "../harbor.git"], "mara");
    await harbor.git(seed, ["commit", "-q", "-m", "Add harbor"]);
    await harbor.git(seed, ["push", "-q"], "mara");
    const cwd = emptyFolder();
    const ran = await clone(cwd, "mara/fleet*", "--", "--recurse-submodules");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, "mara", "fleet", "harbor", "tides.txt"))).toBe(true);

    await harbor.write("/repos/mara/harbor", "main", `${Math.random()}.txt`, "x\n");
    await harbor.git(join(seed, "harbor"), ["pull", "-q"], "mara");
    await harbor.git(seed, ["commit", "-q", "-a", "-m", "Move harbor"]);
    await harbor.git(seed, ["push", "-q"], "mara");
    expect((await clone(cwd, "mara/fleet*")).stderr).toContain("Updated mara/fleet");
    expect((await clone(cwd, "mara/fleet*")).code).toBe(0);
  });

  it("takes no submodule from this machine", async () => {
    const [seed, secret] = [emptyFolder(), emptyFolder()];
    await harbor.git(secret, ["init", "-q"]);
    await harbor.git(secret, ["commit", "-q", "--allow-empty", "-m", "Private"]);
    await harbor.sandbox.ask("POST", "/user/repos", "mara", { name: "bait", auto_init: true, default_branch: "main" });
    await harbor.git(seed, ["clone", "-q", `${harbor.sandbox.url}/mara/bait.git`, "."], "mara");
    await harbor.git(seed, [
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "--quiet",
      "add",
      `file://${secret}`,
      "s",
    ]);
    await harbor.git(seed, ["commit", "-q", "-m", "Bait"]);
    await harbor.git(seed, ["push", "-q"], "mara");
    const cwd = emptyFolder();
    const ran = await clone(cwd, "mara/bait*", "--", "--recurse-submodules");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("transport 'file' not allowed") });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("leaves directories alone that are no clone, a part of another clone, or a symbolic link", async () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, "mara", "lamp"), { recursive: true });
    writeFileSync(join(cwd, "mara", "lamp", "mine.txt"), "mine\n");
    mkdirSync(join(cwd, "elsewhere"));
    symlinkSync(join(cwd, "elsewhere"), join(cwd, "mara", "lens"));
    await harbor.git(cwd, ["init", "-q"]);
    const ran = await clone(cwd, "mara/l*");
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain(`${join(cwd, "mara", "lamp")} exists, and is not a git repository`);
    expect(ran.stderr).toContain(`${join(cwd, "mara", "lens")} is not a directory`);
    expect([readdirSync(join(cwd, "elsewhere")), readdirSync(join(cwd, "mara", "lamp"))]).toEqual([[], ["mine.txt"]]);

    const inside = emptyFolder();
    await clone(inside, "mara/harbor", "priya");
    const other = await clone(inside, "priya/har*");
    expect(other).toMatchObject({ code: 9, stderr: expect.stringContaining("is a git repository") });
  });

  it("takes no files of another clone for a clone, whose settings would run programs; nor does repo exec", async () => {
    const cwd = emptyFolder();
    const fake = join(cwd, "mara", "lamp");
    await harbor.git(cwd, ["init", "-q", "--bare", fake]);
    await harbor.git(fake, ["remote", "add", "origin", `${harbor.sandbox.url}/mara/lamp.git`]);
    await harbor.git(fake, ["config", "core.hooksPath", join(fake, "hooks")]);
    mkdirSync(join(fake, "hooks"), { recursive: true });
    writeFileSync(join(fake, "hooks", "reference-transaction"), `#!/bin/sh\ntouch ${join(cwd, "ran")}\n`, {
      mode: 0o755,
    });
    const ran = await clone(cwd, "mara/l*");
    expect(ran).toMatchObject({
      code: 11,
      stderr: expect.stringContaining("lamp exists, and is not a git repository"),
    });
    const exec = await harbor.tongs("mara", cwd, "repo", "exec", "mara/lamp", "--", "git", "fetch");
    expect(exec).toMatchObject({ code: 5, stderr: expect.stringContaining("No clones of mara/lamp found") });
    expect((await harbor.tongs("mara", fake, "repo", "view")).code).not.toBe(0);
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it("clones bare ones, with the remote upstream and the helper for their token", async () => {
    const cwd = emptyFolder();
    const ran = await harbor.tongs("priya", cwd, "repo", "clone", "priya/harbor", "h.git", "--", "--bare");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const config = readFileSync(join(cwd, "h.git", "config"), "utf8");
    expect(config).toMatch(/helper = !tongs auth git-credential[\s\S]*remote "upstream"/);
  });

  it("names the directory of an owner as it was typed, whatever the server says", async () => {
    const record = { id: 1, name: "x", full_name: "acme/x", owner: { login: ".config" } };
    const server = await serve(({ url }) => ({ body: url.includes("/search") ? { data: [record] } : [record] }));
    const world = { cwd: emptyFolder(), env: { TONGS_HOST: server.url } };
    const typed = await tongs(["repo", "clone", "acme/*", "--dry-run"], world);
    const every = await tongs(["repo", "clone", "*/*", "--dry-run"], world);
    expect(typed.stderr).toContain(`Would clone acme/x in ${join("acme", "x")}`);
    expect(every).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be used as a directory name") });
  });

  it("clones no two repositories into directories that are the same where case is ignored, and finds such a clone again", async () => {
    const cwd = emptyFolder();
    await clone(cwd, "--dir", ".", "mara/lamp");
    const git = join(cwd, "mara", "lamp");
    const owner = { login: "mara" };
    const repos = ["Lamp", "lamp."].map((name, id) => ({ id, name, full_name: `mara/${name}`, owner, empty: false }));
    const server = await serve(({ url }) => (url.includes("/repos?") ? { body: repos } : { status: 404 }));
    await harbor.git(git, ["remote", "set-url", "origin", `${server.url}/mara/lamp.git`]);
    const ran = await tongs(["repo", "clone", "mara/*", "--dry-run"], { cwd, env: { TONGS_HOST: server.url } });
    expect(ran.stderr).toContain("Would update mara/Lamp in mara/lamp");
    expect(ran.stderr).toContain("is the directory of mara/Lamp, too, where case is ignored");
    expect(ran.code).toBe(11);
  });

  it.each(["../../x", "..", "...", ".git", "GIT~1", "-x", "a/b", "a\\b", "a\u001b[31m"])(
    "writes nothing outside of OWNER/NAME for a repository or an owner that is named %j",
    async (name) => {
      const full = (owner: string, repo: string) => ({
        full_name: `${owner}/${repo}`,
        owner: { login: owner },
        name: repo,
      });
      const repos = [full("mara", name), full(name, "lamp")].map((one, id) => ({ ...one, id }));
      const server = await serve(({ url }) => (url.includes("/search") ? { body: { data: repos } } : { status: 404 }));
      const cwd = emptyFolder();
      const ran = await tongs(["repo", "clone", "*/*"], { cwd, env: { TONGS_HOST: server.url } });
      expect(ran.code).not.toBe(0);
      expect(ran.stdout).toBe("");
      expect(readdirSync(cwd)).toEqual([]);
    },
  );

  it("names what another process is working on, and leaves nothing of a clone that is interrupted", async () => {
    const stop = new AbortController();
    let reached = () => {};
    const waits = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const server = await serve(({ url }) => {
      if (url.includes("/repos?"))
        return { body: [{ id: 1, name: "lamp", full_name: "mara/lamp", owner: { login: "mara" } }] };
      reached();
      return new Promise(() => {});
    });
    const cwd = emptyFolder();
    const line = ["repo", "clone", "mara/*"];
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const first = tongs(line, { cwd, env, signal: stop.signal });
    await waits;
    const second = await tongs(line, { cwd, env });
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("Another tongs process is downloading") });
    stop.abort(new Interruption("SIGINT"));
    const ran = await first;
    expect(ran).toMatchObject({ code: 130, stdout: "", stderr: expect.stringContaining("What was cloned is kept") });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("sends one request for the repositories of an owner, and clones as many at a time as --jobs says", async () => {
    let running = 0;
    let most = 0;
    const names = Array.from({ length: 12 }, (_, id) => ({
      id,
      name: `r${id}`,
      full_name: `mara/r${id}`,
      owner: { login: "mara" },
    }));
    const server = await serve(async ({ url }) => {
      if (url.startsWith("/api/")) return { body: names, headers: { "x-total-count": "12" } };
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 300));
      running -= 1;
      return { status: 404 };
    });
    const ran = await tongs(["repo", "clone", "mara/*", "--jobs", "3"], { env: { TONGS_HOST: server.url } });
    expect(ran.code).toBe(1);
    expect(most).toBe(3);
    expect(server.seen.filter(({ url }) => url.startsWith("/api/"))).toHaveLength(1);
  });

  it("refuses what cannot be meant", async () => {
    const cwd = emptyFolder();
    expect(await clone(cwd, "mara/none*")).toMatchObject({ code: 5, stderr: expect.stringContaining("'mara/none*'") });
    expect((await clone(cwd, "mara/lamp", "a", "b")).code).toBe(2);
    expect((await clone(cwd, "mara/lamp", "--archived")).code).toBe(2);
    expect((await clone(cwd, "https://elsewhere.example.org/mara/*")).code).not.toBe(0);
    const partly = await clone(cwd, "--dir", ".", "mara/lamp", "mara/missing");
    expect(partly).toMatchObject({ code: 11, stderr: expect.stringContaining("mara/missing") });
    expect(readdirSync(join(cwd, "mara"))).toEqual(["lamp"]);
  });
});
