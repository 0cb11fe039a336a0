import { beforeAll, describe, expect, it } from "vitest";
import { mergeStyles } from "../../src/forge/repos.ts";
import { type Checkout, cloneOf } from "./checkout.ts";
import { openTarget, type Person, type Target } from "./support.ts";

interface Pull {
  readonly number: number;
  readonly state: string;
  readonly merged: boolean;
  readonly title: string;
  readonly html_url: string;
  readonly merge_commit_sha: string | null;
  readonly labels: readonly { readonly name: string }[];
  readonly assignees: readonly { readonly login: string }[] | null;
  readonly requested_reviewers: readonly { readonly login: string }[] | null;
  readonly milestone: { readonly title: string } | null;
  readonly head: { readonly sha: string; readonly ref: string };
}

describe("a day with pull requests", () => {
  let target: Target;
  let mara: Person;
  let jonas: Person;
  let priya: Person;
  let clone: Checkout;
  let repo: string;
  let count = 0;

  beforeAll(async () => {
    target = await openTarget();
    [mara, jonas, priya] = [await target.person("mara"), await target.person("jonas"), await target.person("priya")];
    const made = await mara.tongs(["repo", "create", "harbor", "--init"]);
    expect(made.code, made.stderr).toBe(0);
    repo = `${mara.login}/harbor`;
    const path = `/repos/${repo}`;
    await target.ask("PUT", `${path}/collaborators/${jonas.login}`, { permission: "write" }, mara);
    for (const name of ["bug", "docs"]) await target.ask("POST", `${path}/labels`, { name, color: "#aa3300" }, mara);
    await target.ask("POST", `${path}/milestones`, { title: "First season" }, mara);
    await target.ask("PATCH", path, { allow_manual_merge: true, autodetect_manual_merge: false }, mara);
    clone = await cloneOf(target, mara, repo);
    await clone.commit("Lay the ground", { "berths.txt": "one\ntwo\nthree\n" });
    await clone.push("origin", "HEAD");
  });

  /** Pushes a branch with one commit and creates a pull request for it. */
  async function open(files: Readonly<Record<string, string>>, ...flags: string[]): Promise<Pull> {
    count += 1;
    const branch = `topic-${count}`;
    await clone.git("switch", "--quiet", "main");
    await clone.git("pull", "--quiet", "--ff-only");
    await clone.git("switch", "--quiet", "--create", branch);
    await clone.commit(`Change ${count}`, files);
    await clone.push("origin", branch);
    const ran = await clone.tongs(["pr", "create", "--title", `Change ${count}`, "--body", "Why.", ...flags, "--json"]);
    expect(ran.code, ran.stderr).toBe(0);
    return ran.json() as Pull;
  }

  const view = async (number: number) => (await clone.tongs(["pr", "view", String(number), "--json"])).json() as Pull;

  it("creates one from the commits, pushing the branch and resolving names", async () => {
    await clone.git("switch", "--quiet", "--create", "buoys");
    await clone.commit("Add the buoys\n\nThey mark the way in.", { "buoys.txt": "red\n" });
    const line = `pr create --fill --push --label bug,docs --assignee ${jonas.login} --reviewer ${jonas.login}`;
    const ran = await clone.tongs([...line.split(" "), "--milestone", "First season"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toBe(`${target.url}/${repo}/pulls/1\n`);
    const pull = await view(1);
    expect(pull).toMatchObject({ title: "Add the buoys", state: "open", milestone: { title: "First season" } });
    expect(pull.labels.map((label) => label.name).sort()).toEqual(["bug", "docs"]);
    expect(pull.assignees?.map((user) => user.login)).toEqual([jonas.login]);
    expect(pull.requested_reviewers?.map((user) => user.login)).toEqual([jonas.login]);
  });

  it("refuses an unknown label, user and milestone, and creates nothing", async () => {
    for (const flag of [
      ["--label", "bogus"],
      ["--assignee", "nobody-here"],
      ["--milestone", "Never"],
    ]) {
      const ran = await clone.tongs(["pr", "create", "--title", "x", "--body", "y", ...flag]);
      expect(ran.code, ran.stderr).not.toBe(0);
    }
    expect((await clone.tongs(["pr", "list", "--state", "all", "--json", "number"])).json()).toEqual([{ number: 1 }]);
  });

  it("names the existing one if the same branch is used again", async () => {
    const ran = await clone.tongs(["pr", "create", "--title", "again", "--body", "x"]);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("/pulls/1");
  });

  it("finds the one of the current branch, lists it, and shows its diff, commits and files", async () => {
    expect(((await clone.tongs(["pr", "view", "--json", "number"])).json() as Pull).number).toBe(1);
    expect((await clone.tongs(["pr", "list"])).stdout).toContain("Add the buoys");
    expect(
      (await clone.tongs(["pr", "list", "--label", "bug", "--author", mara.login, "--json", "number"])).json(),
    ).toEqual([{ number: 1 }]);
    const diff = await clone.tongs(["pr", "diff"]);
    expect(diff.stdout).toContain("+++ b/buoys.txt");
    expect((await clone.tongs(["pr", "commits", "--json", "sha"])).json()).toEqual([
      { sha: await clone.git("rev-parse", "HEAD") },
    ]);
    expect((await clone.tongs(["pr", "files", "--json", "filename,status"])).json()).toEqual([
      { filename: "buoys.txt", status: "added" },
    ]);
  });

  it("edits names without losing other changes", async () => {
    await target.ask("DELETE", `/repos/${repo}/issues/1/labels/${await labelId("docs")}`, undefined, mara);
    const edits = ["--title", "Add red buoys", "--add-label", "docs", "--remove-label", "bug", "--no-milestone"];
    const ran = await clone.tongs(["pr", "edit", "1", ...edits, "--add-assignee", mara.login]);
    expect(ran.code, ran.stderr).toBe(0);
    const pull = await view(1);
    expect(pull).toMatchObject({ title: "Add red buoys", milestone: null });
    expect(pull.labels.map((label) => label.name)).toEqual(["docs"]);
    expect(pull.assignees?.map((user) => user.login).sort()).toEqual([jonas.login, mara.login].sort());
  });

  async function labelId(name: string): Promise<number> {
    const labels = (await target.ask("GET", `/repos/${repo}/labels`)) as readonly { id: number; name: string }[];
    return labels.find((label) => label.name === name)?.id ?? 0;
  }

  it("converts to draft and back, closes and reopens, comments and reviews", async () => {
    expect((await clone.tongs(["pr", "ready", "1", "--undo"])).code).toBe(0);
    expect((await clone.tongs(["pr", "merge", "1", "--style", "merge"])).code).toBe(9);
    expect((await clone.tongs(["pr", "ready", "1"])).code).toBe(0);
    expect((await clone.tongs(["pr", "close", "1", "--comment", "Not now."])).code).toBe(0);
    expect((await view(1)).state).toBe("closed");
    expect((await clone.tongs(["pr", "reopen", "1"])).code).toBe(0);
    const asJonas = (line: readonly string[]) => jonas.tongs([...line, "-R", repo]);
    expect((await asJonas(["pr", "review", "1", "--approve"])).code).toBe(0);
    const own = await clone.tongs(["pr", "review", "1", "--approve"]);
    expect(own.code, own.stderr).toBe(13);
    const reviews = (await asJonas(["pr", "reviews", "1", "--json", "state,user.login"])).json();
    expect(reviews).toContainEqual({ state: "APPROVED", user: { login: jonas.login } });
    expect((await clone.tongs(["pr", "view", "1", "--comments"])).stdout).toContain("Not now.");
  });

  it("shows checks: exit code 8 for pending, 0 for passed, 12 for failed", async () => {
    const { sha } = (await view(1)).head;
    const status = (state: string, context: string) =>
      target.ask("POST", `/repos/${repo}/statuses/${sha}`, { state, context, description: state }, mara);
    await status("pending", "ci/build");
    expect((await clone.tongs(["pr", "checks", "1"])).code).toBe(8);
    await status("success", "ci/build");
    expect((await clone.tongs(["pr", "checks", "1"])).code).toBe(0);
    await status("failure", "ci/lint");
    const failed = await clone.tongs(["pr", "checks", "1"]);
    expect(failed.code).toBe(12);
    expect(failed.stdout).toContain("ci/lint");
  });

  it("updates the head from the base, by merge and by rebase, and reports if there is nothing to do", async () => {
    const pull = await open({ "signs.txt": "slow\n" });
    await clone.git("switch", "--quiet", "main");
    await clone.commit("Meanwhile on main", { "main.txt": "a\n" });
    await clone.push("origin", "main");
    const merged = await clone.tongs(["pr", "update", String(pull.number)]);
    expect(merged.code, merged.stderr).toBe(0);
    expect((await view(pull.number)).head.sha).not.toBe(pull.head.sha);
    const again = await clone.tongs(["pr", "update", String(pull.number)]);
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain("up to date");
    await clone.commit("Again on main", { "main.txt": "b\n" });
    await clone.push("origin", "main");
    expect((await clone.tongs(["pr", "update", String(pull.number), "--style", "rebase"])).code).toBe(0);
  });

  it.each(mergeStyles.filter((style) => style !== "manually-merged"))("merges by %s", async (style) => {
    const pull = await open({ [`${style}.txt`]: `${style}\n` });
    expect((await clone.tongs(["pr", "merged", String(pull.number)])).code).toBe(1);
    const ran = await clone.tongs(["pr", "merge", String(pull.number), "--style", style, "--delete-branch"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).toContain(`Merged ${repo}#${pull.number} into main (${style})`);
    expect((await clone.tongs(["pr", "merged", String(pull.number)])).code).toBe(0);
    const gone = await target.ask("GET", `/repos/${repo}/branches/${pull.head.ref}`).catch((error: Error) => error);
    expect(String(gone)).toContain("404");
    await clone.git("switch", "--quiet", "main");
    await clone.git("pull", "--quiet", "--ff-only");
    expect(await clone.git("show", `HEAD:${style}.txt`)).toBe(style);
  });

  it("records a manual merge", async () => {
    const pull = await open({ "manual.txt": "by hand\n" });
    if (target.software === "gitea") expect((await clone.tongs(["repo", "edit", "--allow-manual-merge"])).code).toBe(0);
    await clone.git("switch", "--quiet", "main");
    await clone.git("merge", "--quiet", "--no-ff", "--message", "By hand", pull.head.ref);
    const commit = await clone.git("rev-parse", "HEAD");
    await clone.push("origin", "main");
    const line = ["pr", "merge", String(pull.number), "--style", "manually-merged", "--merge-commit", commit];
    const ran = await clone.tongs(line);
    expect(ran.code, ran.stderr).toBe(0);
    expect(await view(pull.number)).toMatchObject({ merged: true, merge_commit_sha: commit });
  });

  it("refuses a conflict at once with its files, and an empty pull request with the reason", async () => {
    const left = await open({ "berths.txt": "ONE\ntwo\nthree\n" });
    await clone.git("switch", "--quiet", "main");
    await clone.commit("The same line", { "berths.txt": "uno\ntwo\nthree\n" });
    await clone.push("origin", "main");
    const conflict = await clone.tongs(["pr", "merge", String(left.number), "--style", "merge"]);
    expect(conflict.code, conflict.stderr).toBe(9);
    expect(conflict.stderr).toContain("berths.txt");
    await clone.git("switch", "--quiet", "--create", "nothing-new");
    await clone.push("origin", "nothing-new");
    await target.ask("POST", `/repos/${repo}/pulls`, { head: "nothing-new", base: "main", title: "Nothing" }, mara);
    const empty = await clone.tongs(["pr", "merge", "nothing-new", "--style", "merge"]);
    expect(empty.code, empty.stderr).toBe(9);
    expect(empty.stderr).toContain("nothing to merge");
  });

  it("merges only the given head with --match-head", async () => {
    const pull = await open({ "pinned.txt": "1\n" });
    const number = String(pull.number);
    await clone.commit("One more", { "pinned.txt": "2\n" });
    await clone.push("origin", pull.head.ref);
    const ran = await clone.tongs(["pr", "merge", number, "--style", "merge", "--match-head", pull.head.sha]);
    expect(ran.code, ran.stderr).toBe(9);
    expect((await view(pull.number)).merged).toBe(false);
    const head = await clone.git("rev-parse", "HEAD");
    expect((await clone.tongs(["pr", "merge", number, "--style", "merge", "--match-head", head])).code).toBe(0);
  });

  it("schedules an automatic merge, cancels it, and merges when the check succeeds", async () => {
    const rule = {
      rule_name: "main",
      enable_push: true,
      enable_status_check: true,
      status_check_contexts: ["ci/build"],
    };
    const pull = await open({ "auto.txt": "auto\n" });
    const number = String(pull.number);
    await target.ask("POST", `/repos/${repo}/branch_protections`, rule, mara);
    const status = (state: string) =>
      target.ask("POST", `/repos/${repo}/statuses/${pull.head.sha}`, { state, context: "ci/build" }, mara);
    await status("pending");
    expect((await clone.tongs(["pr", "merge", number, "--style", "merge", "--auto"])).code).toBe(0);
    // Running the same line again is how an interrupted one goes on.
    const again = await clone.tongs(["pr", "merge", number, "--style", "merge", "--auto"]);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("Already scheduled") });
    expect((await clone.tongs(["pr", "merge", number, "--cancel-auto"])).code).toBe(0);
    expect((await clone.tongs(["pr", "merge", number, "--cancel-auto"])).code).toBe(5);
    expect((await clone.tongs(["pr", "merge", number, "--style", "merge", "--auto"])).code).toBe(0);
    await status("success");
    await expect.poll(async () => (await view(pull.number)).merged, { interval: 300 }).toBe(true);
    await target.ask("DELETE", `/repos/${repo}/branch_protections/main`, undefined, mara);
  });

  it("works from a fork: creates, checks out, also after the head was deleted", async () => {
    await target.ask("POST", `/repos/${repo}/forks`, {}, priya);
    const fork = await cloneOf(target, priya, `${priya.login}/harbor`);
    await fork.git("switch", "--quiet", "--create", "ferry");
    await fork.commit("Add a ferry", { "ferry.txt": "noon\n" });
    await fork.push("origin", "ferry");
    const line = `pr create -R ${repo} --head ${priya.login}:ferry --title Ferry --json --body`;
    const made = await fork.tongs([...line.split(" "), ""]);
    expect(made.code, made.stderr).toBe(0);
    const { number } = made.json() as Pull;
    const out = await clone.tongs(["pr", "checkout", String(number)]);
    expect(out.code, out.stderr).toBe(0);
    expect(await clone.git("show", "HEAD:ferry.txt")).toBe("noon");
    await clone.git("switch", "--quiet", "main");
    await clone.git("branch", "--quiet", "-D", "ferry");
    await fork.push("origin", "--delete", "ferry");
    const again = await clone.tongs(["pr", "checkout", String(number), "--branch", "late"]);
    expect(again.code, again.stderr).toBe(0);
    expect(await clone.git("show", "HEAD:ferry.txt")).toBe("noon");
  });

  it("views the repository and deletes it by name", async () => {
    expect((await mara.tongs(["repo", "view", repo, "--json", "full_name"])).json()).toEqual({ full_name: repo });
    expect((await mara.tongs(["repo", "list", mara.login])).stdout).toContain(repo);
    expect((await mara.tongs(["repo", "delete", repo])).code).toBe(2);
    expect((await mara.tongs(["repo", "delete", repo, "--yes"])).code).toBe(0);
    expect((await mara.tongs(["repo", "view", repo])).code).toBe(5);
  });
});
