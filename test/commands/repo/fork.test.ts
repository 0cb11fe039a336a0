import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type TestSandbox, testSandbox } from "../../sandbox/with-sandbox.ts";
import { recorded } from "../../support/recorded.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { type GitFolder, gitFolder } from "../pr/git-folder.ts";
import { type Answer, type Scripted, scripted } from "../pr/scripted.ts";

const password = "not-a-secret";

describe("repo fork", () => {
  let sandbox: TestSandbox;
  beforeAll(async () => {
    const names = ["mara", "priya", "jonas", "lena", "tomas"];
    sandbox = await testSandbox({ people: names.map((name) => ({ name, password })) });
    await sandbox.ask("POST", "/user/repos", "mara", { name: "harbor", auto_init: true, default_branch: "main" });
    await sandbox.ask("POST", "/orgs", "priya", { username: "tidewater" });
  });
  const run = (as: string, line: readonly string[], world: World = {}) =>
    tongs(["repo", "fork", ...line], {
      ...world,
      env: { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token(as), GIT_CONFIG_GLOBAL: "/dev/null" },
    });

  it("prints the URL of the fork, and uses the one that exists", async () => {
    const first = await run("priya", ["mara/harbor"]);
    expect(first).toMatchObject({ code: 0, stdout: `${sandbox.url}/priya/harbor\n` });
    expect(first.stderr).toContain("Created fork priya/harbor");
    const again = await run("priya", ["mara/harbor"]);
    expect(again).toMatchObject({ code: 0, stdout: first.stdout });
    expect(again.stderr).toContain("priya/harbor is already a fork of mara/harbor");
    expect((await run("priya", ["mara/harbor", "--json", "full_name"])).json()).toEqual({ full_name: "priya/harbor" });
  });

  it.each(["--name", "--fork-name"])("names the fork with %s", async (flag) => {
    const ran = await run("tomas", ["mara/harbor", flag, "berth"]);
    expect(ran).toMatchObject({ code: 0, stdout: `${sandbox.url}/tomas/berth\n` });
    expect((await run("tomas", ["mara/harbor", flag, ""])).code).toBe(2);
  });

  it("forks into an organization, and says when there is none", async () => {
    expect((await run("priya", ["mara/harbor", "--org", "tidewater"])).stdout).toBe(
      `${sandbox.url}/tidewater/harbor\n`,
    );
    const unknown = await run("priya", ["mara/harbor", "--org", "nosuch"]);
    expect(unknown.code).toBe(5);
    expect(unknown.stderr).toContain("Organization nosuch or repository mara/harbor not found");
    expect(await run("priya", ["mara/nosuch"])).toMatchObject({ code: 5, stdout: "" });
  });

  it("adds the fork as origin of the clone, and renames the original to upstream", async () => {
    const here = gitFolder(emptyFolder());
    await here.talk("clone", "-q", `${sandbox.url}/mara/harbor.git`, ".");
    const ran = await run("jonas", ["--remote"], { cwd: here.path });
    expect(ran.code).toBe(0);
    expect(here.git("remote", "get-url", "origin")).toBe(`${sandbox.url}/jonas/harbor.git`);
    expect(here.git("remote", "get-url", "upstream")).toBe(`${sandbox.url}/mara/harbor.git`);
    const again = await run("jonas", ["mara/harbor", "--remote"], { cwd: here.path });
    expect(again.stderr).toContain("The remote origin already points to jonas/harbor");
    expect(here.git("remote")).toBe("origin\nupstream");
    expect(readFileSync(join(here.path, ".git/config"), "utf8")).not.toContain(sandbox.token("jonas"));
  });

  it("looks only at the remotes on its server", async () => {
    const here = gitFolder(emptyFolder());
    here.git("init", "-q");
    here.git("remote", "add", "mirror", "https://code.example.org/jonas/harbor.git");
    here.git("remote", "add", "origin", "https://code.example.org/mara/harbor.git");
    const ran = await run("jonas", ["mara/harbor", "--remote"], { cwd: here.path });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Added the remote jonas")]);
    expect(here.git("remote", "get-url", "jonas")).toBe(`${sandbox.url}/jonas/harbor.git`);
    expect(here.git("remote", "get-url", "origin")).toBe("https://code.example.org/mara/harbor.git");
  });

  it("clones the fork, with the original as upstream", async () => {
    const cwd = emptyFolder();
    expect((await run("lena", ["mara/harbor", "--clone"], { cwd })).code).toBe(0);
    const clone = gitFolder(join(cwd, "harbor"));
    expect(clone.git("remote", "get-url", "origin")).toBe(`${sandbox.url}/lena/harbor.git`);
    expect(clone.git("remote", "get-url", "upstream")).toBe(`${sandbox.url}/mara/harbor.git`);
  });

  it("does not clone into a hidden directory because the fork has that name", async () => {
    await sandbox.ask("PATCH", "/repos/lena/harbor", "lena", { name: ".ssh" });
    const cwd = emptyFolder();
    const ran = await run("lena", ["mara/harbor", "--clone"], { cwd });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("Specify a directory: tongs repo clone REPO DIR");
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("offers on a terminal to clone, and does neither by itself in a script", async () => {
    const cwd = emptyFolder();
    const ran = await run("tomas", ["mara/harbor"], { cwd, terminal: true, answers: [false] });
    expect(ran).toMatchObject({ code: 0, asked: ["Clone the fork?"] });
    await run("tomas", ["mara/harbor"], { cwd });
    expect(existsSync(join(cwd, "harbor"))).toBe(false);
  });
});

describe("repo sync in a clone", () => {
  let sandbox: TestSandbox;
  let clone: GitFolder;
  const harbor = "/repos/mara/harbor";
  beforeAll(async () => {
    sandbox = await testSandbox({ people: ["mara", "priya", "jonas"].map((name) => ({ name, password })) });
    await sandbox.ask("POST", "/user/repos", "mara", { name: "harbor", auto_init: true, default_branch: "main" });
    await sandbox.ask("POST", "/orgs", "priya", { username: "tidewater" });
    const cwd = emptyFolder();
    await run("priya", cwd, "repo", "fork", "mara/harbor", "--clone");
    clone = gitFolder(join(cwd, "harbor"));
    await run("priya", cwd, "repo", "fork", "mara/harbor", "--org", "tidewater");
    const content = Buffer.from("low\n").toString("base64");
    await sandbox.ask("POST", `${harbor}/contents/tides.txt`, "mara", { content, message: "Tides", branch: "main" });
  });
  const run = (as: string, cwd: string, ...line: string[]) =>
    tongs(line, {
      cwd,
      env: { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token(as), GIT_CONFIG_GLOBAL: "/dev/null" },
    });
  const inClone = async (remotes: Readonly<Record<string, string>>) => {
    const { path, git } = gitFolder();
    for (const [name, repo] of Object.entries(remotes)) git("remote", "add", name, `${sandbox.url}/${repo}.git`);
    return path;
  };

  it("syncs the fork in the clone that repo fork --clone makes", async () => {
    const ran = await run("priya", clone.path, "repo", "sync", "--ff-only");
    expect([ran.code, ran.stderr]).toEqual([
      0,
      expect.stringContaining("Synced main of priya/harbor with mara/harbor (fast-forward)"),
    ]);
    expect((await sandbox.ask("GET", "/repos/priya/harbor/contents/tides.txt", "priya")).status).toBe(200);
    clone.git("config", "remote.upstream.tongs-default", "true");
    const again = await run("priya", clone.path, "repo", "sync");
    expect(again.stderr).toContain("main of priya/harbor is up to date with mara/harbor");
  });

  it.each([
    [{ mine: "priya/harbor", theirs: "mara/harbor" }, "priya/harbor"],
    [{ theirs: "mara/harbor", mine: "Priya/harbor" }, "Priya/harbor"],
    [{ upstream: "mara/harbor", origin: "tidewater/harbor" }, "tidewater/harbor"],
    [{ team: "tidewater/harbor" }, "tidewater/harbor"],
  ])("finds the fork among %j", async (remotes, fork) => {
    const ran = await run("priya", await inClone(remotes), "repo", "sync");
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(`main of ${fork}.* with mara/harbor`)]);
  });

  it("syncs the fork that was chosen with set-default, or was given", async () => {
    const path = await inClone({ origin: "priya/harbor", team: "tidewater/harbor", upstream: "mara/harbor" });
    gitFolder(path).git("config", "remote.team.tongs-default", "true");
    expect((await run("priya", path, "repo", "sync")).stderr).toContain("main of tidewater/harbor is up to date");
    const given = await run("priya", path, "repo", "sync", "priya/harbor");
    expect(given.stderr).toContain("main of priya/harbor is up to date");
    const original = await run("priya", path, "repo", "sync", "-R", "mara/harbor");
    expect([original.code, original.stderr]).toEqual([9, expect.stringContaining("mara/harbor is not a fork")]);
  });

  it("never syncs the fork of somebody else that was not named", async () => {
    const path = await inClone({ origin: "mara/harbor", priya: "priya/harbor" });
    const ran = await run("mara", path, "repo", "sync");
    expect([ran.code, ran.stderr]).toEqual([
      9,
      expect.stringContaining("mara/harbor is not a fork\n  Specify the fork: tongs repo sync OWNER/NAME"),
    ]);
  });
});

describe("repo sync", () => {
  let forge: Scripted;
  const fork = {
    id: 9,
    full_name: "mara/harbor",
    name: "harbor",
    fork: true,
    default_branch: "main",
    parent: { full_name: "tide/harbor", name: "harbor", owner: { login: "tide" } },
  };
  const missing = { status: 404, body: "404 page not found\n", headers: { "content-type": "text/plain" } };
  const sync = async (routes: Record<string, Answer>, ...flags: string[]) => {
    forge = await scripted({ "GET ": { body: fork }, ...routes });
    return forge.run(["repo", "sync", ...flags]);
  };
  const gitea = (label: string) => ({ "POST /merge-upstream": recorded("repositories", label) });

  it.each([
    ["sync a fork: fast-forward", "Synced main of mara/harbor with tide/harbor (fast-forward)"],
    ["sync a fork: diverged, merged", "Synced main of mara/harbor with tide/harbor (merge)"],
    ["sync a fork: nothing new", "main of mara/harbor is up to date with tide/harbor"],
  ])("reports how the branch was synced (%s)", async (label, words) => {
    const ran = await sync(gitea(label));
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toContain(words);
    expect(forge.writes()).toEqual([["POST /merge-upstream", { branch: "main" }]]);
  });

  it("is no success if the server accepts it and the head of the branch stays the same", async () => {
    const branch = { "GET /branches/main": { body: { name: "main", commit: { id: "a".repeat(40) } } } };
    const ran = await sync({ ...gitea("sync a fork: fast-forward"), ...branch });
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("main of mara/harbor was not synced")]);
  });

  it("sends the branch and --ff-only, and prints the record", async () => {
    const ran = await sync(gitea("sync a fork: fast-forward"), "--branch", "release", "--ff-only", "--json");
    expect(ran.json()).toEqual({ merge_type: "fast-forward" });
    expect(forge.writes()).toEqual([["POST /merge-upstream", { branch: "release", ff_only: true }]]);
  });

  it("is not sent --ff-only where Gitea would merge all the same", async () => {
    const server = await serve(({ url }) => ({ body: url.endsWith("/version") ? { version: "1.24.0" } : fork }), {
      saysVersion: true,
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["repo", "sync", "--ff-only"], { env });
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("This needs Gitea 1.25")]);
    expect(server.lines().filter((line) => !line.startsWith("GET "))).toEqual([]);
  });

  it("quotes the branch in the command of the hint about a conflict", async () => {
    const ran = await sync(gitea("sync a fork: conflict, 500"), "--branch", "main;id");
    expect(ran.stderr).toContain("git merge 'upstream/main;id'");
  });

  it.each([
    ["sync a fork: conflict, 500", 9, "main of mara/harbor conflicts with main of tide/harbor"],
    ["sync a fork: diverged and ff_only", 9, "Cannot fast-forward main of mara/harbor"],
    ["sync a fork: branch that the fork lacks", 5, "Branch main not found in mara/harbor"],
    ["sync a fork: the repository is no fork, 500 in plain text", 7, "500"],
    ["sync a fork: no right to write", 4, "Permission denied"],
  ])("explains: %s", async (label, code, words) => {
    const ran = await sync(gitea(label));
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(words);
  });

  it("refuses a repository that is not a fork, without a request to sync it", async () => {
    const ran = await sync({ "GET ": { body: { ...fork, fork: false, parent: null } } });
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("mara/harbor is not a fork");
    expect(forge.writes()).toEqual([]);
  });

  const info = (changes = {}) => ({
    body: { allowed: true, fork_commit: "a", base_commit: "b", commits_behind: 2, ...changes },
  });
  const forgejo = (answer: Answer, compared: Answer = { body: { commits: [] } }) => ({
    "POST /merge-upstream": missing,
    "GET /sync_fork/main": answer,
    "GET /compare/main...b": compared,
    "POST /sync_fork/main": { status: 204 },
  });

  it("fast-forwards by the operation of later Forgejo versions", async () => {
    const ran = await sync(forgejo(info()), "--json");
    expect(ran.json()).toEqual({ merge_type: "fast-forward" });
    expect(forge.writes().map(([line]) => line)).toEqual(["POST /merge-upstream", "POST /sync_fork/main"]);
  });

  it("syncs nothing there if there is nothing new, and refuses a branch that has diverged", async () => {
    const isNotAllowed = { allowed: false, commits_behind: 0 };
    for (const answers of [forgejo(info({ ...isNotAllowed, base_commit: "a" })), forgejo(info(isNotAllowed))]) {
      expect((await sync(answers, "--json")).json()).toEqual({ merge_type: "up-to-date" });
    }
    for (const compared of [{ status: 404, body: { message: "not found" } }, { body: { commits: [{ sha: "b" }] } }]) {
      const diverged = await sync(forgejo(info(isNotAllowed), compared));
      expect(diverged.code, diverged.stderr).toBe(9);
      expect(forge.writes().map(([line]) => line)).toEqual(["POST /merge-upstream"]);
      if (compared.status === 404) await forge.server.close();
    }
  });
});
