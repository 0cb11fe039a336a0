import { describe, expect, it } from "vitest";
import { recordedRecord } from "../../support/recorded.ts";
import { job, run as runRecord } from "../run/forge.ts";
import { type Answer, type Scripted, scripted } from "./scripted.ts";

let forge: Scripted;

const old = "2020-01-01T00:00:00Z";
const open = (changes = {}) =>
  recordedRecord("gitea", "… it is still open", { number: 12, draft: false, updated_at: old, ...changes });
const main = { name: "main", protected: true, effective_branch_protection_name: "main", user_can_merge: true };

const start = async (routes: Record<string, Answer>, pull: Record<string, unknown> = open({ mergeable: true })) => {
  const ref = (pull["base"] as { ref: string }).ref;
  forge = await scripted({
    "GET /pulls/12": { body: pull },
    [`GET /branches/${ref}`]: { body: { ...main, protected: false } },
    "GET /pulls/12/reviews": { body: [] },
    "GET /issues/12/dependencies": { body: [] },
    ...routes,
  });
};

describe("pr why", () => {
  it("names a merged pull request without reading anything else", async () => {
    await start({}, open({ merged: true, state: "closed" }));
    const ran = await forge.run(["pr", "why", "12", "--json"]);
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.json()).toMatchObject({ mergeable: false, reasons: [{ code: "already_merged" }] });
    expect(forge.lines()).toEqual(["GET /pulls/12"]);
  });

  it("exits 8 while the server is still deciding", async () => {
    const now = new Date();
    await start({}, open({ mergeable: false, updated_at: now.toISOString() }));
    const ran = await forge.run(["pr", "why", "12", "--json"], { now });
    expect(ran).toMatchObject({ code: 8 });
    expect(ran.json()).toMatchObject({ mergeable: null, reasons: [] });
  });

  it("does not trust what the server says right after a push", async () => {
    const now = new Date();
    const fresh = { updated_at: now.toISOString() };
    await start({
      "GET /pulls/12": [{ body: open({ mergeable: true, ...fresh }) }, { body: open({ mergeable: false, ...fresh }) }],
    });
    expect(await forge.run(["pr", "why", "12"], { now })).toMatchObject({ code: 8 });
  });

  it("says that the repository of the head is gone, whatever the server says of merging", async () => {
    const pull = open({ mergeable: true });
    await start({}, { ...pull, head: { ...(pull["head"] as object), repo: null, ref: "refs/pull/12/head" } });
    const ran = await forge.run(["pr", "why", "12", "--json"]);
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.json()).toMatchObject({ mergeable: false, reasons: [{ code: "head_missing" }] });
  });

  it("says so also of a closed one, which need not be reopened, as merge and reopen do", async () => {
    const pull = open({ mergeable: false, state: "closed" });
    const gone = { ...pull, head: { ...(pull["head"] as object), repo: null, ref: "refs/pull/12/head" } };
    await start({ "PATCH /pulls/12": { body: { ...gone, state: "open" } } }, gone);
    const ran = await forge.run(["pr", "why", "12", "--json"]);
    expect(ran.json()).toMatchObject({ reasons: [{ code: "closed" }, { code: "head_missing" }] });
    expect(ran.stdout).not.toContain("Reopen");
    const merge = await forge.run(["pr", "merge", "12", "--merge"]);
    expect([merge.code, merge.stderr]).toEqual([
      9,
      expect.stringContaining("The repository of its head was deleted. Push the commits to another repository"),
    ]);
    const reopened = await forge.run(["pr", "reopen", "12"]);
    expect(reopened.stderr).toContain("cannot be merged: the repository of its head was deleted");
  });

  it("says what can be known if the server fails to list the files, as Forgejo does without the head", async () => {
    const pull = open({ mergeable: true });
    const ref = (pull["base"] as { ref: string }).ref;
    await start(
      {
        [`GET /branches/${ref}`]: { body: { ...main, effective_branch_protection_name: "main" } },
        "GET /branch_protections/main": { body: { rule_name: "main", protected_file_patterns: "*.lock" } },
        "GET /pulls/12/files": { status: 500, body: {} },
      },
      { ...pull, head: { ...(pull["head"] as object), repo: null, ref: "refs/pull/12/head" } },
    );
    const ran = await forge.run(["pr", "why", "12", "--json"]);
    expect([ran.code, ran.json()]).toMatchObject([1, { reasons: [{ code: "head_missing" }], unchecked: ["files"] }]);
    expect(ran.stderr).toContain("Not checked: files.");
    expect(ran.stderr).not.toContain("administrators");
  });

  it("says if too few users can approve", async () => {
    const pull = open({ mergeable: true });
    const ref = (pull["base"] as { ref: string }).ref;
    const allowed = { enable_approvals_whitelist: true, approvals_whitelist_username: ["quay"] };
    await start(
      {
        [`GET /branches/${ref}`]: { body: { ...main, required_approvals: 2 } },
        "GET /branch_protections/main": { body: { rule_name: "main", required_approvals: 2, ...allowed } },
      },
      pull,
    );
    const ran = await forge.run(["pr", "why", "12"]);
    expect(ran.stdout).toContain("Needs 2 more approvals, but only quay can give one\n");
  });

  it("says of a draft that it is not known whether it conflicts, if both sides changed a file", async () => {
    const pull = open({ mergeable: false, title: "WIP: the lamp", draft: true, merge_base: "b".repeat(40) });
    const range = `${"b".repeat(40)}...${(pull["base"] as { sha: string }).sha}`;
    const compared = (filename: string) => ({
      "GET /pulls/12/files": { body: [{ filename: "lamp.txt", status: "changed" }] },
      [`GET /compare/${range}`]: {
        body: { total_commits: 1, commits: [{ sha: "c".repeat(40), files: [{ filename }] }] },
      },
    });
    await start(compared("lamp.txt"), pull);
    const ran = await forge.run(["pr", "why", "12", "--json"]);
    expect(ran.json()).toMatchObject({ mergeable: false, reasons: [{ code: "draft" }], unchecked: ["conflict"] });
    expect(ran.stderr).toContain("Not checked: conflicts. Both sides changed the same files");
    expect(ran.stderr).not.toContain("administrators");
    await start(compared("tide.txt"), pull);
    expect((await forge.run(["pr", "why", "12", "--json"])).json()).toMatchObject({ unchecked: [] });
  });

  it("names what it could not read instead of guessing", async () => {
    const ref = (open()["base"] as { ref: string }).ref;
    const review = { id: 4, user: { login: "jonas" }, state: "REQUEST_CHANGES", official: true, dismissed: false };
    await start({
      [`GET /branches/${ref}`]: { body: { ...main, effective_branch_protection_name: "" } },
      "GET /pulls/12/reviews": { body: [review] },
    });
    const ran = await forge.run(["pr", "why", "12", "--json"]);
    expect((ran.json() as { unchecked: string[] }).unchecked).toEqual(
      expect.arrayContaining(["changes_requested", "protected_files", "signatures"]),
    );
    expect(ran.code).toBe(0);
  });

  it("names a base branch that does not exist, and a server without a key to sign with", async () => {
    const pull = open({ mergeable: true });
    const { ref } = pull["base"] as { ref: string };
    await start({ [`GET /branches/${ref}`]: { status: 404, body: { message: "branch does not exist" } } }, pull);
    const missing = await forge.run(["pr", "why", "12", "--json"]);
    expect([missing.code, missing.json()]).toMatchObject([1, { reasons: [{ code: "base_missing" }] }]);
    await start({
      [`GET /branches/${ref}`]: { body: { ...main, name: ref } },
      "GET /branch_protections/main": { body: { rule_name: "main", require_signed_commits: true } },
      "GET /pulls/12/commits": { body: [{ sha: "a".repeat(40), commit: { verification: { verified: true } } }] },
      "GET /signing-key.gpg": { status: 404, body: "" },
    });
    const unsigned = await forge.run(["pr", "why", "12", "--json"]);
    expect([unsigned.code, unsigned.json()]).toMatchObject([1, { reasons: [{ code: "no_signing_key" }] }]);
  });

  /** A failed required check whose page is a job of run 31, and the job that run 31 has. */
  const withFailedRun = async (record: Record<string, unknown>, log: Answer, more: Record<string, Answer> = {}) => {
    const pull = open({ mergeable: true });
    const [{ ref }, { sha }] = [pull["base"] as { ref: string }, pull["head"] as { sha: string }];
    const status = {
      id: 1,
      status: "failure",
      context: "ci / check",
      target_url: "/mara/harbor/actions/runs/31/jobs/7",
    };
    await start(
      {
        [`GET /branches/${ref}`]: {
          body: { ...main, name: ref, enable_status_check: true, status_check_contexts: ["ci / *"] },
        },
        [`GET /commits/${sha}/status`]: { body: { state: "failure", statuses: [status], sha, total_count: 1 } },
        [`GET /commits/${sha}/statuses`]: { body: [status] },
        "GET /actions/runs/31": { body: runRecord(31) },
        "GET /actions/runs/31/jobs": { body: { total_count: 1, jobs: [record] } },
        "GET /actions/jobs/7/logs": log,
        ...more,
      },
      pull,
    );
    const ran = await forge.run(["pr", "why", "12", "--json"]);
    expect(ran, ran.stderr).toMatchObject({ code: 1 });
    const { reasons } = ran.json() as { reasons: { code: string; checks: Record<string, unknown>[] }[] };
    expect(reasons.map(({ code }) => code)).toEqual(["checks_failed"]);
    return reasons[0]?.checks;
  };
  const failedJob = job(7, { conclusion: "failure" });
  const log = {
    body: "2026-11-21T09:53:44.0000000Z Error: the crane is stuck\n",
    headers: { "content-type": "text/plain" },
  };

  it("prints the telling lines of a failed check that is a job here", async () => {
    const checks = await withFailedRun(failedJob, log);
    expect(checks).toMatchObject([{ context: "ci / check", run_id: 31, lines: ["Error: the crane is stuck"] }]);
  });

  it("finds the run by its number on the page, where older servers have that", async () => {
    const page = "https://forge.example.org/mara/harbor/actions/runs/31";
    const found = runRecord(52, { run_number: 31, html_url: page });
    const checks = await withFailedRun({ ...failedJob, html_url: `${page}/jobs/7` }, log, {
      "GET /actions/runs/31": { body: runRecord(31, { run_number: 12, html_url: page.replace("31", "12") }) },
      "GET /actions/runs": { body: { total_count: 1, workflow_runs: [found] } },
      "GET /actions/runs/52/jobs": {
        body: { total_count: 1, jobs: [{ ...failedJob, html_url: `${page}/jobs/7` }] },
      },
    });
    expect(checks).toMatchObject([{ context: "ci / check", run_id: 52, lines: ["Error: the crane is stuck"] }]);
  });

  it("finds the job by its position on the page, where jobs have no address (Forgejo 16)", async () => {
    const run = { id: 52, index_in_repo: 31, workflow_id: "ci.yml", prettyref: "main", commit_sha: "a".repeat(40) };
    const found = { ...run, status: "failure", html_url: "https://forge.example.org/mara/harbor/actions/runs/31" };
    const jobs = [1, 2, 3, 4, 5, 6, 8, 7].map((id) => ({
      id,
      run_id: 52,
      name: `check ${id}`,
      runs_on: ["docker"],
      task_id: id,
      status: id === 7 ? "failure" : "success",
    }));
    const checks = await withFailedRun({}, log, {
      "GET /actions/runs/31": { status: 404, body: { message: "run with id 31: resource does not exist" } },
      "GET /actions/runs": { body: { total_count: 1, workflow_runs: [found] } },
      "GET /actions/runs/52/jobs": { body: jobs },
    });
    expect(checks).toMatchObject([{ context: "ci / check", run_id: 52, lines: ["Error: the crane is stuck"] }]);
  });

  it.each([
    ["1.25.3", 0],
    ["1.26.0", 1],
    ["15.0.0+gitea-1.22.0", 1],
    ["1.24.0", 1],
  ])("knows by the release whether a required check passes with a warning: %s", async (version, code) => {
    const pull = open({ mergeable: true });
    const [{ ref }, { sha }] = [pull["base"] as { ref: string }, pull["head"] as { sha: string }];
    const statuses = [{ id: 1, status: "warning", context: "ci / check" }];
    const required = { enable_status_check: true, status_check_contexts: ["ci / *"] };
    await start(
      {
        "GET //version": { body: { version } },
        [`GET /branches/${ref}`]: { body: { ...main, ...required } },
        [`GET /commits/${sha}/status`]: { body: { statuses, sha, total_count: 1 } },
      },
      pull,
    );
    const ran = await forge.run(["pr", "why", "12", "--json"]);
    expect(ran.code, ran.stderr + ran.stdout).toBe(code);
    for (const flags of [[], ["--watch", "--required"]])
      expect((await forge.run(["pr", "checks", "12", ...flags])).code).toBe(code === 0 ? 0 : 12);
  });

  it("names a required check without a name, which another client stored", async () => {
    const pull = open({ mergeable: true });
    const [{ ref }, { sha }] = [pull["base"] as { ref: string }, pull["head"] as { sha: string }];
    const routes = {
      [`GET /branches/${ref}`]: { body: { ...main, enable_status_check: true, status_check_contexts: ["", "ci"] } },
      [`GET /commits/${sha}/status`]: { body: { state: "", statuses: [], sha, total_count: 0 } },
    };
    await start(routes, pull);
    const ran = await forge.run(["pr", "why", "12"]);
    expect(ran.stdout).toContain("Required checks were not reported: '' (empty name), ci\n");
    expect(ran.stdout).toContain("'' (empty name) (expected)\n");
    const json = await forge.run(["pr", "why", "12", "--jq", ".reasons[0].checks | map(.context)"]);
    expect(json.json()).toEqual(["", "ci"]);
    expect((await forge.run(["pr", "checks", "12"])).stdout).toMatch(/^'' \(empty name\)\texpected\trequired\t/);
  });

  it("prints no lines of another run, whose ID is the number of the run on the page", async () => {
    const other = "https://forge.example.org/mara/harbor/actions/runs/12/jobs/7";
    const checks = await withFailedRun({ ...failedJob, html_url: other }, log);
    expect(checks).toMatchObject([{ context: "ci / check", run_id: null, lines: [] }]);
    expect(forge.lines()).not.toContain("GET /actions/jobs/7/logs");
  });

  it("names a failed check without its lines when the log is gone", async () => {
    const checks = await withFailedRun(failedJob, { status: 404, body: { message: "no log" } });
    expect(checks).toMatchObject([{ context: "ci / check", state: "failure", lines: [] }]);
  });

  it("keeps the failure of a refused merge when the reasons cannot be read", async () => {
    await start({
      "POST /pulls/12/merge": { status: 405, body: { message: "Does not have enough approvals" } },
      "GET /pulls/12/reviews": { status: 403, body: { message: "no" } },
      [`GET /branches/${(open()["base"] as { ref: string }).ref}`]: { body: main },
    });
    const ran = await forge.run(["pr", "merge", "12", "--style", "merge"]);
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining("Does not have enough approvals") });
    expect(ran.stderr).not.toContain("What keeps it");
  });
});
