import { beforeAll, describe, expect, it } from "vitest";
import type { Ran } from "../support/tongs.ts";
import { openStage, type Stage } from "./actions-stage.ts";
import { type Checkout, cloneOf } from "./checkout.ts";
import { targetLacks, targetSoftware } from "./support.ts";

/** Two jobs, the second after the first, whose last step runs the given command. */
const check = (last: string) => `
name: Check
on: { push: { branches: [main] } }
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - name: Sound the depth
        run: |
          echo "nine metres"
          sleep 2
      - name: Ship
        run: |
          echo "::warning::shallow water"
          ${last}
  publish:
    needs: check
    runs-on: ubuntu-latest
    steps:
      - run: echo published
`;
const good = check("echo cast off");
// Some runners lose what is printed in the last moment.
const bad = check('sleep 1\n          echo "Error: the crane is stuck"\n          sleep 1\n          exit 3');
const waits = (label: string, event = "workflow_dispatch") => `
name: Far away
on: ${event}
jobs:
  train:
    runs-on: ${label}
    steps:
      - run: echo never
`;

const rerun = ["POST", "/repos/{owner}/{repo}/actions/runs/{run}/rerun"] as const;

// What Forgejo and Gitea before 1.25 have of these is in actions-tasks.test.ts and actions-forgejo.test.ts.
const isOther = (await targetSoftware()) === "forgejo" || (await targetLacks("GET /repos/{owner}/{repo}/actions/runs"));
let stage: Stage;
let repo: string;
let clone: Checkout;
/** The IDs of the failed run (number 2) and the successful one (number 1). */
let ids: readonly number[];
let label: string;
const on = (...line: string[]): Promise<Ran> => stage.mara.tongs(line, { env: { TONGS_REPO: repo } });

beforeAll(async () => {
  stage = await openStage();
  label = stage.target.unique("gpu");
  // The runs of another repository come first, which makes IDs and run numbers differ.
  repo = await stage.repository("harbor", { ".gitea/workflows/far.yml": waits(label) });
  const pier = await stage.repository("pier", { ".gitea/workflows/far.yml": waits(label, "push") });
  await stage.write(pier, { "quay.txt": "long\n" });
  await stage.runs(pier, 2);
  clone = await cloneOf(stage.target, stage.mara, repo);
  for (const [count, text] of [good, bad].entries()) {
    await clone.commit(count === 0 ? "Sound the harbour" : "Lift the crane", { ".gitea/workflows/check.yml": text });
    await clone.push("origin", "main");
    ids = await stage.runs(repo, count + 1);
    const ran = await on("run", "watch", "latest", "--interval", "1");
    expect(ran, ran.stdout + ran.stderr).toMatchObject({ code: count === 0 ? 0 : 12 });
  }
});

describe.skipIf(isOther)("a run that a push triggered", () => {
  it("is listed with what triggered it, by each filter", async () => {
    const sha = await clone.git("rev-parse", "HEAD");
    const rows = (await on("run", "list", "--json")).json();
    expect(rows).toMatchObject([
      { id: ids[0], run_number: 2, head_sha: sha, display_title: "Lift the crane", conclusion: "failure" },
      { id: ids[1], run_number: 1, event: "push", head_branch: "main", conclusion: "success" },
    ]);
    if (stage.target.isGitea("1.27")) expect(rows).toMatchObject([{}, { run_attempt: 1 }]);
    const of = async (...flags: string[]) =>
      ((await on("run", "list", "--json", "id", ...flags)).json() as { id: number }[]).map(({ id }) => id);
    expect(await of("--status", "failure", "--branch", "main", "--event", "push")).toEqual([ids[0]]);
    expect(await of("--workflow", "Check", "--actor", "@me", "--status", "success")).toEqual([ids[1]]);
    expect(await of("--head-sha", sha)).toEqual([ids[0]]);
    expect(await of("--workflow", "far.yml")).toEqual([]);
    expect(await on("run", "list", "--workflow", "Chek")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("Did you mean: Check"),
    });
    expect(await on("run", "list", "--actor", stage.target.unique("nobody"))).toMatchObject({ code: 5 });
  });

  it("is listed with those of other repositories at the other levels", async () => {
    const line = ["run", "list", "--json", "id,repository.full_name", "--limit", "50"];
    const mine = (await stage.mara.tongs([...line, "--user"])).json() as { id: number; repository: unknown }[];
    expect(mine.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
    expect(mine).toContainEqual({ id: ids[0], repository: { full_name: repo } });
    expect(mine.length).toBeGreaterThan(ids.length);
    const all = (await stage.target.admin.tongs([...line, "--admin"])).json();
    expect(all).toContainEqual({ id: ids[0], repository: { full_name: repo } });
    expect((await stage.mara.tongs([...line, "--admin"])).code).toBe(4);
  });

  it("is selected by ID, number, URL, branch, latest, or nothing in a clone", async () => {
    const { html_url: url } = (await on("run", "view", "#2", "--json", "html_url")).json() as { html_url: string };
    const [job] = (await on("run", "jobs", "#2", "--json", "html_url")).json() as { html_url: string }[];
    for (const name of [String(ids[0]), "#2", url, job?.html_url ?? "", "main", "latest"]) {
      expect((await on("run", "view", name, "--json", "id")).json(), name).toEqual({ id: ids[0] });
    }
    expect((await clone.tongs(["run", "view", "--json", "id"])).json()).toEqual({ id: ids[0] });
    const shown = (await clone.tongs(["run", "view", "--web", "--dry-run"], { env: { BROWSER: "true" } })).stderr;
    expect(shown).toContain(`${stage.target.url}${new URL(url).pathname} `);
  });

  it("is named in a hint if its number was passed as an ID, or its ID as a number", async () => {
    expect(await on("run", "view", "2")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`Run number 2 has ID ${ids[0]}. To select it by number, pass '#2'.`),
    });
    expect(await on("run", "view", `#${ids[0]}`)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`The run with ID ${ids[0]} has number 2`),
    });
    expect(await on("run", "view", "absent-branch")).toMatchObject({ code: 5 });
    expect(await on("run", "view", "987654321")).toMatchObject({ code: 5 });
  });

  it("is shown with its jobs and their steps", async () => {
    const view = async () => (await on("run", "view", "#2", "--json")).json();
    const jobList = [
      { name: "check", conclusion: "failure", labels: ["ubuntu-latest"] },
      { name: "publish", conclusion: "skipped" },
    ];
    // Gitea 1.25 completes the run some moments before it skips the job.
    await expect.poll(view, { interval: 500 }).toMatchObject({
      status: "completed",
      actor: { login: stage.mara.login },
      job_list: jobList,
    });
    // Gitea 1.25 gives no steps, and until 1.26.2 all of them have the result of the job.
    if (stage.target.isGitea("1.26.2")) await expectSteps();
    const jobs = (await on("run", "jobs", "#1", "--json", "name,conclusion")).json();
    expect(jobs).toEqual(["check", "publish"].map((name) => ({ name, conclusion: "success" })));
    expect((await on("run", "view", "#2", "--job", "chekc")).stderr).toContain("Did you mean: check");
  });

  const expectSteps = async () => {
    const { steps } = (await on("run", "view", "#2", "--job", "check", "--json", "steps")).json() as { steps: unknown };
    expect(steps).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "Sound the depth", conclusion: "success" }),
        expect.objectContaining({ name: "Ship", conclusion: "failure" }),
      ]),
    );
  };
});

describe.skipIf(isOther)("a run that failed", () => {
  it("prints the lines of the failed step with --failed, and those that match --grep", async () => {
    const failed = await on("run", "logs", "#2", "--failed", "--no-timestamps");
    expect(failed).toMatchObject({ code: 0, stdout: expect.stringContaining("Error: the crane is stuck\n") });
    expect(failed.stdout).toContain("warning: shallow water\n");
    // Without steps, the lines are those of the whole job.
    if (stage.target.isGitea("1.26.0-dev")) expect(failed.stdout).not.toContain("nine metres");
    const found = await on("run", "logs", "#2", "--job", "check", "--grep", "(?i)CRANE IS STUCK$", "--no-timestamps");
    expect(found.stdout).toBe("Error: the crane is stuck\n");
    const records = (await on("run", "logs", "#2", "--job", "check", "--tail", "1", "--json")).json();
    expect(records).toMatchObject([{ job: "check", time: expect.stringMatching(/^\d{4}-.*\.\d{7}Z$/) }]);
    const both = await on("run", "logs", "#1", "--grep", "^(nine metres|published)$", "--no-timestamps");
    expect(both.stdout).toBe("check\tnine metres\npublish\tpublished\n");
    expect((await on("run", "logs", "#2")).stderr).toContain("publish: job not started");
  });

  it("is explained, with the last successful run", async () => {
    const why = (await on("run", "why", "main", "--json")).json();
    const step = stage.target.isGitea("1.26.0-dev") ? "Ship" : null;
    expect(why).toMatchObject({
      run: { id: ids[0] },
      failures: [{ job: "check", step, lines: expect.arrayContaining(["Error: the crane is stuck"]) }],
      waiting: [],
      last_success: { id: ids[1] },
    });
  });
});

describe.skipIf(isOther)("a waiting run", () => {
  let waiting: string;
  beforeAll(async () => {
    const ran = await on("workflow", "run", "far.yml", "--json", "id");
    waiting = String((ran.json() as { id: number }).id);
  });

  it("is explained by the label that no runner has", async () => {
    const why = await on("run", "why", waiting);
    expect(why.stdout).toContain(`train is waiting for a runner with ${label}`);
    const told = await stage.target.admin.tongs(["run", "why", waiting, "-R", repo, "--json", "waiting"]);
    expect(told.json()).toEqual({
      waiting: [expect.stringContaining(`no runner has ${label}. Runners of the server: `)],
    });
    expect((await on("run", "logs", waiting)).code).toBe(5);
  });

  it("is watched until --timeout is reached, with exit code 8", async () => {
    expect(await on("run", "watch", waiting, "--timeout", "2", "--interval", "1")).toMatchObject({
      code: 8,
      stdout: expect.stringContaining("train\tqueued\n"),
    });
  });

  it("cannot be cancelled or approved, and the error names the web page; it cannot be deleted", async ({ skip }) => {
    if (!(await targetLacks("POST /repos/{owner}/{repo}/actions/runs/{run}/cancel"))) skip("Gitea 28 cancels runs");
    const { html_url: page } = (await on("run", "view", waiting, "--json", "html_url")).json() as { html_url: string };
    for (const verb of ["cancel", "approve"]) {
      const ran = await on("run", verb, waiting);
      expect(ran, verb).toMatchObject({ code: 5, stderr: expect.stringContaining(page) });
    }
    expect((await on("run", "delete", waiting, "--yes")).code).toBe(9);
    expect((await on("run", "rerun", waiting)).code).toBe(stage.target.has(...rerun) ? 9 : 5);
  });
});

describe.skipIf(isOther)("changing runs", () => {
  it("reruns failed jobs as another attempt and keeps the first one", async ({ skip }) => {
    if (!stage.target.has(...rerun)) {
      const refused = await on("run", "rerun", "#2");
      expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("Available since Gitea 1.26")]);
      skip("the server has no operation to rerun, as Gitea before 1.26");
    }
    const again = await on("run", "rerun", "#2", "--failed", "--json", "id,run_attempt");
    expect(again).toMatchObject({ code: 0 });
    // Gitea 1.26 counts no attempts of a run, and does not keep the earlier ones.
    const counts = stage.target.isGitea("1.27");
    expect(again.json()).toEqual({ id: ids[0], run_attempt: counts ? 2 : 0 });
    expect((await on("run", "watch", "#2", "--interval", "1", "--fail-fast")).code).toBe(12);
    expect((await on("run", "watch", "#2", "--interval", "1")).code).toBe(12);
    const jobs = (attempt: string) => on("run", "jobs", "#2", "--attempt", attempt, "--json", "id,run_attempt");
    if (counts) {
      expect((await jobs("1")).json()).not.toEqual((await jobs("2")).json());
      const first = await on("run", "view", "#2", "--attempt", "1", "--json", "run_attempt");
      expect(first.json()).toEqual({ run_attempt: 1 });
    }
    expect((await jobs("9")).code).toBe(5);
    expect((await on("run", "rerun", "#1", "--failed")).code).toBe(9);
    expect((await on("run", "rerun", "#1", "--job", "publish")).code).toBe(0);
    expect((await on("run", "watch", "#1", "--interval", "1")).code).toBe(0);
  });

  it("views a job by its ID, and lists the jobs of the repository", async () => {
    const [first] = (await on("run", "jobs", "#2", "--json", "id")).json() as { id: number }[];
    const viewed = (await on("run", "view", "--job", String(first?.id), "--json", "id,name")).json();
    expect(viewed).toEqual({ id: first?.id, name: "check" });
    const all = (await on("run", "jobs", "--all-runs", "--state", "failure", "--json", "name")).json();
    expect(all).toContainEqual({ name: "check" });
  });

  it("deletes runs", async () => {
    expect((await on("run", "delete", "--status", "failure", "--older-than", "1w", "--yes")).stderr).toContain(
      "No run",
    );
    expect((await on("run", "delete", "--workflow", "check.yml", "--status", "failure", "--yes")).code).toBe(0);
    expect((await on("run", "view", String(ids[0]))).code).toBe(5);
    expect((await on("run", "delete", "#1", "#77", "--yes")).code).toBe(11);
    expect((await on("run", "view", String(ids[1]))).code).toBe(5);
  });

  it("is denied to another user, who may read public runs", async () => {
    const theirs = (...line: string[]) => stage.jonas.tongs([...line, "-R", repo]);
    const [{ id }] = (await on("run", "list", "--json", "id")).json() as [{ id: number }];
    expect((await theirs("run", "view", String(id), "--json", "run_number")).json()).toEqual({ run_number: 3 });
    expect(await theirs("run", "list")).toMatchObject({ code: 0 });
    expect((await theirs("run", "rerun", String(id))).code).toBe(stage.target.has(...rerun) ? 4 : 5);
    expect((await theirs("run", "delete", String(id), "--yes")).code).toBe(4);
    await stage.target.ask("PATCH", `/repos/${repo}`, { has_actions: false }, stage.mara);
    const off = await theirs("run", "list");
    expect(off.code).toBe(4);
    expect((await on("run", "list", "--json", "run_number")).json()).toContainEqual({ run_number: 3 });
  });
});
