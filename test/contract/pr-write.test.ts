import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { splitWords } from "../../src/text/words.ts";
import { gitFolder } from "../commands/pr/git-folder.ts";
import { droppingProxy } from "../support/dropping-proxy.ts";
import { emptyFolder, type Ran } from "../support/tongs.ts";
import { type Checkout, cloneOf } from "./checkout.ts";
import { openTarget, type Person, type Target } from "./support.ts";

/** Who git commits as. */
const identity = {
  GIT_AUTHOR_NAME: "Mara",
  GIT_AUTHOR_EMAIL: "mara@example.org",
  GIT_COMMITTER_NAME: "Mara",
  GIT_COMMITTER_EMAIL: "mara@example.org",
};

let target: Target;
let mara: Person;
let jonas: Person;
let repo: string;

beforeAll(async () => {
  target = await openTarget();
  mara = await target.person("mara");
  jonas = await target.person("jonas");
  repo = `${mara.login}/harbor`;
  expect((await on("repo", "create", "harbor", "--init", "--default-branch", "main")).code).toBe(0);
  await target.ask("POST", `/repos/${repo}/labels`, { name: "bug", color: "#ee0701" }, mara);
  await target.ask("POST", `/repos/${repo}/labels`, { name: "docs", color: "#0075ca" }, mara);
  await target.ask("POST", `/repos/${repo}/milestones`, { title: "First season" }, mara);
  await target.ask("PUT", `/repos/${repo}/collaborators/${jonas.login}`, { permission: "write" }, mara);
  await target.ask(
    "PATCH",
    `/repos/${repo}`,
    { allow_manual_merge: true, allow_fast_forward_only_merge: true, has_pull_requests: true },
    mara,
  );
});
afterAll(() => target.close());

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
  it("are created with all flags, and only once", async () => {
    await branch("buoys", "buoys.txt", "red");
    const names = ["--label", "docs", "--milestone", "first season", "--assignee", "@me", "--reviewer", jonas.login];
    const line = [
      "pr",
      "create",
      "--head",
      "buoys",
      "--title",
      "Buoys",
      "--body",
      "B",
      ...names,
      "--draft",
      "--due",
      "2027-01-02",
    ];
    const pull = (await on(...line, "--json")).json() as Record<string, { title?: string }>;
    expect(pull).toMatchObject({
      title: "WIP: Buoys",
      labels: [{ name: "docs" }],
      milestone: { title: "First season" },
    });
    expect(pull).toMatchObject({ assignees: [{ login: mara.login }], requested_reviewers: [{ login: jonas.login }] });
    // Forgejo 7.0 has no field for drafts.
    expect([true, undefined]).toContain(pull["draft"]);
    expect((await on("pr", "list", "--draft", "--jq", ".[].title")).stdout).toBe("WIP: Buoys\n");
    expect((await on(...line)).code).toBe(9);
    expect((await on("pr", "create", "--head", "absent", "--title", "x", "--body", "")).code).toBe(5);
  });

  it("are edited without losing other changes, and not at all if nothing differs", async () => {
    const number = await opened("lights");
    const known = (await target.ask("GET", `/repos/${repo}/labels`)) as { id: number; name: string }[];
    const labels = known.filter(({ name }) => name === "docs").map(({ id }) => id);
    await target.ask("POST", `/repos/${repo}/issues/${number}/labels`, { labels }, jonas);
    const line = [
      "pr",
      "edit",
      number,
      "--title",
      "Lights",
      "--add-label",
      "bug",
      "--add-assignee",
      jonas.login,
      "--milestone",
      "First season",
    ];
    const [pull] = (await on(...line, "--json")).json() as { labels: { name: string }[] }[];
    expect(pull).toMatchObject({
      title: "Lights",
      assignees: [{ login: jonas.login }],
      milestone: { title: "First season" },
    });
    expect(pull?.labels.map(({ name }) => name).sort()).toEqual(["bug", "docs"]);
    expect((await on(...line)).stderr).toContain("nothing was changed");
    const removed = await on(
      "pr",
      "edit",
      number,
      "--remove-label",
      "docs",
      "--no-milestone",
      "--remove-assignee",
      jonas.login,
      "--json",
    );
    expect(removed.json()).toMatchObject([{ labels: [{ name: "bug" }], milestone: null }]);
    expect((await on("pr", "edit", number, "--add-label", "bgu")).code).toBe(13);
  });

  it("change from draft to ready, from closed to open, and from outdated to updated", async () => {
    const number = await opened("sails");
    const [{ draft } = {}] = (await on("pr", "ready", number, "--undo", "--json", "draft")).json() as {
      draft?: boolean;
    }[];
    expect([true, null]).toContain(draft);
    expect((await on("pr", "view", number)).stdout).toContain("draft");
    expect((await on("pr", "merge", number, "--merge")).stderr).toContain("tongs pr ready");
    expect((await on("pr", "ready", number)).code).toBe(0);
    expect((await on("pr", "close", number, "--comment", "Not yet")).code).toBe(0);
    expect((await on("pr", "merge", number, "--merge")).stderr).toContain("is closed");
    expect((await on("pr", "reopen", number)).code).toBe(0);
    expect((await on("pr", "update", number)).stderr).toContain("already up to date");
    const other = await opened("masts");
    expect((await on("pr", "merge", other, "--squash")).code).toBe(0);
    expect((await on("pr", "update", number)).stderr).toContain("Updated");
    expect((await on("pr", "merged", number)).code).toBe(1);
    expect((await on("pr", "merged", other)).code).toBe(0);
    expect((await on("pr", "merged", "9999")).code).toBe(5);
  });

  it.each(["merge", "rebase", "rebase-merge", "squash"])("are merged by %s", async (style) => {
    const number = await opened(`by-${style}`);
    const ran = await on("pr", "merge", number, "--style", style, "-d", "--json", "merged,head.ref");
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.json()).toEqual({ merged: true, head: { ref: `refs/pull/${number}/head` } });
    const again = await on("pr", "merge", number, "--style", style);
    expect(again.code).toBe(9);
    expect(again.stderr).toContain("is already merged");
  });

  it("are fast-forwarded, or refused if the base has new commits", async () => {
    const first = await opened("forward");
    const second = await opened("behind");
    expect((await on("pr", "merge", first, "--style", "fast-forward-only")).code).toBe(0);
    const ran = await on("pr", "merge", second, "--style", "fast-forward-only");
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("cannot be fast-forwarded");
  });

  it("are refused at once if they conflict, with the file, or have nothing to merge", async () => {
    const first = await opened("tide-a", "tide.txt", "a\n");
    const second = await opened("tide-b", "tide.txt", "b\n");
    expect((await on("pr", "merge", first, "--merge")).code).toBe(0);
    for (const line of [
      ["pr", "merge", second, "--merge"],
      ["pr", "update", second],
    ]) {
      const ran = await on(...line);
      expect(ran.code).toBe(9);
      expect(ran.stderr).toContain("tide.txt");
    }
    await target.ask("POST", `/repos/${repo}/branches`, { new_branch_name: "same" }, mara);
    const created = await on("pr", "create", "--head", "same", "--title", "Same", "--body", "");
    const number = /(\d+)\n$/.exec(created.stdout)?.[1] ?? "";
    expect((await on("pr", "merge", number, "--merge")).stderr).toContain("has nothing to merge");
  });

  it("are viewed by their branches, and merged only with the given head", async () => {
    const number = await opened("pinned");
    const found = await on("pr", "view", "--base", "main", "--head", "pinned", "--json", "number");
    expect(found.json()).toEqual({ number: Number(number) });
    expect((await on("pr", "merge", number, "--merge", "--match-head", "abcdef0")).code).toBe(9);
    const view = (await on("pr", "view", number, "--json", "head.sha")).json() as { head: { sha: string } };
    expect((await on("pr", "merge", number, "--merge", "--match-head", view.head.sha.slice(0, 8))).code).toBe(0);
  });

  it("are scheduled while a check is pending, cancelled, and merged at once if none is pending", async () => {
    await target.ask(
      "POST",
      `/repos/${repo}/branch_protections`,
      { rule_name: "main", enable_status_check: true, status_check_contexts: ["ci/build"], enable_push: true },
      mara,
    );
    const number = await opened("gauges");
    const view = (await on("pr", "view", number, "--json", "head.sha")).json() as { head: { sha: string } };
    const report = (state: string) =>
      target.ask("POST", `/repos/${repo}/statuses/${view.head.sha}`, { state, context: "ci/build" }, mara);
    await report("pending");
    expect((await on("pr", "merge", number, "--merge")).stderr).toContain("Required checks are pending: ci/build");
    expect((await on("pr", "merge", number, "--merge", "--auto")).stderr).toContain("Waiting for: ci/build (pending)");
    expect((await on("pr", "merge", number, "--merge", "--auto")).stderr).toContain(
      "An automatic merge is already scheduled",
    );
    expect((await on("pr", "merge", number, "--cancel-auto")).code).toBe(0);
    expect((await on("pr", "merge", number, "--cancel-auto")).code).toBe(5);
    await report("success");
    expect((await on("pr", "merge", number, "--merge", "--auto")).stderr).toContain(`Merged ${repo}#${number}`);
    await target.ask("DELETE", `/repos/${repo}/branch_protections/main`, undefined, mara);
  });

  it("are created from a clone, pushing the branch", async () => {
    const { origin } = new URL(target.url);
    const folder = gitFolder();
    folder.git("remote", "add", "origin", `${origin}/${repo}.git`);
    await folder.talk("fetch", "-q", "origin");
    folder.git("switch", "-q", "-c", "lamps", "origin/main");
    folder.commit("Light the lamps\n\nWith oil.", "lamps.txt", "oil\n");
    const here = { cwd: folder.path };
    expect((await mara.tongs(["pr", "create", "--fill"], here)).stderr).toContain(
      "Branch lamps has not been pushed to",
    );
    const ran = await mara.tongs(["pr", "create", "--fill", "--push", "--json", "title,body,head.ref"], here);
    expect(ran.json()).toEqual({ title: "Light the lamps", body: "With oil.", head: { ref: "lamps" } });
    expect((await mara.tongs(["pr", "merge", "--squash"], here)).code).toBe(0);
  });

  it("are recorded as manually merged", async () => {
    const number = await opened("by-hand");
    const head = (await on("pr", "view", number, "--json", "head.sha")).json() as { head: { sha: string } };
    const wrong = await on("pr", "merge", number, "--style", "manually-merged", "--merge-commit", head.head.sha);
    expect(wrong.code).toBe(9);
  });
});

describe("changes to repositories", () => {
  it("are created, refused the second time, and deleted", async () => {
    expect((await on("repo", "create", "scratch", "--private")).stdout).toContain(`/${mara.login}/scratch\n`);
    expect((await on("repo", "create", "scratch")).code).toBe(9);
    expect((await on("repo", "list", "--json", "name")).json()).toContainEqual({ name: "scratch" });
    expect((await on("repo", "delete", `${mara.login}/scratch`)).code).toBe(2);
    expect((await on("repo", "delete", `${mara.login}/scratch`, "--yes")).code).toBe(0);
    expect((await on("repo", "view", `${mara.login}/scratch`)).code).toBe(5);
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
    try {
      const made = await clone.tongs(["pr", "revert", number, "--json", "head.ref"], { env });
      expect([made.code, made.json()], made.stderr).toEqual([0, { head: { ref: `revert-${number}` } }]);
      expect(made.stderr).toContain("the pull request was created anyway");
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
      expect(stacked, stacked.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining("created anyway") });
      expect(stacked.stdout).toContain(jonas.login);
      expect(stacked.stdout).toContain(`revert-${number}`);
    } finally {
      proxy.close();
    }
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
    // Run again, it names the branch that it left, and the same command.
    const again = await other.tongs(["pr", "revert", number], world);
    expect([again.code, again.stderr]).toEqual([9, expect.stringContaining(`tongs ${rest}`)]);
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
    try {
      const made = await createOn("late", 2);
      expect(made, made.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("/pulls/") });
      const never = await createOn("later", 100);
      expect(never).toMatchObject({ code: 5, stderr: expect.stringContaining("It was pushed, and the server") });
      expect(never.stderr).toContain(`Branch later not found in ${repo}`);
      expect(never.stderr).not.toContain("--push");
      expect(left).toBe(94);
    } finally {
      proxy.close();
    }
  });
});
