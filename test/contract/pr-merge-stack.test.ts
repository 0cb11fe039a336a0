import { beforeAll, describe, expect, it } from "vitest";
import { droppingProxy } from "../support/dropping-proxy.ts";
import { type Checkout, cloneOf } from "./checkout.ts";
import { openTarget, type Person, type Target } from "./support.ts";

let target: Target;
let mara: Person;

beforeAll(async () => {
  target = await openTarget();
  mara = await target.person("mara");
});

interface Stack {
  readonly repo: string;
  readonly clone: Checkout;
  /** `BASE open` of each pull request by its number. */
  states(): Promise<Record<number, string>>;
  /** The files of a branch on the server. */
  files(branch: string): Promise<string[]>;
  subjects(branch: string): Promise<string[]>;
}

/** keel, mast on keel, sail on mast, and flag on mast: numbers 1 to 4. */
async function openStack(name: string): Promise<Stack> {
  const repo = `${mara.login}/${name}`;
  await target.ask("POST", "/user/repos", { name, auto_init: true, default_branch: "main" }, mara);
  const clone = await cloneOf(target, mara, repo);
  await clone.git("config", "user.name", "Mara");
  await clone.git("config", "user.email", "mara@example.org");
  for (const [branch, on] of [
    ["keel", "main"],
    ["mast", "keel"],
    ["sail", "mast"],
    ["flag", "mast"],
  ] as const) {
    await clone.git("switch", "-q", "-c", branch, on);
    await clone.commit(`Add ${branch}`, { [`${branch}.txt`]: `${branch}\n` });
    await clone.git("push", "-q", "--set-upstream", "origin", branch);
    const body = { title: branch, head: branch, base: on };
    await target.ask("POST", `/repos/${repo}/pulls`, body, mara);
  }
  const fetched = async (line: readonly string[], branch: string) => {
    await clone.git("fetch", "-q", "origin");
    return (await clone.git(...line, `origin/${branch}`)).split("\n");
  };
  return {
    repo,
    clone,
    async states() {
      const all = (await target.ask("GET", `/repos/${repo}/pulls?state=all`, undefined, mara)) as {
        readonly number: number;
        readonly base: { readonly ref: string };
        readonly state: string;
        readonly merged: boolean;
      }[];
      return Object.fromEntries(
        all.map(({ number, base, state, merged }) => [number, `${base.ref} ${merged ? "merged" : state}`]),
      );
    },
    files: (branch) => fetched(["ls-tree", "--name-only"], branch),
    subjects: (branch) => fetched(["log", "--format=%s"], branch),
  };
}

describe("pr merge --stack", () => {
  it("squashes from the bottom: rebases and retargets what is above, beside it, too, and deletes the branches", async () => {
    const { repo, clone, states, files, subjects } = await openStack("squashed");
    await clone.git("switch", "-q", "sail");
    const before = await clone.git("rev-parse", "sail", "mast");
    const line = ["pr", "merge", "--stack", "--style", "squash", "--delete-branch"];
    const shallow = await mara.tongs(["repo", "clone", repo, `${clone.folder}-shallow`, "--", "--depth=1"]);
    expect(shallow.code, shallow.stderr).toBe(0);
    const refused = await clone.tongs([...line, "3", "--yes"], { cwd: `${clone.folder}-shallow` });
    expect(refused).toMatchObject({ code: 9, stderr: expect.stringContaining("git fetch --unshallow") });
    const asked = await clone.tongs(line);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("merge #1, #2, #3 of") });
    expect(asked.stderr).toContain("and base #4 on main, and delete branches keel, mast, sail");
    expect(await states()).toMatchObject({ 1: "main open" });

    const ran = await clone.tongs([...line, "--yes"]);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    for (const number of [1, 2, 3]) expect(ran.stderr).toContain(`Merged ${repo}#${number} into main (squash)`);
    for (const branch of ["keel", "mast", "sail"])
      expect(ran.stderr).toMatch(new RegExp(`✓ Deleted branch ${branch} \\(was [0-9a-f]{10}\\) from ${repo} `));
    expect(await states()).toMatchObject({ 1: "main merged", 2: "main merged", 3: "main merged", 4: "main open" });
    expect(await files("main")).toEqual(["README.md", "keel.txt", "mast.txt", "sail.txt"]);
    expect(await files("flag")).toEqual(["README.md", "flag.txt", "keel.txt", "mast.txt"]);
    expect((await subjects("flag"))[0]).toBe("Add flag");
    expect(await subjects("main")).toHaveLength(4);
    expect(await clone.git("ls-remote", "--heads", "origin")).not.toMatch(/refs\/heads\/(keel|mast|sail)$/m);
    // What is here stays as it is.
    expect(await clone.git("rev-parse", "sail", "mast")).toBe(before);
    expect(await clone.git("worktree", "list")).not.toContain("tongs-worktree");
  });

  it("stops where one cannot be merged, with the reasons, and goes on when it is run again", async () => {
    const { repo, clone, states, files } = await openStack("stopped");
    await target.ask("PATCH", `/repos/${repo}/pulls/2`, { title: "WIP: mast" }, mara);
    const line = ["pr", "merge", "3", "--stack", "--style", "squash", "--yes"];
    const stopped = await clone.tongs([...line, "-d"]);
    expect(stopped, stopped.stderr).toMatchObject({ code: 11 });
    expect(stopped.stderr).toContain("Merged 1 of 3. When it can go on, run the same command again.");
    expect(stopped.stderr).toMatch(/✓ Deleted branch keel /);
    expect(stopped.stderr).toContain(`Cannot merge ${repo}#2: It is a draft`);
    expect(await states()).toMatchObject({ 1: "main merged", 2: "main open", 3: "mast open" });
    await target.ask("PATCH", `/repos/${repo}/pulls/2`, { title: "mast" }, mara);
    const ran = await clone.tongs([...line, "--json", "number,merged"]);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.json()).toEqual([2, 3].map((number) => ({ number, merged: true })));
    expect(await files("main")).toEqual(["README.md", "keel.txt", "mast.txt", "sail.txt"]);
  });

  it("goes on above branches that were squashed from one into the other, and have later commits", async () => {
    const { clone, states, files, subjects } = await openStack("chained");
    // tongs waits while the server still looks at the second.
    for (const number of ["2", "1"])
      expect(await clone.tongs(["pr", "merge", number, "--style", "squash", "--yes"])).toMatchObject({ code: 0 });
    await clone.git("switch", "-q", "mast");
    await clone.commit("Too late", { "late.txt": "late\n" });
    await clone.git("push", "-q", "origin", "mast");
    const why = await clone.tongs(["pr", "why", "3"]);
    expect(why).toMatchObject({ code: 1, stdout: expect.stringContaining("tongs pr merge 3 --stack -R ") });
    expect(why.stdout).toContain("tongs pr edit 3 --base main -R ");
    const ran = await clone.tongs(["pr", "merge", "3", "--stack", "--style", "merge", "--yes", "-d"]);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain("Branch mast is kept: it has commits that are not in main");
    expect(ran.stderr).toContain("Deleted branch sail ");
    expect(await states()).toMatchObject({ 3: "main merged", 4: "main open" });
    expect(await files("main")).toEqual(["README.md", "keel.txt", "mast.txt", "sail.txt"]);
    expect(await files("mast")).toContain("late.txt");
    expect(await subjects("main")).toHaveLength(4);
  });

  it("judges all by the rules of the branch that the stack goes into", async () => {
    const { repo, clone, states } = await openStack("ruled");
    const rule = { rule_name: "main", required_approvals: 1 };
    await target.ask("POST", `/repos/${repo}/branch_protections`, rule, mara);
    await expect
      .poll(async () => (await clone.tongs(["pr", "stack", "3", "--jq", ".[].why"])).stdout.split("\n"))
      .toEqual([...Array(4).fill("missing_approvals"), ""]);
    const ran = await clone.tongs(["pr", "merge", "3", "--stack", "--style", "squash", "--yes"]);
    expect(ran, ran.stderr).toMatchObject({ code: 9 });
    expect(ran.stderr).toContain(`Cannot merge ${repo}#1: Needs 1 more approval`);
    expect(await states()).toMatchObject({ 1: "main open", 2: "keel open" });
  });

  it("finishes what was interrupted between the merge and the rebase, and rebases nothing for merge commits", async () => {
    const { repo, clone, states } = await openStack("interrupted");
    await target.ask("POST", `/repos/${repo}/pulls/1/merge`, { Do: "squash", delete_branch_after_merge: false }, mara);
    const line = ["pr", "merge", "2", "--stack", "--style", "squash", "--yes"];
    const elsewhere = await mara.tongs([...line, "-R", repo]);
    expect(elsewhere.stderr).toContain("Rebasing a stack needs a clone");
    const before = await clone.git("ls-remote", "origin");
    const dry = await clone.tongs([...line, "--dry-run"]);
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/^PATCH .*\/pulls\/2\n/) });
    expect(dry.stderr).toMatch(/Dry run: would push mast, .*, rebased/);
    expect(await clone.git("ls-remote", "origin")).toBe(before);
    const ran = await clone.tongs(line);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(await states()).toMatchObject({ 2: "main merged", 3: "main open", 4: "main open" });
    const { clone: other, repo: plain, states: plainStates } = await openStack("merged");
    const outside = await mara.tongs(["pr", "merge", "2", "--stack", "--style", "merge", "--yes", "-R", plain]);
    expect(outside, outside.stderr).toMatchObject({ code: 0 });
    expect(outside.stderr).not.toContain("Rebased");
    expect(await plainStates()).toMatchObject({ 1: "main merged", 2: "main merged", 3: "main open", 4: "main open" });
    expect(await other.git("status", "--porcelain")).toBe("");
  });

  it("claims no merge that another request made, and goes on when it is run again", async () => {
    const { repo, clone, states } = await openStack("raced");
    const line = ["pr", "merge", "2", "--stack", "--style", "merge", "--delete-branch", "--yes"];
    // As Gitea answers the second of two merges.
    const proxy = await droppingProxy(target.url, {
      drops: () => false,
      breaks: ({ method, url = "" }) => method === "POST" && url.endsWith("/pulls/1/merge"),
    });
    try {
      await clone.git("remote", "set-url", "origin", `${proxy.url}/${repo}.git`);
      const lost = await clone.tongs(line, { env: { TONGS_HOST: proxy.url } });
      expect(lost, lost.stderr).toMatchObject({ code: 9 });
      expect(lost.stderr).toContain(`Pull request ${repo}#1 was merged meanwhile by ${mara.login}`);
      expect(lost.stderr).toContain("Merged 0 of 2. When it can go on, run the same command again.");
      expect(lost.stderr).toContain("Not deleted yet: keel");
      expect(lost.stderr).not.toMatch(/✓|Could not delete/);
      const ran = await clone.tongs(line, { env: { TONGS_HOST: proxy.url } });
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      expect(await states()).toMatchObject({ 1: "main merged", 2: "main merged", 3: "main open" });
      expect(await clone.git("ls-remote", "--heads", "origin")).not.toMatch(/refs\/heads\/(keel|mast)$/m);
    } finally {
      proxy.close();
    }
  });

  it("goes on after its own push, also while the server lists the old heads, and not after a push of somebody else", async () => {
    const { repo, clone, states } = await openStack("lagging");
    const openPulls = async () =>
      (await target.ask("GET", `/repos/${repo}/pulls?state=open`, undefined, mara)) as {
        readonly number: number;
        readonly head: object;
      }[];
    const first = await openPulls();
    let listed: unknown;
    let isLost = false;
    const proxy = await droppingProxy(target.url, {
      drops: () => false,
      swallows: ({ method, url = "" }) => isLost && method === "PATCH" && url.endsWith("/pulls/2"),
      answers: (url) => (/\/pulls\?.*state=open/.test(url) ? listed : undefined),
    });
    const env = { TONGS_HOST: proxy.url };
    const line = ["pr", "merge", "3", "--stack", "--style", "squash", "--yes"];
    try {
      listed = first;
      await clone.git("switch", "-q", "mast");
      await clone.commit("Unseen", { "unseen.txt": "x\n" });
      await clone.git("push", "-q", "origin", "mast");
      await clone.git("remote", "set-url", "origin", `${proxy.url}/${repo}.git`);
      const seen = await clone.tongs(line, { env });
      expect([seen.code, seen.stderr]).toEqual([11, expect.stringMatching(/Cannot merge .*#2: Its head is \w+, not/)]);
      listed = undefined;
      isLost = true;
      expect(await clone.tongs(line, { env })).toMatchObject({ code: 6 });
      isLost = false;
      const heads = new Map(first.map(({ number, head }) => [number, head]));
      listed = (await openPulls()).map((pull) => ({ ...pull, head: heads.get(pull.number) }));
      const ran = await clone.tongs(line, { env });
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      expect(await states()).toMatchObject({ 1: "main merged", 2: "main merged", 3: "main merged", 4: "main open" });
    } finally {
      proxy.close();
    }
  });

  it("changes nothing of a branch that conflicts, and says how to go on", async () => {
    const { repo, clone, states } = await openStack("conflicting");
    await clone.git("switch", "-q", "mast");
    await clone.commit("Change keel", { "keel.txt": "other\n" });
    await clone.push();
    const contents = { content: "eA==", message: "Change keel", branch: "main" };
    await target.ask("POST", `/repos/${repo}/contents/keel2.txt`, contents, mara);
    await clone.git("switch", "-q", "keel");
    await clone.commit("Change keel again", { "keel.txt": "third\n" });
    await clone.push();
    const ran = await clone.tongs(["pr", "merge", "2", "--stack", "--style", "squash", "--yes"]);
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("git rebase --onto origin/main") });
    expect(ran.stderr).toContain(`${repo}#2 cannot be rebased: it conflicts in keel.txt`);
    expect(await states()).toMatchObject({ 1: "main merged", 2: "keel open", 3: "mast open" });
    expect(await clone.git("worktree", "list")).not.toContain("tongs-worktree");
  });

  it("keeps what others pushed when the advice is followed, and goes on above a branch that was rebased by hand", async () => {
    const { clone, files, states } = await openStack("advised");
    const local = await clone.git("rev-parse", "mast");
    await clone.git("switch", "-q", "mast");
    // As a colleague would, from another clone: the local branch stays behind.
    await clone.commit("Change keel", { "keel.txt": "other\n", "theirs.txt": "x\n" });
    await clone.git("push", "-q", "origin", "mast");
    await clone.git("reset", "-q", "--hard", local);
    await clone.git("switch", "-q", "keel");
    await clone.commit("Change keel again", { "keel.txt": "third\n" });
    await clone.git("push", "-q", "origin", "keel");
    const line = ["pr", "merge", "3", "--stack", "--style", "squash", "--yes"];
    const stopped = await clone.tongs(line);
    expect(stopped.code, stopped.stderr).toBe(11);
    const advice = [...stopped.stderr.matchAll(/^\s*(?:→ )?git (switch|rebase|push) (.*)$/gm)].map(
      ([, verb = "", rest = ""]) => [verb, ...rest.split(" ")],
    );
    expect(advice.map(([verb]) => verb)).toEqual(["switch", "rebase", "push"]);
    const [detach = [], rebase = [], push = []] = advice;
    await clone.git(...detach);
    await expect(clone.git(...rebase)).rejects.toThrow();
    await clone.git("checkout", "-q", "--theirs", "keel.txt");
    await clone.git("add", "keel.txt");
    await clone.git("-c", "core.editor=true", "rebase", "--continue");
    await clone.git(...push, "-q");
    expect(await files("mast")).toContain("theirs.txt");
    const ran = await clone.tongs(line);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(await states()).toMatchObject({ 1: "main merged", 2: "main merged", 3: "main merged" });
    expect(await files("main")).toEqual(["README.md", "keel.txt", "mast.txt", "sail.txt", "theirs.txt"]);
  });
});
