import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { splitWords } from "../../src/text/words.ts";
import { droppingProxy } from "../support/dropping-proxy.ts";
import { emptyFolder, type Ran } from "../support/tongs.ts";
import { type Checkout, cloneOf } from "./checkout.ts";
import { openTarget, type Person } from "./support.ts";

/** Who git commits as. */
const identity = {
  GIT_AUTHOR_NAME: "Mara",
  GIT_AUTHOR_EMAIL: "mara@example.org",
  GIT_COMMITTER_NAME: "Mara",
  GIT_COMMITTER_EMAIL: "mara@example.org",
};

const target = await openTarget();
let mara: Person;
let jonas: Person;
let repo: string;

beforeAll(async () => {
  mara = await target.person("mara");
  jonas = await target.person("jonas");
  repo = `${mara.login}/harbor`;
  expect((await on("repo", "create", "harbor", "--init", "--default-branch", "main")).code).toBe(0);
  await target.ask("PUT", `/repos/${repo}/collaborators/${jonas.login}`, { permission: "write" }, mara);
  await target.ask(
    "PATCH",
    `/repos/${repo}`,
    { allow_manual_merge: true, allow_fast_forward_only_merge: true, has_pull_requests: true },
    mara,
  );
});

/** Runs tongs as mara on the repository. */
const on = (...line: string[]): Promise<Ran> => mara.tongs(line, { env: { TONGS_REPO: repo } });

/** A new branch with one file, and its commit. */
async function branch(name: string, file: string, content: string, from = "main"): Promise<void> {
  const change = { operation: "create", path: file, content: Buffer.from(content).toString("base64") };
  await target.ask(
    "POST",
    `/repos/${repo}/contents`,
    { message: `Add ${file}`, branch: from, new_branch: name, files: [change] },
    mara,
  );
}

/** Creates a pull request with tongs and returns its number. */
async function opened(name: string, file = `${name}.txt`, content = name): Promise<string> {
  await branch(name, file, content);
  const ran = await on("pr", "create", "--head", name, "--title", `Add ${name}`, "--body", "");
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/\/pulls\/\d+\n$/) });
  return /(\d+)\n$/.exec(ran.stdout)?.[1] ?? "";
}

describe("changes to pull requests", () => {
  it("are fast-forwarded, or refused if the base has new commits", async () => {
    const first = await opened("forward");
    const second = await opened("behind");
    expect((await on("pr", "merge", first, "--style", "fast-forward-only")).code).toBe(0);
    const ran = await on("pr", "merge", second, "--style", "fast-forward-only");
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("cannot be fast-forwarded");
  });

  it("are not updated if that conflicts, which names the file", async () => {
    const first = await opened("tide-a", "tide.txt", "a\n");
    const second = await opened("tide-b", "tide.txt", "b\n");
    expect((await on("pr", "merge", first, "--merge")).code).toBe(0);
    const ran = await on("pr", "update", second);
    expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("tide.txt")]);
  });

  it("are viewed by their branches", async () => {
    const number = await opened("pinned");
    const found = await on("pr", "view", "--base", "main", "--head", "pinned", "--json", "number");
    expect(found.json()).toEqual({ number: Number(number) });
  });

  it("are not recorded as manually merged by a commit that the base does not have", async () => {
    const number = await opened("by-hand");
    const head = (await on("pr", "view", number, "--json", "head.sha")).json() as { head: { sha: string } };
    const wrong = await on("pr", "merge", number, "--style", "manually-merged", "--merge-commit", head.head.sha);
    expect(wrong.code).toBe(9);
  });
});

describe("a revert", () => {
  const world = { env: identity };
  /** Merges a pull request of two commits, and returns its number. */
  const merged = async (clone: Checkout, name: string, style: string): Promise<string> => {
    await clone.git("switch", "-q", "-c", name, "origin/main");
    await clone.commit(`First of ${name}`, { [`${name}-1.txt`]: "one\n" });
    await clone.commit(`Second of ${name}`, { [`${name}-2.txt`]: "two\n" });
    const made = await clone.tongs([
      "pr",
      "create",
      "--title",
      `Add ${name}`,
      "--body",
      "",
      "--push",
      "--json",
      "number",
    ]);
    const { number } = made.json() as { readonly number: number };
    // The servers check it first.
    await expect
      .poll(() => clone.tongs(["pr", "merge", `${number}`, "--style", style]).then(({ code }) => code))
      .toBe(0);
    await clone.git("fetch", "-q");
    return `${number}`;
  };
  const files = async (clone: Checkout, ref: string) => {
    await clone.git("fetch", "-q");
    return (await clone.git("ls-tree", "--name-only", ref)).split("\n");
  };

  it("is a pull request that takes back merges, squashed, rebased and fast-forwarded commits alike", async () => {
    expect((await mara.tongs(["repo", "create", "quay", "--init", "--default-branch", "main"])).code).toBe(0);
    const place = `${mara.login}/quay`;
    await target.ask(
      "PATCH",
      `/repos/${place}`,
      { allow_fast_forward_only_merge: true, has_pull_requests: true },
      mara,
    );
    const clone = await cloneOf(target, mara, place);
    for (const style of ["merge", "squash", "rebase", "rebase-merge", "fast-forward-only"]) {
      const number = await merged(clone, style, style);
      expect(await files(clone, "origin/main"), style).toContain(`${style}-2.txt`);
      const before = await clone.git("status", "--branch", "--porcelain");
      const dry = await clone.tongs(["pr", "revert", number, "--dry-run"], world);
      expect(dry.stderr).toContain("Dry run: would run git revert --no-edit ");
      const ran = await clone.tongs(["pr", "revert", number, "--json", "number,title,body,head.ref,base.ref"], world);
      expect([ran.code, ran.json()], style + ran.stderr).toMatchObject([
        0,
        {
          title: `Revert "Add ${style}"`,
          body: `Reverts #${number}`,
          head: { ref: `revert-${number}` },
          base: { ref: "main" },
        },
      ]);
      expect((await files(clone, `origin/revert-${number}`)).filter((name) => name.startsWith(style))).toEqual([]);
      expect(await clone.git("rev-list", "--count", `origin/main..origin/revert-${number}`)).toBe(
        style === "rebase" || style === "fast-forward-only" ? "2" : "1",
      );
      expect(await clone.git("status", "--branch", "--porcelain")).toBe(before);
      expect((await clone.git("worktree", "list")).split("\n")).toHaveLength(1);
      const again = await clone.tongs(["pr", "revert", number], world);
      expect(again).toMatchObject({
        code: 9,
        stderr: expect.stringContaining(`Branch revert-${number} already exists`),
      });
    }
  });

  it("is found where the server's answer is lost, and else named with the command to look with", async () => {
    const place = `${mara.login}/quay`;
    const clone = await cloneOf(target, mara, place);
    const number = await merged(clone, "lost", "squash");
    let isSwallowed = false;
    const isCreation = ({ method, url = "" }: IncomingMessage) => method === "POST" && url.endsWith("/pulls");
    const swallows = (request: IncomingMessage) => isSwallowed && isCreation(request);
    let losesBy: true | number = true;
    const drops = (request: IncomingMessage) => isCreation(request) && losesBy;
    const proxy = await droppingProxy(target.url, { drops, swallows });
    const env = { ...identity, TONGS_HOST: proxy.url };
    await clone.git("remote", "set-url", "origin", `${proxy.url}/${place}.git`);
    const made = await clone.tongs(["pr", "revert", number, "--json", "head.ref"], { env });
    expect([made.code, made.json()], made.stderr).toEqual([0, { head: { ref: `revert-${number}` } }]);
    expect(made.stderr).not.toMatch(/may have taken effect|was lost/);
    await clone.git("switch", "-q", "-c", "upper", `origin/revert-${number}`);
    await clone.commit("Upper", { "upper.txt": "x\n" });
    const line = ["pr", "create", "--stack", "--push", "--title", "Upper", "--body", "x", "--reviewer", jonas.login];
    isSwallowed = true;
    const gone = await clone.tongs(line, { env });
    expect([gone.code, gone.stderr.replace(/\s+/g, " ")]).toEqual([
      6,
      expect.stringContaining(`Look before you run the command again: tongs pr list --head upper -R ${place}`),
    ]);
    isSwallowed = false;
    losesBy = 504;
    const stacked = await clone.tongs([...line, "--json", "base.ref,requested_reviewers"], { env });
    expect(stacked, stacked.stderr).toMatchObject({ code: 0 });
    expect(stacked.stdout).toContain(jonas.login);
    expect(stacked.stdout).toContain(`revert-${number}`);
  });

  it("leaves nothing behind if later changes conflict, or took it back", async () => {
    const place = `${mara.login}/quay`;
    const clone = await cloneOf(target, mara, place);
    const number = await merged(clone, "later", "squash");
    await clone.git("switch", "-q", "main");
    await clone.git("pull", "-q");
    await clone.commit("Change it", { "later-1.txt": "uno\n" });
    await clone.push();
    const conflict = await clone.tongs(["pr", "revert", number], world);
    expect(conflict.code).toBe(9);
    expect(conflict.stderr).toContain("Later changes conflict with reverting it: later-1.txt\n");
    expect(conflict.stderr).toContain(`git switch -c revert-${number} origin/main\n`);
    expect(conflict.stderr).toMatch(/git revert --no-edit [0-9a-f]{40}\n/);
    await clone.git("rm", "-q", "later-1.txt", "later-2.txt");
    await clone.commit("Remove it", {});
    await clone.push();
    const gone = await clone.tongs(["pr", "revert", number], world);
    expect([gone.code, gone.stderr]).toEqual([9, expect.stringContaining("there is nothing to revert")]);
    expect(await clone.git("branch", "--list", "revert-*")).toBe("");
    expect(await clone.git("ls-remote", "origin", `revert-${number}`)).toBe("");
  });

  it("is refused in a shallow clone, where git would revert the commit by deleting everything", async () => {
    const place = `${mara.login}/quay`;
    const clone = await cloneOf(target, mara, place);
    const number = await merged(clone, "shoal", "squash");
    const url = await clone.git("config", "--get", "remote.origin.url");
    await clone.git("clone", "-q", "--depth", "1", "--branch", "main", url, "shallow");
    const cwd = join(clone.folder, "shallow");
    const ran = await mara.tongs(["pr", "revert", number], { ...world, cwd });
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining("git fetch --unshallow") });
    expect(await clone.git("-C", "shallow", "branch", "--list", "revert-*")).toBe("");
  });

  it("is kept in the clone of who cannot push, with the command that goes on", async () => {
    const place = `${mara.login}/quay`;
    const clone = await cloneOf(target, mara, place);
    const number = await merged(clone, "foreign", "squash");
    const reader = await target.person("lena");
    const other = await cloneOf(target, reader, place);
    const ran = await other.tongs(["pr", "revert", number], world);
    expect(ran, ran.stderr).toMatchObject({ code: 4 });
    const [, rest = ""] = /tongs (pr create --agit .*)\n/.exec(ran.stderr) ?? [];
    expect(rest).toContain(`--head revert-${number} --base main`);
    expect(await other.git("branch", "--list", `revert-${number}`)).toContain("revert-");
    const again = await other.tongs(["pr", "revert", number], world);
    expect([again.code, again.stderr]).toEqual([9, expect.stringContaining("already exists in the clone")]);
    // The sandbox takes no pushes to refs/for.
    if (target.kind === "sandbox") return;
    const made = await other.tongs([...splitWords(rest, "hint"), "--json", "title"], world);
    expect([made.code, made.json()], made.stderr).toEqual([0, { title: 'Revert "Add foreign"' }]);
  });

  it("needs a merged pull request, and a clone", async () => {
    const place = `${mara.login}/quay`;
    const clone = await cloneOf(target, mara, place);
    await clone.git("switch", "-q", "-c", "open");
    await clone.commit("Open", { "open.txt": "x" });
    const made = await clone.tongs(["pr", "create", "--title", "Open", "--body", "", "--push", "--json", "number"]);
    const { number } = made.json() as { readonly number: number };
    const open = await clone.tongs(["pr", "revert", `${number}`], world);
    expect(open).toMatchObject({ code: 9, stderr: expect.stringContaining("is not merged") });
    const outside = await mara.tongs(["pr", "revert", "1", "-R", place], { cwd: emptyFolder() });
    expect(outside).toMatchObject({ code: 2, stderr: expect.stringContaining(`tongs repo clone ${place}`) });
  });
});

describe("pr create --push where the server looks at pushes later", () => {
  it("asks again until the branch is there, and at the end does not say to push it", async () => {
    const clone = await cloneOf(target, mara, repo);
    let left = 0;
    const proxy = await droppingProxy(target.url, {
      drops: () => false,
      misses: ({ method, url = "" }) => {
        const isPost = method === "POST" && url.endsWith("/pulls");
        const isMissed = left > 0 && (isPost || /\/branches\/late/.test(url));
        if (isPost) left -= 1;
        return isMissed;
      },
    });
    await clone.git("remote", "set-url", "origin", `${proxy.url}/${repo}.git`);
    const createOn = async (branch: string, misses: number) => {
      await clone.git("switch", "-q", "-c", branch, "main");
      await clone.commit("Late", { [`${branch}.txt`]: "x\n" });
      left = misses;
      const line = ["pr", "create", "--title", branch, "--body", "", "--push", "-R", repo];
      return clone.tongs(line, { env: { ...identity, TONGS_HOST: proxy.url } });
    };
    const made = await createOn("late", 2);
    expect(made, made.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("/pulls/") });
    const never = await createOn("later", 100);
    expect(never).toMatchObject({ code: 5, stderr: expect.stringContaining("It was pushed, and the server") });
    expect(never.stderr).toContain(`Branch later not found in ${repo}`);
    expect(never.stderr).not.toContain("--push");
    expect(left).toBe(94);
  });
});
