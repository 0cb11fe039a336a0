import { expect, test } from "vitest";
import { emptyFolder } from "../support/tongs.ts";
import { base, jobsOf, pausedSandbox, press, read, type Wire, write } from "./actions-support.ts";
import { type TestSandbox, testSandbox } from "./with-sandbox.ts";

async function propose(sandbox: TestSandbox, head: string, as = "mara"): Promise<number> {
  const { body } = await sandbox.ask("POST", "/repos/mara/harbor/pulls", as, { head, base: "main", title: head });
  return (body as { number: number }).number;
}

/** Opens a pull request from the fork of tomas, who is not a collaborator. */
async function fromAfar(sandbox: TestSandbox, branch = "dredging"): Promise<number> {
  await sandbox.ask("POST", "/repos/mara/harbor/forks", "tomas", {});
  await write(sandbox, `${branch}.md`, { as: "tomas", repo: "tomas/harbor", branch });
  return propose(sandbox, `tomas:${branch}`, "tomas");
}

test("a pull request starts a run when it is opened, pushed to and reopened", async () => {
  const { sandbox } = await pausedSandbox();
  try {
    const runs = async () =>
      (await read(sandbox, "/runs?event=pull_request"))["workflow_runs"] as { [key: string]: unknown }[];
    await write(sandbox, "buoy.md", { branch: "buoys" });
    const number = await propose(sandbox, "buoys");
    const [run] = await runs();
    expect(run).toMatchObject({ path: `ci.yml@refs/pull/${number}/head`, status: "queued", actor: { login: "mara" } });
    expect(run).toMatchObject({ pull_requests: [{ number, head: { ref: "buoys" }, base: { ref: "main" } }] });
    expect(run).not.toHaveProperty("head_branch");
    await sandbox.ask("POST", "/repos/mara/harbor/contents/bell.md", "mara", { content: "", branch: "buoys" });
    expect(await runs()).toHaveLength(2);
    await sandbox.ask("PATCH", `/repos/mara/harbor/pulls/${number}`, "mara", { state: "closed" });
    await sandbox.ask("PATCH", `/repos/mara/harbor/pulls/${number}`, "mara", { state: "open" });
    expect(await runs()).toHaveLength(3);
    const { workflow_runs: without } = await read(sandbox, "/runs?event=pull_request&exclude_pull_requests=true");
    expect((without as Wire[]).map(({ pull_requests: pulls }) => pulls)).toEqual([[], [], []]);
  } finally {
    await sandbox.close();
  }
});

test("a run from a fork waits for approval, once per new contributor", async () => {
  const { sandbox, pass } = await pausedSandbox();
  try {
    await fromAfar(sandbox);
    pass(600);
    expect(await read(sandbox, "/runs/3")).toMatchObject({ status: "waiting", actor: { login: "tomas" } });
    expect((await jobsOf(sandbox, 3)).map(({ status }) => status)).toEqual(["waiting", "waiting", "waiting"]);
    expect(await press(sandbox, "approve", 3, "tomas")).toBe(403);
    expect(await press(sandbox, "approve", 3)).toBe(200);
    expect(await press(sandbox, "approve", 3)).toBe(400);
    expect(await read(sandbox, "/runs/3")).toMatchObject({ status: "queued" });
    pass(60);
    expect(await read(sandbox, "/runs/3")).toMatchObject({ conclusion: "success" });
    await write(sandbox, "more.md", { as: "tomas", repo: "tomas/harbor", branch: "dredging", from: "dredging" });
    expect(await read(sandbox, "/runs/4")).toMatchObject({ status: "queued" });
  } finally {
    await sandbox.close();
  }
});

test("a cancelled run ends immediately, keeps what its jobs did, and can be rerun", async () => {
  const { sandbox, pass } = await pausedSandbox();
  try {
    const path = `${base}/workflows/ci.yml/dispatches?return_run_details=true`;
    await sandbox.ask("POST", path, "mara", { ref: "main" });
    pass(2);
    expect(await press(sandbox, "cancel", 3, "tomas")).toBe(403);
    expect(await press(sandbox, "cancel", 3)).toBe(200);
    pass(60);
    const end = "2026-05-01T08:00:02Z";
    expect(await read(sandbox, "/runs/3")).toMatchObject({ conclusion: "cancelled", completed_at: end });
    const [build, mooring] = await jobsOf(sandbox, 3);
    expect(build).toMatchObject({
      conclusion: "cancelled",
      runner_name: "dock-1",
      completed_at: end,
      steps: [{ conclusion: "cancelled" }, { conclusion: "cancelled" }],
    });
    expect(mooring).toMatchObject({ conclusion: "cancelled", steps: [], started_at: "1970-01-01T00:00:00Z" });
    expect(await read(sandbox, "/runs?status=cancelled")).toMatchObject({ total_count: 1 });
    expect(await read(sandbox, "/runs/3/artifacts")).toMatchObject({ total_count: 0 });
    const { body: log } = await sandbox.ask("GET", `${base}/jobs/${build?.["id"]}/logs`, "mara");
    expect(log).toContain("Tide tables");
    expect(log).not.toContain("Complete job");
    expect((await sandbox.ask("POST", `${base}/runs/3/rerun-failed-jobs`, "mara")).status).toBe(201);
    pass(60);
    expect(await read(sandbox, "/runs/3")).toMatchObject({ run_attempt: 2, conclusion: "success" });
    expect(await read(sandbox, "/runs/3/artifacts")).toMatchObject({ total_count: 1 });
  } finally {
    await sandbox.close();
  }
});

test("a scheduled merge happens when its run completes, also after a restart", async () => {
  const delays = { jobQueued: 20, jobStep: 500, autoMerge: 0 };
  const dir = emptyFolder();
  let sandbox = await testSandbox({ dir, delays });
  try {
    const rule = { rule_name: "main", enable_status_check: true, status_check_contexts: ["CI / *"] };
    await sandbox.ask("DELETE", "/repos/mara/harbor/branch_protections/main", "mara");
    await sandbox.ask("POST", "/repos/mara/harbor/branch_protections", "mara", rule);
    await write(sandbox, "buoy.md", { branch: "buoys" });
    const number = await propose(sandbox, "buoys");
    const merge = { Do: "merge", merge_when_checks_succeed: true };
    const asked = await sandbox.ask("POST", `/repos/mara/harbor/pulls/${number}/merge`, "mara", merge);
    expect(asked.status).toBe(201);
    await sandbox.close();
    sandbox = await testSandbox({ dir, delays });
    await expect
      .poll(async () => (await sandbox.ask("GET", `/repos/mara/harbor/pulls/${number}`, "mara")).body)
      .toMatchObject({ merged: true });
  } finally {
    await sandbox.close();
  }
});
