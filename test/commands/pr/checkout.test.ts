import { cpSync, existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { splitWords } from "../../../src/text/words.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { openHarbor } from "./harbor.ts";

const harbor = await openHarbor();
const cloned = emptyFolder();
await harbor.git(cloned, ["clone", "-q", `${harbor.sandbox.url}/mara/harbor.git`, "."], "mara");
let here: string;
beforeEach(() => {
  here = join(emptyFolder(), "harbor");
  cpSync(cloned, here, { recursive: true });
});

const checkout = (...argv: string[]) => harbor.tongs("mara", here, "pr", "checkout", ...argv);
const git = (...args: string[]) => harbor.git(here, args);
const current = () => git("branch", "--show-current");
const follows = async (branch: string) =>
  `${await git("config", "--get", `branch.${branch}.remote`)} ${await git("config", "--get", `branch.${branch}.merge`)}`;
const file = (name: string) => readFileSync(join(here, name), "utf8");
const numberHere = async () => (await harbor.tongs("mara", here, "pr", "view", "--jq", ".number")).stdout.trim();

describe("tongs pr checkout", () => {
  it("tracks the branch of the same repository", async () => {
    expect(await checkout("1")).toMatchObject({ code: 0, stdout: "" });
    expect(await current()).toBe("feature/buoys");
    expect(await follows("feature/buoys")).toBe("origin refs/heads/feature/buoys");
    expect(await git("status", "-sb")).toBe("## feature/buoys...origin/feature/buoys");
    expect(file("buoys.txt")).toBe("red\n");
    expect(await numberHere()).toBe("1");
  });

  it("tracks a fork's branch if the user can push to it, so that git push and git pull work", async () => {
    expect((await checkout("2")).code).toBe(0);
    expect(await current()).toBe("tides");
    expect(await follows("tides")).toBe(`${harbor.sandbox.url}/priya/harbor.git refs/heads/tides`);
    expect(file("tides.txt")).toBe("low\nhigher\n");
    expect(await numberHere()).toBe("2");
    await harbor.git(here, ["commit", "-q", "--allow-empty", "-m", "From the maintainer"]);
    await harbor.git(here, ["push", "-q"], "mara");
    await harbor.git(here, ["pull", "-q"], "priya");
    const { body } = await harbor.sandbox.ask("GET", "/repos/mara/harbor/pulls/2", "mara");
    expect(body).toMatchObject({ head: { sha: await git("rev-parse", "HEAD") } });
  });

  it.each([
    ["5", "shut"],
    ["6", "veil"],
  ])("tracks refs/pull/N/head of a fork (number %s) that the user cannot push to or see", async (number, branch) => {
    const ran = await checkout(number);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/You cannot push to it: its branch is in (priya|lena)\/harbor/);
    expect(await follows(branch)).toBe(`origin refs/pull/${number}/head`);
    expect(await numberHere()).toBe(number);
    await harbor.git(here, ["pull", "-q"], "mara");
  });

  it.each(["2", "3", "5"])("leaves no new pull request to create from the branch of number %s", async (number) => {
    await checkout(number);
    for (const line of [[], ["--dry-run"]]) {
      const ran = await harbor.tongs("mara", here, "pr", "create", "--push", "--fill", ...line);
      expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining(`already exists: mara/harbor#${number}\n`)]);
    }
  });

  it("pushes own commits on the branch of a pull request that it cannot push to as a branch of its own", async () => {
    await checkout("5");
    await git("commit", "-q", "--allow-empty", "-m", "From the maintainer");
    const ran = await harbor.tongs("mara", here, "pr", "create", "--push", "--fill", "--dry-run");
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("would push shut to origin")]);
  });

  it("does not replace main with a fork's main, and prints how to push", async () => {
    const main = await git("rev-parse", "main");
    const ran = await checkout("3");
    expect(await current()).toBe("priya/main");
    expect(await git("rev-parse", "main")).toBe(main);
    expect(ran.stderr).toContain(`git push ${harbor.sandbox.url}/priya/harbor.git HEAD:refs/heads/main`);
    expect(await numberHere()).toBe("3");
  });

  it.each(["feature", "feature/buoys/red"])(
    "takes another name beside the branch %s, which git does not allow",
    async (own) => {
      await git("branch", own);
      expect(await checkout("1")).toMatchObject({ code: 0 });
      expect(await current()).toBe("mara/feature/buoys");
      expect(await numberHere()).toBe("1");
      const asked = await checkout("1", "--branch", "feature/buoys");
      expect([asked.code, asked.stderr]).toEqual([9, expect.stringContaining(`feature/buoys beside branch ${own}\n`)]);
    },
  );

  it("finds the commits of a deleted branch", async () => {
    expect((await checkout("4")).code).toBe(0);
    expect(await current()).toBe("gone");
    expect(file("gone.txt")).toBe("gone\n");
    expect(await numberHere()).toBe("4");
  });

  it("uses the remote of the fork if there is one", async () => {
    await git("remote", "add", "priya", `${harbor.sandbox.url}/priya/harbor.git`);
    const ran = await harbor.tongs("priya", here, "pr", "checkout", "2", "-R", "mara/harbor");
    expect(ran.code).toBe(0);
    expect(await follows("tides")).toBe("priya refs/heads/tides");
  });

  it("works in a clone of the fork", async () => {
    await harbor.git(here, ["remote", "set-url", "origin", `${harbor.sandbox.url}/priya/harbor.git`]);
    expect((await harbor.tongs("priya", here, "pr", "checkout", "1", "-R", "mara/harbor")).code).toBe(0);
    expect(await follows("feature/buoys")).toBe(`${harbor.sandbox.url}/mara/harbor.git refs/heads/feature/buoys`);
  });

  it("keeps the token out of git's arguments and configuration", async () => {
    await checkout("2");
    expect(harbor.calls()).toContain("fetch --no-tags");
    expect(harbor.calls() + file(".git/config")).not.toContain(harbor.sandbox.token("mara"));
  });

  it("names the branch with --branch, and creates none with --detach", async () => {
    await checkout("1", "--branch", "look");
    expect(await current()).toBe("look");
    expect(await follows("look")).toBe("origin refs/heads/feature/buoys");
    await checkout("2", "--detach");
    expect(await current()).toBe("");
    expect(await git("rev-parse", "HEAD")).toBe(await git("rev-parse", "FETCH_HEAD"));
  });

  it("checks out in a separate worktree with --worktree", async () => {
    const ran = await checkout("1", "--worktree", "../beside");
    expect(ran.code).toBe(0);
    expect(await current()).toBe("main");
    expect(readFileSync(join(here, "..", "beside", "buoys.txt"), "utf8")).toBe("red\n");
    const again = await checkout("1");
    expect(again.code).toBe(9);
    expect(again.stderr).toContain(`is already checked out in ${realpathSync(join(here, "..", "beside"))}`);
  });

  it("can fetch from a remote whose name looks like an option", async () => {
    await git("config", "remote.-q.url", await git("config", "--get", "remote.origin.url"));
    await git("config", "--remove-section", "remote.origin");
    expect(await checkout("1")).toMatchObject({ code: 0 });
    expect(await current()).toBe("feature/buoys");
  });

  it("prints the record with --json, and changes nothing with --dry-run", async () => {
    const dry = await checkout("1", "--dry-run");
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^git fetch --no-tags --end-of-options origin \+refs/),
    });
    expect(await current()).toBe("main");
    expect((await checkout("1", "--json", "number")).json()).toEqual({ number: 1 });
  });
});

describe("the name of the local branch", () => {
  const hex = "0123456789abcdef0123456789abcdef01234567";
  const taken = ["origin/main", "origin/later", "refs/heads/main", "heads/main", "FETCH_HEAD", "ORIG_HEAD", hex];
  const open = async (name: string, from = "priya/harbor") => {
    const [owner = ""] = from.split("/");
    const url = `${harbor.sandbox.url}/${from}.git`;
    await git("checkout", "-q", "--detach", "refs/remotes/origin/main");
    writeFileSync(join(here, "named.txt"), `${name}\n`);
    await git("add", "named.txt");
    await git("commit", "-q", "-m", name);
    await harbor.git(here, ["push", "-q", url, `HEAD:refs/heads/${name}`], owner);
    await git("checkout", "-q", "main");
    const head = owner === "mara" ? name : `${owner}:${name}`;
    const made = await harbor.sandbox.ask("POST", "/repos/mara/harbor/pulls", owner, {
      title: name,
      head,
      base: "main",
    });
    expect(made.status).toBe(201);
    return String((made.body as { number: number }).number);
  };
  /** The commit that each name means to git. */
  const meanings = (...names: string[]) =>
    Promise.all(names.map((name) => git("rev-parse", "--verify", "--quiet", name).catch(() => "nothing")));

  it.each(taken)("is OWNER/NAME where a fork's branch is called %s, so that it shadows nothing", async (name) => {
    const number = await open(name);
    const before = await meanings("origin/main", "refs/heads/main", "heads/main", hex);
    const ran = await checkout(number);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining(`HEAD:refs/heads/${name}`) });
    expect(await current()).toBe(`priya/${name}`);
    expect(file("named.txt")).toBe(`${name}\n`);
    expect(await meanings("origin/main", "refs/heads/main", "heads/main", hex)).toEqual(before);
    expect(await numberHere()).toBe(number);
    expect((await checkout(number)).stderr).toContain("(up to date)");
  });

  it("is one word of the command to push to it, whatever a shell makes of the name", async () => {
    const name = "heads/$(id);'x'";
    const { stderr } = await checkout(await open(name));
    const words = splitWords(/To push: (.+)/.exec(stderr)?.[1] ?? "", "the command");
    expect(words).toEqual(["git", "push", expect.stringContaining("harbor"), `HEAD:refs/heads/${name}`]);
    expect(stderr).toContain("'HEAD:refs/heads/heads/$(id);");
  });

  it("is OWNER/NAME for the name of a tag or of a commit", async () => {
    await git("tag", "v1");
    const commit = (await git("rev-parse", "HEAD")).slice(0, 7);
    for (const name of ["v1", commit]) {
      const before = await meanings(name);
      expect((await checkout(await open(name))).code).toBe(0);
      expect(await current()).toBe(`priya/${name}`);
      expect(await meanings(name)).toEqual(before);
    }
  });

  it("is pr-N where OWNER/NAME is a branch of a remote", async () => {
    await git("remote", "add", "priya", `${harbor.sandbox.url}/priya/harbor.git`);
    expect((await checkout("3")).code).toBe(0);
    expect(await current()).toBe("pr-3");
    expect(await follows("pr-3")).toBe("priya refs/heads/main");
  });

  it("is OWNER/NAME for a branch of the same repository", async () => {
    expect((await checkout(await open("origin/main", "mara/harbor"))).code).toBe(0);
    expect(await current()).toBe("mara/origin/main");
  });

  it("is that of --branch, whatever it means", async () => {
    await git("tag", "look");
    expect((await checkout("1", "--branch", "look")).code).toBe(0);
    expect(await current()).toBe("look");
  });
});

describe("an existing branch", () => {
  const advance = (content: string) => harbor.write("/repos/mara/harbor", "feature/buoys", "buoys.txt", content);

  it("is fast-forwarded, whether it is the current branch or not", async () => {
    await checkout("1");
    await advance("red\ngreen\n");
    expect((await checkout("1")).stderr).toContain("(1 new commit)");
    expect(file("buoys.txt")).toBe("red\ngreen\n");
    await git("checkout", "-q", "main");
    await advance("red\n");
    expect((await checkout("1")).stderr).toContain("(1 new commit)");
    expect(file("buoys.txt")).toBe("red\n");
    expect((await checkout("1")).stderr).toContain("(up to date)");
  });

  it("keeps its own commits", async () => {
    await checkout("1");
    await git("commit", "-q", "--allow-empty", "-m", "Mine");
    const mine = await git("rev-parse", "HEAD");
    expect((await checkout("1")).stderr).toContain("1 unpushed commit");
    expect(await git("rev-parse", "HEAD")).toBe(mine);
  });

  it("does not change if it has diverged, unless --force discards its own commits", async () => {
    await checkout("1");
    await git("reset", "-q", "--hard", "HEAD~1");
    await git("commit", "-q", "--allow-empty", "-m", "Mine");
    const mine = await git("rev-parse", "HEAD");
    await git("checkout", "-q", "main");
    const ran = await checkout("1");
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("have diverged: 1 commit ahead, 1 behind");
    expect([await git("rev-parse", "feature/buoys"), await current()]).toEqual([mine, "main"]);
    expect((await checkout("1", "--force")).stderr).toContain(`(was at ${mine.slice(0, 10)})`);
    expect(await git("rev-parse", "HEAD")).toBe(await git("rev-parse", "origin/feature/buoys"));
  });

  it("is not used if it tracks another branch", async () => {
    await git("branch", "-q", "--track", "tides", "origin/main");
    const before = await git("rev-parse", "tides");
    const ran = await checkout("2");
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("Local branch tides has another upstream: origin main");
    expect(await git("rev-parse", "tides")).toBe(before);
  });

  it("is used if it tracks no branch and can be fast-forwarded", async () => {
    await git("branch", "-q", "--no-track", "tides", "main");
    expect((await checkout("2")).code).toBe(0);
    expect(await follows("tides")).toContain("refs/heads/tides");
  });
});

describe("uncommitted changes", () => {
  it("are never overwritten, not even with --force, and nothing else changes", async () => {
    writeFileSync(join(here, "buoys.txt"), "mine\n");
    const ran = await checkout("1");
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("would be overwritten: buoys.txt");
    expect([file("buoys.txt"), await current()]).toEqual(["mine\n", "main"]);
    expect((await checkout("1", "--force")).code).toBe(9);
    expect(file("buoys.txt")).toBe("mine\n");
  });

  it("are kept if the current branch is fast-forwarded", async () => {
    await checkout("2");
    await git("reset", "-q", "--hard", "origin/main");
    writeFileSync(join(here, "tides.txt"), "mine\n");
    const before = await git("rev-parse", "HEAD");
    expect((await checkout("2")).code).toBe(9);
    expect([file("tides.txt"), await git("rev-parse", "HEAD")]).toEqual(["mine\n", before]);
  });

  it("are never overwritten in ignored files either, whatever has to be moved", async () => {
    const kept = async (...argv: string[]) => {
      const before = await git("rev-parse", "HEAD");
      const ran = await checkout(...argv);
      expect([argv, ran.code, file("tides.txt")]).toEqual([argv, 9, "mine\n"]);
      expect(ran.stderr).toContain("would be overwritten: tides.txt");
      expect(await git("rev-parse", "HEAD")).toBe(before);
    };
    await checkout("2");
    const theirs = await git("rev-parse", "HEAD");
    await git("rm", "-q", "tides.txt");
    await git("commit", "-q", "-m", "Mine");
    const mine = await git("rev-parse", "HEAD");
    writeFileSync(join(here, ".git", "info", "exclude"), "tides.txt\n");
    writeFileSync(join(here, "tides.txt"), "mine\n");
    await git(
      "update-ref",
      "refs/heads/tides",
      await git("commit-tree", "-p", `${theirs}~1`, "-m", "x", `${mine}^{tree}`),
    );
    await kept("2", "--force");
    await git("checkout", "-q", "-b", "other");
    await kept("2", "--force");
    await kept("2", "--detach");
    await kept("2", "--branch", "new");
  });

  it("leave the branch unchanged if git cannot switch to it", async () => {
    await checkout("2");
    await git("reset", "-q", "--hard", "origin/main");
    await git("checkout", "-q", "-b", "other", "main");
    const before = await git("rev-parse", "tides");
    writeFileSync(join(here, "tides.txt"), "mine\n");
    expect((await checkout("2")).code).toBe(9);
    expect([await git("rev-parse", "tides"), await current(), file("tides.txt")]).toEqual([before, "other", "mine\n"]);
  });
});

describe("a failing checkout", () => {
  it("is refused outside a git repository, with a hint to clone it", async () => {
    const ran = await harbor.tongs("mara", emptyFolder(), "pr", "checkout", "1", "-R", "mara/harbor");
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("tongs repo clone mara/harbor");
  });

  it.each([
    ["--branch", "a..b"],
    ["--branch", "-x"],
    ["--branch", "x", "--detach"],
    ["--detach", "--force"],
  ])("is a usage error: %s %s %s", async (...argv) => {
    expect((await checkout("1", ...argv)).code).toBe(2);
    expect(await current()).toBe("main");
  });

  it("names a bare repository, where only --worktree can be used", async () => {
    await harbor.git(here, ["clone", "-q", "--bare", ".", "../bare.git"]);
    const bare = join(here, "..", "bare.git");
    await harbor.git(bare, ["remote", "set-url", "origin", `${harbor.sandbox.url}/mara/harbor.git`]);
    // Files that look like a bare repository can be those of a clone: a .git has to say that they are one.
    const looks = await harbor.tongs("mara", bare, "pr", "checkout", "1", "-R", "mara/harbor");
    expect([looks.code, looks.stderr]).toEqual([2, expect.stringContaining("In a bare repository, set GIT_DIR=.")]);
    writeFileSync(join(bare, ".git"), "gitdir: .\n");
    const refused = await harbor.tongs("mara", bare, "pr", "checkout", "1");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("This is a bare repository")]);
    expect(refused.stderr).toContain("Pass --worktree DIR.");
    const made = await harbor.tongs("mara", bare, "pr", "checkout", "1", "--worktree", "../work");
    expect(made.code, made.stderr).toBe(0);
    expect(readFileSync(join(here, "..", "work", "buoys.txt"), "utf8")).toBe("red\n");
  });

  it("works in a repository without commits", async () => {
    const empty = emptyFolder();
    await harbor.git(empty, ["init", "-q", "-b", "main"]);
    await harbor.git(empty, ["remote", "add", "origin", `${harbor.sandbox.url}/mara/harbor.git`]);
    const made = await harbor.tongs("mara", empty, "pr", "checkout", "1");
    expect([made.code, readFileSync(join(empty, "buoys.txt"), "utf8")], made.stderr).toEqual([0, "red\n"]);
  });

  it("exits 5 for a pull request that does not exist", async () => {
    expect((await checkout("99")).code).toBe(5);
    expect(existsSync(join(here, "buoys.txt"))).toBe(false);
  });
});
