import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Clock, clock, harbor, history, look, open, pullSandbox, put } from "./pulls-support.ts";
import type { TestSandbox } from "./with-sandbox.ts";

let time: Clock;
let sandbox: TestSandbox;
beforeEach(async () => {
  time = clock();
  sandbox = await pullSandbox(time);
});
afterEach(() => sandbox.close());

const merge = (number: number, body: object, as = "mara") =>
  sandbox.ask("POST", `${harbor}/pulls/${number}/merge`, as, body);

/** Opens a pull request with two commits whose base has new commits. */
async function diverged() {
  await put(sandbox, "lamp", "lamp.md", "lit\n", { as: "jonas" });
  time.pass(1000);
  await put(sandbox, "lamp", "wick.md", "long\n", { as: "jonas" });
  time.pass(1000);
  await put(sandbox, "main", "gulls.md", "gulls\n");
  time.pass(1000);
  return open(sandbox, "lamp", { as: "jonas", title: "Lamp" });
}

const told = (commits: Awaited<ReturnType<typeof history>>) =>
  commits
    .slice(0, 3)
    .map(({ commit, parents }) => [commit.message, commit.author.name, commit.committer.name, parents.length]);

test("merge creates a merge commit by the merging user with the default title", async () => {
  const { number, head } = await diverged();
  expect((await merge(number, { Do: "merge" })).status).toBe(200);
  const [tip] = await history(sandbox);
  expect(tip?.commit).toMatchObject({
    message: `Merge pull request 'Lamp' (#${number}) from lamp into main\n`,
    author: { name: "Mara Lind" },
  });
  expect(tip?.parents[1]?.sha).toBe(head.sha);
  expect(await look(sandbox, { number })).toMatchObject({ merged: true, state: "closed", merge_commit_sha: tip?.sha });
});

test("squash creates one commit by the author, with a co-author trailer if another user merges", async () => {
  const { number } = await diverged();
  expect((await merge(number, { Do: "squash", MergeMessageField: "  Both files.  " })).status).toBe(200);
  const message = `Lamp (#${number})\n\nBoth files.\n\nCo-authored-by: Jonas Falk <jonas@example.org>\n`;
  expect(told(await history(sandbox))[0]).toEqual([message, "Jonas Falk", "Mara Lind", 1]);
});

test("rebase moves the commits on top of the base and keeps their authors", async () => {
  const { number, head } = await diverged();
  time.pass(5000);
  expect((await merge(number, { Do: "rebase" })).status).toBe(200);
  expect(told(await history(sandbox)).slice(0, 2)).toEqual([
    ["Write wick.md\n", "Jonas Falk", "Mara Lind", 1],
    ["Write lamp.md\n", "Jonas Falk", "Mara Lind", 1],
  ]);
  expect((await look(sandbox, { number })).merge_commit_sha).not.toBe(head.sha);
});

test("rebase-merge rebases the commits and adds a merge commit", async () => {
  const { number } = await diverged();
  time.pass(5000);
  expect((await merge(number, { Do: "rebase-merge", MergeTitleField: "Light it" })).status).toBe(200);
  const commits = await history(sandbox);
  expect(commits[0]?.commit.message).toBe("Light it\n");
  expect(commits[0]?.parents).toHaveLength(2);
  expect(commits[0]?.parents[1]?.sha).not.toBe((await look(sandbox, { number })).head.sha);
});

test("fast-forward-only updates the base, and fails if the base has diverged", async () => {
  const { number } = await diverged();
  const refused = await merge(number, { Do: "fast-forward-only" }, "harbormaster");
  expect([refused.status, refused.body]).toMatchObject([
    500,
    { message: expect.stringContaining("Not possible to fast-forward") },
  ]);
  await put(sandbox, "rope", "rope.md", "hemp\n");
  const { number: straight, head } = await open(sandbox, "rope");
  expect((await merge(straight, { Do: "fast-forward-only" })).status).toBe(200);
  expect((await history(sandbox))[0]?.sha).toBe(head.sha);
});

test("manually-merged accepts only a commit of the base", async () => {
  await sandbox.ask("PATCH", harbor, "mara", { allow_manual_merge: true });
  const { number, head, base } = await diverged();
  const wrong = await merge(number, { Do: "manually-merged", MergeCommitID: head.sha });
  expect([wrong.status, wrong.body]).toMatchObject([409, { message: "Wrong commit ID" }]);
  expect((await merge(number, { Do: "manually-merged", MergeCommitID: base.sha })).status).toBe(200);
  expect(await look(sandbox, { number })).toMatchObject({ merged: true, merge_commit_sha: base.sha });
});

test("a rebase that stops reports the commit and git's output", async () => {
  await put(sandbox, "tide", "tides.csv", "wrong\n");
  time.pass(1000);
  const before = (await sandbox.ask("GET", `${harbor}/raw/tides.csv?ref=main`, "mara")).body as string;
  await put(sandbox, "tide", "tides.csv", before);
  await put(sandbox, "tide", "note.md", "right again\n");
  await put(sandbox, "main", "tides.csv", `${before}4,08:50,15:00\n`);
  const { number } = await open(sandbox, "tide");
  const { status, body } = await merge(number, { Do: "rebase" });
  expect([status, body]).toMatchObject([
    409,
    {
      Style: "rebase",
      CommitSHA: expect.stringMatching(/^[0-9a-f]{40}$/),
      StdErr: expect.stringMatching(/^error: could not apply [0-9a-f]{7}\.\.\. Write tides\.csv\n/),
    },
  ]);
  time.pass(1000);
  expect((await merge(number, { Do: "merge" })).status).toBe(200);
});

test("a head without changes is mergeable but cannot be merged", async () => {
  await sandbox.ask("POST", `${harbor}/branches`, "mara", { new_branch_name: "same" });
  const pull = await open(sandbox, "same");
  expect(pull.mergeable).toBe(true);
  expect(await merge(pull.number, { Do: "merge", force_merge: true })).toMatchObject({ status: 405 });
});

test("the branch is deleted with the merge on request, and pull requests into it are retargeted to the base", async () => {
  const { number } = await diverged();
  await put(sandbox, "shade", "shade.md", "green\n", { from: "lamp" });
  const child = await open(sandbox, "shade", { base: "lamp" });
  expect((await merge(number, { Do: "merge", delete_branch_after_merge: true })).status).toBe(200);
  expect((await sandbox.ask("GET", `${harbor}/branches/lamp`)).status).toBe(404);
  expect(await look(sandbox, child)).toMatchObject({ state: "open", base: { ref: "main" } });
});

test("update merges or rebases the head, and an up-to-date head fails as in Gitea", async () => {
  const { number } = await diverged();
  const update = (style: string) => sandbox.ask("POST", `${harbor}/pulls/${number}/update?style=${style}`, "jonas");
  expect((await update("rebase")).status).toBe(200);
  const commits = await sandbox.ask("GET", `${harbor}/pulls/${number}/commits`);
  expect(commits.body).toHaveLength(2);
  expect((await update("merge")).status).toBe(500);
  await put(sandbox, "main", "terns.md", "terns\n");
  time.pass(5000);
  expect((await update("merge")).status).toBe(200);
  const [tip] = (await sandbox.ask("GET", `${harbor}/pulls/${number}/commits`)).body as {
    commit: { message: string };
  }[];
  expect(tip?.commit.message).toBe("Merge branch 'main' into lamp\n");
});

async function protect(rule: object) {
  const { status } = await sandbox.ask("POST", `${harbor}/branch_protections`, "mara", {
    rule_name: "main",
    enable_push: true,
    ...rule,
  });
  expect(status).toBe(201);
}

test("the requirements of a protection are reported one by one until they are met", async () => {
  const { number, head } = await diverged();
  await protect({
    enable_status_check: true,
    status_check_contexts: ["ci/*"],
    required_approvals: 1,
    block_on_rejected_reviews: true,
    block_on_official_review_requests: true,
    block_on_outdated_branch: true,
  });
  const reason = async () => ((await merge(number, { Do: "merge" })).body as { message: string }).message;
  const review = (event: string, as: string) =>
    sandbox.ask("POST", `${harbor}/pulls/${number}/reviews`, as, { event, body: "said" });
  expect(await reason()).toBe("Not all required status checks successful");
  await sandbox.ask("POST", `${harbor}/statuses/${head.sha}`, "mara", { state: "success", context: "ci/build" });
  await review("APPROVED", "tomas");
  expect(await reason(), "a reader's approval does not count").toBe("Does not have enough approvals");
  await review("APPROVED", "mara");
  await review("REQUEST_CHANGES", "harbormaster");
  expect(await reason()).toBe("There are requested changes");
  await review("APPROVED", "harbormaster");
  await sandbox.ask("POST", `${harbor}/pulls/${number}/requested_reviewers`, "mara", { reviewers: ["harbormaster"] });
  expect(await reason()).toBe("There are official review requests");
  await sandbox.ask("DELETE", `${harbor}/pulls/${number}/requested_reviewers`, "mara", { reviewers: ["harbormaster"] });
  expect(await reason()).toBe("The head branch is behind the base branch");
  await sandbox.ask("POST", `${harbor}/pulls/${number}/update`, "jonas");
  time.pass(5000);
  const sha = (await look(sandbox, { number })).head.sha;
  await sandbox.ask("POST", `${harbor}/statuses/${sha}`, "mara", { state: "success", context: "ci/build" });
  expect((await merge(number, { Do: "merge" })).status).toBe(200);
});

test("administrators may bypass a protection unless it includes them; others may not", async () => {
  const { number } = await diverged();
  await protect({ required_approvals: 3 });
  expect((await merge(number, { Do: "merge", force_merge: true }, "jonas")).status).toBe(405);
  await sandbox.ask("PATCH", `${harbor}/branch_protections/main`, "mara", { block_admin_merge_override: true });
  expect((await merge(number, { Do: "merge", force_merge: true })).status).toBe(405);
  await sandbox.ask("PATCH", `${harbor}/branch_protections/main`, "mara", { block_admin_merge_override: false });
  expect((await merge(number, { Do: "merge", force_merge: true })).status).toBe(200);
});

test("new commits dismiss approvals if the protection requires it", async () => {
  const { number } = await diverged();
  await protect({ required_approvals: 1, dismiss_stale_approvals: true });
  await sandbox.ask("POST", `${harbor}/pulls/${number}/reviews`, "mara", { event: "APPROVED" });
  await put(sandbox, "lamp", "oil.md", "whale\n", { as: "jonas" });
  const { body } = await sandbox.ask("GET", `${harbor}/pulls/${number}/reviews`);
  expect(body).toMatchObject([{ state: "APPROVED", stale: true, dismissed: true }]);
  time.pass(5000);
  expect((await merge(number, { Do: "merge" })).body).toMatchObject({ message: "Does not have enough approvals" });
});

test("a scheduled merge happens only when the checks succeed", async () => {
  const { number, head } = await diverged();
  await protect({ enable_status_check: true, status_check_contexts: ["ci/build"] });
  const plan = {
    Do: "squash",
    MergeTitleField: "At last",
    merge_when_checks_succeed: true,
    delete_branch_after_merge: true,
  };
  expect((await merge(number, plan)).status).toBe(201);
  expect((await merge(number, plan, "jonas")).status).toBe(409);
  await sandbox.ask("POST", `${harbor}/statuses/${head.sha}`, "mara", { state: "failure", context: "ci/build" });
  await sandbox.ask("POST", `${harbor}/statuses/${head.sha}`, "mara", { state: "success", context: "ci/build" });
  await expect.poll(() => look(sandbox, { number })).toMatchObject({ merged: true });
  expect((await history(sandbox))[0]?.commit.message).toMatch(/^At last\n/);
  expect((await sandbox.ask("GET", `${harbor}/branches/lamp`)).status).toBe(404);
});

test("a scheduled merge can be cancelled by its creator or an administrator", async () => {
  const { number, head } = await diverged();
  await protect({ enable_status_check: true, status_check_contexts: ["ci/build"] });
  expect((await merge(number, { Do: "merge", merge_when_checks_succeed: true })).status).toBe(201);
  const cancel = (as: string) => sandbox.ask("DELETE", `${harbor}/pulls/${number}/merge`, as);
  expect([(await cancel("jonas")).status, (await cancel("mara")).status, (await cancel("mara")).status]).toEqual([
    403, 204, 404,
  ]);
  await sandbox.ask("POST", `${harbor}/statuses/${head.sha}`, "mara", { state: "success", context: "ci/build" });
  expect(await look(sandbox, { number })).toMatchObject({ merged: false });
});

test("a scheduled merge resumes after a restart", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tongs-schedule-"));
  const first = await pullSandbox(time, dir);
  await put(first, "lamp", "lamp.md", "lit\n");
  const { number, head } = await open(first, "lamp");
  const rule = { rule_name: "main", enable_push: true, enable_status_check: true, status_check_contexts: ["ci/build"] };
  await first.ask("POST", `${harbor}/branch_protections`, "mara", rule);
  const plan = { Do: "merge", merge_when_checks_succeed: true };
  expect((await first.ask("POST", `${harbor}/pulls/${number}/merge`, "mara", plan)).status).toBe(201);
  await first.close();
  const second = await pullSandbox(time, dir);
  await second.ask("POST", `${harbor}/statuses/${head.sha}`, "mara", { state: "success", context: "ci/build" });
  await expect.poll(() => look(second, { number })).toMatchObject({ merged: true });
  await second.close();
  rmSync(dir, { recursive: true });
});
