import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { type Clock, clock, harbor, look, open, type Pull, pullSandbox, put } from "./pulls-support.ts";
import type { TestSandbox } from "./with-sandbox.ts";

const run = promisify(execFile);
/** Runs git in a folder asynchronously, because the sandbox runs in the same process. */
const gitIn =
  (folder: string) =>
  async (...args: string[]): Promise<string> =>
    (await run("git", ["-C", folder, ...args], { env: { ...process.env, GIT_TERMINAL_PROMPT: "0" } })).stdout;

let time: Clock;
let sandbox: TestSandbox;
beforeEach(async () => {
  time = clock();
  sandbox = await pullSandbox(time);
});

test("the demo project has pull requests that are mergeable, conflicting, a draft, from a fork, merged and closed", async () => {
  const { body } = await sandbox.ask("GET", `${harbor}/pulls?sort=oldest`);
  const facts = (body as (Pull & { draft: boolean })[]).map(({ title, state, draft, mergeable, merged }) => [
    title,
    state,
    draft ? "draft" : merged ? "merged" : mergeable ? "mergeable" : "not mergeable",
  ]);
  expect(facts).toEqual([
    ["Add the address of the harbor office", "closed", "merged"],
    ["Measure in fathoms", "closed", "mergeable"],
    ["Two more berths", "closed", "merged"],
    ["Add the fog signal", "open", "mergeable"],
    ["Sort the berths by size", "open", "not mergeable"],
    ["WIP: Tides for the whole year", "open", "draft"],
    ["Show the depth of each berth", "open", "mergeable"],
  ]);
  const reviews = await sandbox.ask("GET", `${harbor}/pulls/7/reviews`);
  expect(reviews.body).toMatchObject([{ state: "REQUEST_CHANGES", comments_count: 1 }]);
  const status = await sandbox.ask("GET", `${harbor}/commits/fog-horn/status`);
  expect(status.body).toMatchObject({ state: "success", total_count: 2 });
});

test("open and closed pull requests follow a renamed branch, as head and as base, and no run starts", async () => {
  await put(sandbox, "tide", "tides.csv", "mine\n");
  await put(sandbox, "stage", "stage.md", "stage\n");
  const [from, closed] = [await open(sandbox, "tide"), await open(sandbox, "stage")];
  const into = await open(sandbox, "tide", { base: "stage" });
  await sandbox.ask("PATCH", `${harbor}/pulls/${closed.number}`, "mara", { state: "closed" });
  const runs = async () => (await sandbox.ask("GET", `${harbor}/actions/runs`)).headers.get("x-total-count");
  const before = await runs();
  for (const [name, to] of [
    ["tide", "ebb"],
    ["stage", "port"],
  ]) {
    const { status } = await sandbox.ask("PATCH", `${harbor}/branches/${name}`, "mara", { name: to });
    expect(status).toBe(204);
  }
  expect(await look(sandbox, from)).toMatchObject({ state: "open", head: { ref: "ebb", sha: from.head.sha } });
  expect(await look(sandbox, into)).toMatchObject({ state: "open", head: { ref: "ebb" }, base: { ref: "port" } });
  expect(await look(sandbox, closed)).toMatchObject({ state: "closed", head: { ref: "port" } });
  expect(await runs()).toBe(before);
  await put(sandbox, "ebb", "more.md", "more\n");
  expect((await look(sandbox, from)).head.sha).not.toBe(from.head.sha);
});

test("a push to a fork's branch updates the pull request, also by a maintainer if the author allows it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tongs-push-"));
  const git = gitIn(folder);
  const address = sandbox.url.replace("://", "://mara:not-a-secret-mara@");
  await git("clone", "--quiet", "--branch", "depths", `${address}/priya/harbor.git`, ".");
  writeFileSync(join(folder, "depths.md"), "at low water\n");
  await git(
    "-c",
    "user.name=Mara",
    "-c",
    "user.email=mara@example.org",
    "commit",
    "--quiet",
    "--all",
    "--message",
    "Low water",
  );
  await git("push", "--quiet", "origin", "depths");
  const head = (await git("rev-parse", "HEAD")).trim();
  expect(await look(sandbox, { number: 7 })).toMatchObject({ head: { sha: head } });
  const { body } = await sandbox.ask("GET", `${harbor}/pulls/7/reviews`);
  expect(body).toMatchObject([{ state: "REQUEST_CHANGES", stale: true }]);
  await expect(git("push", "--quiet", "origin", "HEAD:refs/heads/main")).rejects.toThrow(/denied/);
  await sandbox.ask("PATCH", `${harbor}/pulls/7`, "priya", { allow_maintainer_edit: false });
  writeFileSync(join(folder, "depths.md"), "once more\n");
  await git(
    "-c",
    "user.name=Mara",
    "-c",
    "user.email=mara@example.org",
    "commit",
    "--quiet",
    "--all",
    "--message",
    "Again",
  );
  await expect(git("push", "--quiet", "origin", "depths")).rejects.toThrow(/denied|403/);
  rmSync(folder, { recursive: true });
});

test("a user who is not a collaborator can open a pull request only from a fork", async () => {
  await put(sandbox, "lamp", "lamp.md", "lit\n");
  const proposal = { title: "Lamp", head: "lamp", base: "main" };
  const { status, body } = await sandbox.ask("POST", `${harbor}/pulls`, "priya", proposal);
  expect([status, body]).toMatchObject([403, { message: "user must be a collaborator" }]);
});

test("a push that was not recorded before a kill is recorded at the next start", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tongs-catch-up-"));
  const first = await pullSandbox(time, dir);
  await first.close();
  const bare = gitIn(join(dir, "repositories", "1.git"));
  const tip = (await bare("rev-parse", "fog-horn~1")).trim();
  await bare("update-ref", "refs/heads/fog-horn", tip);
  const second = await pullSandbox(time, dir);
  const commits = async () => (await second.ask("GET", `${harbor}/pulls/4/commits`)).body;
  await expect.poll(commits).toMatchObject([{ sha: tip }]);
  await second.close();
  rmSync(dir, { recursive: true });
});

const merge = (number: number, body: object) => sandbox.ask("POST", `${harbor}/pulls/${number}/merge`, "mara", body);

/** Opens a pull request of jonas whose base has new commits. */
async function diverged() {
  await put(sandbox, "lamp", "lamp.md", "lit\n", { as: "jonas" });
  time.pass(1000);
  await put(sandbox, "main", "gulls.md", "gulls\n");
  return open(sandbox, "lamp", { as: "jonas", title: "Lamp" });
}

test("squash creates one commit by the author, with a co-author trailer if another user merges", async () => {
  const { number } = await diverged();
  expect((await merge(number, { Do: "squash", MergeMessageField: "  Both files.  " })).status).toBe(200);
  const message = `Lamp (#${number})\n\nBoth files.\n\nCo-authored-by: Jonas Falk <jonas@example.org>\n`;
  const [made] = (await sandbox.ask("GET", `${harbor}/commits?limit=1`, "mara")).body as object[];
  expect(made).toMatchObject({
    commit: { message, author: { name: "Jonas Falk" }, committer: { name: "Mara Lind" } },
    parents: [{}],
  });
});

test("the branch is deleted with the merge on request, and pull requests into it are retargeted to the base", async () => {
  const { number } = await diverged();
  await put(sandbox, "shade", "shade.md", "green\n", { from: "lamp" });
  const child = await open(sandbox, "shade", { base: "lamp" });
  expect((await merge(number, { Do: "merge", delete_branch_after_merge: true })).status).toBe(200);
  expect((await sandbox.ask("GET", `${harbor}/branches/lamp`)).status).toBe(404);
  expect(await look(sandbox, child)).toMatchObject({ state: "open", base: { ref: "main" } });
});

test("new commits dismiss approvals if the protection requires it", async () => {
  const { number } = await diverged();
  const rule = { rule_name: "main", enable_push: true, required_approvals: 1, dismiss_stale_approvals: true };
  await sandbox.ask("POST", `${harbor}/branch_protections`, "mara", rule);
  await sandbox.ask("POST", `${harbor}/pulls/${number}/reviews`, "mara", { event: "APPROVED" });
  await put(sandbox, "lamp", "oil.md", "whale\n", { as: "jonas" });
  const { body } = await sandbox.ask("GET", `${harbor}/pulls/${number}/reviews`);
  expect(body).toMatchObject([{ state: "APPROVED", stale: true, dismissed: true }]);
  expect((await merge(number, { Do: "merge" })).body).toMatchObject({ message: "Does not have enough approvals" });
});
