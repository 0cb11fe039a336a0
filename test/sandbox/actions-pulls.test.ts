import { expect, test } from "vitest";
import { emptyFolder } from "../support/tongs.ts";
import { jobsOf, pausedSandbox, press, read, write } from "./actions-support.ts";
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

test("a run from a fork waits for approval, once per new contributor", async () => {
  const { sandbox, pass } = await pausedSandbox();
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
});

test("a scheduled merge happens when its run completes, also after a restart", async () => {
  const delays = { jobQueued: 20, jobStep: 500, autoMerge: 0 };
  const dir = emptyFolder();
  let sandbox = await testSandbox({ dir, delays });
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
});
