import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
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
afterEach(() => sandbox.close());

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

test("after a push to the head, the old result stays, then there is none, then the new one", async () => {
  await put(sandbox, "tide", "tides.csv", "mine\n");
  const pull = await open(sandbox, "tide");
  expect(pull.mergeable).toBe(true);
  await put(sandbox, "main", "tides.csv", "theirs\n");
  await put(sandbox, "tide", "more.md", "more\n");
  const seen = async () => (await look(sandbox, pull)).mergeable;
  const { head } = await look(sandbox, pull);
  expect(head.sha).not.toBe(pull.head.sha);
  expect(await seen()).toBe(true);
  time.pass(250);
  expect(await seen()).toBe(false);
  const merge = await sandbox.ask("POST", `${harbor}/pulls/${pull.number}/merge`, "mara", { Do: "merge" });
  expect([merge.status, merge.body]).toMatchObject([405, { message: "Please try again later" }]);
  await put(sandbox, "tide", "tides.csv", "theirs\n");
  time.pass(1000);
  expect(await seen()).toBe(true);
});

test("a merge with the old result is attempted, and a conflict is reported with git's output", async () => {
  await put(sandbox, "tide", "tides.csv", "mine\n");
  const pull = await open(sandbox, "tide");
  await put(sandbox, "main", "tides.csv", "theirs\n");
  const { status, body } = await sandbox.ask("POST", `${harbor}/pulls/${pull.number}/merge`, "mara", { Do: "merge" });
  expect(status).toBe(409);
  expect(body).toEqual({
    Style: "merge",
    StdOut: expect.stringContaining("CONFLICT (content): Merge conflict in tides.csv"),
    StdErr: "",
    Err: {},
  });
  time.pass(1000);
  expect(await look(sandbox, pull)).toMatchObject({ mergeable: false, merged: false });
});

test("the title prefix alone marks and unmarks a draft", async () => {
  await put(sandbox, "lamp", "lamp.md", "lit\n");
  const { number } = await open(sandbox, "lamp");
  for (const [title, draft] of [
    ["[wip] lamp", true],
    ["WIP: lamp", true],
    ["Draft: lamp", false],
  ] as const) {
    const { status, body } = await sandbox.ask("PATCH", `${harbor}/pulls/${number}`, "mara", { title });
    expect([status, body]).toMatchObject([201, { draft, mergeable: !draft }]);
  }
});

test("a pull request can be fetched by number, also after its branch was deleted, which closes it", async () => {
  await put(sandbox, "lamp", "lamp.md", "lit\n");
  const { number, head } = await open(sandbox, "lamp");
  expect((await sandbox.ask("DELETE", `${harbor}/branches/lamp`, "mara")).status).toBe(204);
  expect(await look(sandbox, { number })).toMatchObject({
    state: "closed",
    head: { ref: `refs/pull/${number}/head`, sha: head.sha },
  });
  const there = await gitIn(tmpdir())("ls-remote", `${sandbox.url}/mara/harbor.git`, `refs/pull/${number}/head`);
  expect(there).toContain(head.sha);
  expect((await sandbox.ask("POST", `${harbor}/pulls/${number}/merge`, "mara", { Do: "merge" })).status).toBe(404);
});

test("the target branch of an open pull request cannot be deleted", async () => {
  await put(sandbox, "trunk", "trunk.md", "oak\n");
  await put(sandbox, "twig", "twig.md", "oak\n", { from: "trunk" });
  await open(sandbox, "twig", { base: "trunk" });
  const { status, body } = await sandbox.ask("DELETE", `${harbor}/branches/trunk`, "mara");
  expect([status, body]).toMatchObject([403, { message: "can not delete default or pull request target branch" }]);
});

test("deleting a fork closes its pull requests and removes their head repository", async () => {
  expect((await sandbox.ask("DELETE", "/repos/priya/harbor", "priya")).status).toBe(204);
  const { body } = await sandbox.ask("GET", `${harbor}/pulls/7`);
  expect(body).toMatchObject({ state: "closed", head: { repo: null, repo_id: -1, ref: "refs/pull/7/head" } });
  const diff = await sandbox.ask("GET", `${harbor}/pulls/7.diff`);
  expect(diff.body).toContain("+++ b/depths.md");
});

test("diff and patch are git's output, byte for byte", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tongs-diff-"));
  const git = gitIn(folder);
  await git("clone", "--quiet", `${sandbox.url}/mara/harbor.git`, ".");
  const diff = await sandbox.ask("GET", `${harbor}/pulls/4.diff`);
  const start = (await git("merge-base", "origin/main", "origin/fog-horn")).trim();
  expect(diff.body).toBe(await git("diff", "-p", start, "origin/fog-horn"));
  const patch = await sandbox.ask("GET", `${harbor}/pulls/4.patch`);
  expect(patch.body).toBe(await git("format-patch", "--stdout", `${start}..origin/fog-horn`));
  expect(diff.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  rmSync(folder, { recursive: true });
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

test("an edit that fails halfway keeps the changes made before", async () => {
  await put(sandbox, "lamp", "lamp.md", "lit\n");
  const { number } = await open(sandbox, "lamp");
  const edit = { title: "Kept", assignees: ["nobody-here"] };
  expect((await sandbox.ask("PATCH", `${harbor}/pulls/${number}`, "mara", edit)).status).toBe(422);
  expect(await look(sandbox, { number })).toMatchObject({ title: "Kept" });
});

test("a pull request keeps its reviews and statuses after a restart", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tongs-pulls-"));
  const first = await pullSandbox(time, dir);
  const before = await first.ask("GET", `${harbor}/pulls/4`);
  await first.close();
  const second = await pullSandbox(time, dir);
  const after = await second.ask("GET", `${harbor}/pulls/4`);
  const withoutPort = (body: unknown) => JSON.stringify(body).replace(/127\.0\.0\.1:\d+/g, "");
  expect(withoutPort(after.body)).toBe(withoutPort(before.body));
  expect((await second.ask("GET", `${harbor}/commits/fog-horn/statuses`)).body).toHaveLength(2);
  await second.close();
  rmSync(dir, { recursive: true });
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
