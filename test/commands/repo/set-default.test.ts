import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testSandbox } from "../../sandbox/with-sandbox.ts";
import { emptyFolder, tongs, type World } from "../../support/tongs.ts";
import { gitFolder } from "../pr/git-folder.ts";

const sandbox = await testSandbox({ people: ["mara", "priya"].map((name) => ({ name, password: "not-a-secret" })) });
await sandbox.ask("POST", "/user/repos", "mara", { name: "harbor", auto_init: true, default_branch: "main" });
await sandbox.ask("POST", "/repos/mara/harbor/forks", "priya", {});
const run = (line: readonly string[], world: World = {}) =>
  tongs(["repo", ...line], {
    ...world,
    env: { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("priya"), GIT_CONFIG_GLOBAL: "/dev/null" },
  });
const clone = () => {
  const here = gitFolder();
  here.git("remote", "add", "origin", `${sandbox.url}/priya/harbor.git`);
  here.git("remote", "add", "upstream", `${sandbox.url}/mara/harbor.git`);
  return here;
};
const current = async (cwd: string) => (await run(["view", "--jq", ".full_name"], { cwd })).stdout.trim();

describe("repo set-default", () => {
  it("makes commands in the clone work on that repository", async () => {
    const { path: cwd } = clone();
    expect(await current(cwd)).toBe("mara/harbor");
    expect(await run(["set-default", "priya/harbor"], { cwd })).toMatchObject({ code: 0, stdout: "" });
    expect(await current(cwd)).toBe("priya/harbor");
    await run(["set-default", "mara/harbor"], { cwd });
    expect(await current(cwd)).toBe("mara/harbor");
  });

  it("offers the remotes on a terminal", async () => {
    const { path: cwd } = clone();
    const ran = await run(["set-default"], { cwd, terminal: true, answers: ["priya/harbor"] });
    expect(ran).toMatchObject({ code: 0, asked: ["Which repository should be the default?"] });
    expect(await current(cwd)).toBe("priya/harbor");
  });

  it.each([
    [["set-default"], "REPO is required"],
    [["set-default", "priya/nosuch"], "No git remote points to priya/nosuch"],
  ])("refuses %j and changes nothing", async (line, words) => {
    const { path: cwd } = clone();
    const ran = await run(line, { cwd });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(words);
    expect(await current(cwd)).toBe("mara/harbor");
  });

  it("changes nothing with --dry-run", async () => {
    const here = clone();
    await run(["set-default", "priya/harbor", "--dry-run"], { cwd: here.path });
    expect(here.git("config", "--list", "--local")).not.toContain("tongs-default");
  });
});

describe("repo create --source", () => {
  it("adds the remote origin and pushes the current branch", async () => {
    const here = gitFolder();
    const ran = await run(["create", "charts", "--source", ".", "--push"], { cwd: here.path });
    expect(ran).toMatchObject({ code: 0, stdout: `${sandbox.url}/priya/charts\n` });
    expect(here.git("remote", "get-url", "origin")).toBe(`${sandbox.url}/priya/charts.git`);
    const { body } = await sandbox.ask("GET", "/repos/priya/charts/branches/main", "priya");
    expect(body).toMatchObject({ commit: { id: here.git("rev-parse", "HEAD") } });
    expect(here.git("config", "branch.main.remote")).toBe("origin");
    expect(here.git("config", "--list", "--local")).not.toContain(sandbox.token("priya"));
  });

  it("only adds the remote without --push", async () => {
    const here = gitFolder();
    await run(["create", "depths", "--source", here.path]);
    expect(here.git("remote", "get-url", "origin")).toBe(`${sandbox.url}/priya/depths.git`);
    expect((await sandbox.ask("GET", "/repos/priya/depths/branches/main", "priya")).status).toBe(404);
  });

  it("creates nothing if the folder cannot be used", async () => {
    const taken = gitFolder();
    taken.git("remote", "add", "origin", "https://elsewhere.example/a/b.git");
    const empty = emptyFolder();
    mkdirSync(join(empty, "plain"));
    gitFolder(empty).git("init", "-q");
    for (const [flags, words] of [
      [["--push"], "--push requires --source"],
      [["--source", emptyFolder()], "is not a git repository"],
      [["--source", taken.path, "--push"], "has a remote named origin"],
      [["--source", empty, "--push"], "has no commits"],
    ] as const) {
      const ran = await run(["create", "nothing", ...flags]);
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain(words);
    }
    expect((await sandbox.ask("GET", "/repos/priya/nothing", "priya")).status).toBe(404);
  });
});
