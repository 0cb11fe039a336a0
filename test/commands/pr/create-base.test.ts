import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { World } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";
import { type GitFolder, gitFolder } from "./git-folder.ts";

const [original, fork] = ["mara/ferry", "priya/ferry"];
const sandbox = await onSandbox();
let count = 0;
let branch = "";
let here: GitFolder;

beforeAll(async () => {
  await sandbox.ask("POST", "/user/repos", "mara", { name: "ferry", auto_init: true, default_branch: "main" });
  await sandbox.ask("POST", `/repos/${original}/forks`, "priya", {});
  await sandbox.ask("POST", "/user/repos", "priya", { name: "notes", auto_init: true, default_branch: "main" });
});

/** A repository with these remotes and a commit on a new branch. */
async function withRemotes(remotes: Readonly<Record<string, string>>): Promise<void> {
  here = gitFolder();
  for (const [name, repo] of Object.entries(remotes)) here.git("remote", "add", name, `${sandbox.url}/${repo}.git`);
  await here.talk("fetch", "-q", Object.keys(remotes)[0] ?? "", "main");
  here.git("switch", "-q", "--detach", "FETCH_HEAD");
  here.git("switch", "-q", "-c", branch);
  here.commit("Add the lamps", `${branch}.txt`, "oil\n");
}
beforeEach(() => {
  count += 1;
  branch = `lamps-${count}`;
});

const create = (line: readonly string[], world: World & { readonly as?: string } = {}) =>
  sandbox.run(["pr", "create", ...line], {
    as: "priya",
    cwd: here.path,
    ...world,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", ...world.env },
  });
const pulls = async (repo: string) => {
  const { body } = await sandbox.ask("GET", `/repos/${repo}/pulls?state=open`, "mara");
  const all = body as readonly {
    readonly title: string;
    readonly head: { ref: string; repo: { full_name: string } };
  }[];
  return all.filter(({ head }) => head.ref === branch).map(({ head }) => head.repo.full_name);
};

describe("pr create with remotes of any name", () => {
  it.each([
    [{ mine: fork, theirs: original }],
    [{ theirs: original, mine: fork }],
    [{ notes: "priya/notes", theirs: original, mine: fork }],
  ])("pushes to your fork and creates the pull request in its parent: %j", async (remotes) => {
    await withRemotes(remotes);
    const ran = await create(["--fill", "--push", ...("notes" in remotes ? ["-R", original] : [])]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(`Pushing ${branch} to mine (`)]);
    expect(here.git("config", `branch.${branch}.remote`)).toBe("mine");
    expect([await pulls(original), await pulls(fork)]).toEqual([[fork], []]);
  });

  it("pushes to the repository itself if none of the remotes is yours", async () => {
    await withRemotes({ theirs: original, priya: fork });
    expect((await create(["--fill", "--push"], { as: "mara" })).code).toBe(0);
    expect(here.git("config", `branch.${branch}.remote`)).toBe("theirs");
    branch = `${branch}-b`;
    await withRemotes({ theirs: original, other: fork });
    const ran = await create(["--fill", "--push"], { as: "jonas" });
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining(`Could not push ${branch} to theirs`)]);
  });
});

describe("pr create in a plain clone of one's own fork", () => {
  beforeEach(() => withRemotes({ origin: fork }));
  const prompt = "Which should be the base repository?";

  it("takes the parent as base in a script, and says so", async () => {
    const ran = await create(["--fill", "--push"]);
    expect([ran.code, ran.stderr]).toEqual([
      0,
      expect.stringContaining(
        `The base repository is ${original}, the parent of ${fork}; to use the fork, pass -R ${fork}, or run: tongs repo set-default ${fork}\n`,
      ),
    ]);
    expect(ran.stdout).toMatch(`${sandbox.url}/${original}/pulls/`);
    expect([await pulls(original), await pulls(fork)]).toEqual([[fork], []]);
  });

  it("takes the branch of --head from the fork", async () => {
    here.git("switch", "-q", "--detach");
    const ran = await create(["--fill", "--push", "--head", branch, "--base", "main"]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(`(priya:${branch} into main)`)]);
    expect([await pulls(original), await pulls(fork)]).toEqual([[fork], []]);
  });

  it.each([
    [original, [[fork], []]],
    [fork, [[], [fork]]],
  ])("prompts on a terminal, and creates it in %s if that is chosen", async (chosen, made) => {
    const ran = await create(["--fill", "--push"], { terminal: true, answers: [chosen] });
    expect(ran).toMatchObject({ code: 0, asked: [prompt] });
    expect([await pulls(original), await pulls(fork)]).toEqual(made);
  });

  it("keeps the parent as the default of the clone, where other commands then find the pull request", async () => {
    const { stdout } = await create(["--fill", "--push"]);
    const number = /\d+$/.exec(stdout.trim())?.[0] ?? "";
    const run = (line: string) =>
      sandbox.run(line.split(" "), { as: "priya", cwd: here.path, env: { GIT_CONFIG_GLOBAL: "/dev/null" } });
    for (const line of ["pr view --jq .number", `pr view ${branch} --jq .number`, "pr status --jq .current.number"])
      expect([line, (await run(line)).stdout]).toEqual([line, `${number}\n`]);
    expect((await run("pr checks")).code).toBe(1);
    const again = await create(["--fill", "--push", "--head", branch], { terminal: true });
    expect([again.code, again.asked, again.stderr]).toEqual([9, [], expect.stringContaining(`${original}#${number}`)]);
    await run(`repo set-default ${fork}`);
    expect((await run("repo view --jq .full_name")).stdout).toBe(`${fork}\n`);
    await run(`repo set-default ${original}`);
    expect((await run("repo view --jq .full_name")).stdout).toBe(`${original}\n`);
    expect(here.git("config", "--get-regexp", "tongs-default")).toBe(`remote.origin.tongs-default ${original}`);
  });

  it("is not offered by what finds none in the fork, which names the parent", async () => {
    const run = (...line: string[]) =>
      sandbox.run(["pr", ...line], { as: "priya", cwd: here.path, env: { GIT_CONFIG_GLOBAL: "/dev/null" } });
    await create(["--fill", "--push"]);
    here.git("config", "--unset", "remote.origin.tongs-default");
    for (const [line, code] of [
      ["view", 5],
      ["checks", 5],
      ["status", 0],
    ] as const) {
      const ran = await run(line);
      expect([line, ran.code, ran.stderr]).toEqual([
        line,
        code,
        expect.stringContaining(`tongs repo set-default ${original}\n`),
      ]);
      expect(ran.stderr).not.toContain("pr create");
    }
    expect((await run("view", "-R", original)).code).toBe(0);
  });

  it("asks once, and keeps the fork if that is chosen", async () => {
    await create(["--fill", "--push"], { terminal: true, answers: [fork] });
    const again = await create(["--fill", "--push"], { terminal: true });
    expect([again.code, again.asked, again.stderr]).toEqual([9, [], expect.stringContaining(`${fork}#`)]);
  });

  it("pushes nothing if the prompt is left", async () => {
    sandbox.writes();
    expect(await create(["--fill", "--push"], { terminal: true })).toMatchObject({ code: 3, asked: [prompt] });
    expect(sandbox.writes()).toEqual([]);
  });

  it.each(["-R", "TONGS_REPO", "set-default"])("stays in the fork if that was chosen with %s", async (how) => {
    if (how === "set-default") here.git("config", "remote.origin.tongs-default", "true");
    const env = how === "TONGS_REPO" ? { TONGS_REPO: fork } : {};
    const flag = how === "-R" ? ["-R", fork] : [];
    const ran = await create(["--fill", "--push", ...flag], { terminal: true, env });
    expect(ran).toMatchObject({ code: 0, asked: [] });
    expect([await pulls(original), await pulls(fork)]).toEqual([[], [fork]]);
  });

  it("stays in the fork of an organization, which can be a project of its own", async () => {
    await sandbox.ask("POST", "/orgs", "priya", { username: "crossing" });
    await sandbox.ask("POST", `/repos/${original}/forks`, "priya", { organization: "crossing" });
    await withRemotes({ origin: "crossing/ferry" });
    expect((await create(["--fill", "--push"])).code).toBe(0);
    expect([await pulls(original), await pulls("crossing/ferry")]).toEqual([[], ["crossing/ferry"]]);
  });

  it("says with --dry-run where it would be created, and does not prompt", async () => {
    const ran = await create(["--fill", "--push", "--dry-run"], { terminal: true });
    expect(ran).toMatchObject({ code: 0, asked: [], stdout: expect.stringContaining(`/repos/${original}/pulls`) });
    expect(await pulls(original)).toEqual([]);
    expect(here.git("config", "--list", "--local")).not.toContain("tongs-default");
  });
});
