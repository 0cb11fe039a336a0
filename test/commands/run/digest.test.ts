import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { digestChart } from "../../../src/commands/run/digest/chart.ts";
import { summarize } from "../../../src/commands/run/digest/summary.ts";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";
import { forgejo, job, run, task } from "./forge.ts";

const period = { since: new Date("2026-11-01T00:00:00Z"), until: new Date("2026-11-08T00:00:00Z") };
const clock = (minutes: number) => new Date(Date.parse("2026-11-02T10:00:00Z") + minutes * 60_000).toISOString();

const took = (id: number, minutes: number, over: object = {}) =>
  run(id, { run_number: id, started_at: clock(id * 60), completed_at: clock(id * 60 + minutes), ...over });

describe("the summary of runs", () => {
  it("has runs, failures, median and 95th percentile of each workflow and branch", () => {
    const runs = [
      ...[2, 4, 6, 8].map((minutes, index) => took(10 + index, minutes)),
      took(20, 100, { conclusion: "failure" }),
      took(21, 1, { conclusion: "cancelled" }),
      took(22, 3, { path: "ci.yml@refs/heads/topic", head_branch: "topic", conclusion: "skipped" }),
      took(23, 0, { status: "in_progress", conclusion: undefined }),
    ];
    const { workflows } = summarize(runs, [], period);
    expect(workflows.map(({ branch, ...rest }) => [branch, rest])).toEqual([
      [
        "main",
        expect.objectContaining({ runs: 6, failures: 1, failure_rate: 0.2, median_seconds: 360, p95_seconds: 6000 }),
      ],
      ["topic", expect.objectContaining({ runs: 1, failures: 0, failure_rate: null, median_seconds: null })],
    ]);
  });

  it("calls a job flaky that failed and then succeeded on the same commit, in whatever attempt or run", () => {
    const done = (id: number, name: string, conclusion: string, head_sha: string) =>
      job(id, { run_id: 1, name, conclusion, head_sha, started_at: clock(id), completed_at: clock(id + 1) });
    const jobs = [
      done(1, "test", "failure", "aaa"),
      done(2, "test", "success", "aaa"),
      done(3, "build", "success", "aaa"),
      done(4, "build", "failure", "aaa"),
      done(5, "lint", "failure", "aaa"),
      done(6, "lint", "success", "bbb"),
    ];
    const flaky = summarize([took(1, 5)], jobs, period).flaky_jobs;
    expect(flaky.map(({ job: name, flaky: times, runs }) => [name, times, runs])).toEqual([["test", 1, 2]]);
  });

  it("has the waiting times of each label, without jobs that never started", () => {
    const waited = (id: number, seconds: number, labels: string[]) =>
      job(id, {
        run_id: 1,
        labels,
        created_at: clock(0),
        started_at: new Date(Date.parse(clock(0)) + seconds * 1000).toISOString(),
      });
    const never = job(9, { run_id: 1, labels: ["arm64"], created_at: clock(0), started_at: "1970-01-01T00:00:00Z" });
    const jobs = [waited(1, 5, ["ubuntu-latest"]), waited(2, 65, ["ubuntu-latest", "gpu"]), never];
    expect(summarize([took(1, 5)], jobs, period).waiting).toEqual([
      { label: "ubuntu-latest", jobs: 2, median_seconds: 35, p95_seconds: 65 },
      { label: "gpu", jobs: 1, median_seconds: 65, p95_seconds: 65 },
    ]);
  });

  it("joins the tasks of a run on a server without run records", () => {
    const tasks = [
      task(2, 7, { status: "failure", run_started_at: clock(1), updated_at: clock(5) }),
      task(1, 7, { status: "success", run_started_at: clock(0), updated_at: clock(2) }),
      task(3, 8, { status: "running", run_started_at: clock(6) }),
    ];
    const { workflows, waiting } = summarize(tasks, [], period);
    expect(workflows).toEqual([expect.objectContaining({ runs: 1, failures: 1, median_seconds: 300 })]);
    expect(waiting).toEqual([]);
  });
});

it("draws a chart whose names cannot become markup, with days without runs", () => {
  const days = [
    { date: "2026-11-01", success: 3, failure: 1, other: 0 },
    { date: "2026-11-04", success: 0, failure: 0, other: 2 },
  ];
  const drawn = digestChart(days, 'Runs of <script>alert("1")</script>');
  expect(drawn).not.toContain("<script");
  expect(drawn.match(/<g>/g)).toHaveLength(4);
  expect(drawn).toContain("<title>2026-11-01: 3 passed, 1 failed, 0 cancelled or skipped</title>");
});

describe("tongs run digest", () => {
  let sandbox: OnSandbox;
  beforeAll(async () => {
    sandbox = await onSandbox();
  });
  const repo = { TONGS_REPO: "mara/harbor" };

  it("summarizes the runs of a repository, as a table, JSON and CSV", async () => {
    const json = await sandbox.run(["run", "digest", "--json"], { env: repo });
    expect(json.code).toBe(0);
    const found = json.json() as {
      readonly workflows: readonly { readonly workflow: string; readonly runs: number }[];
    };
    expect(found.workflows.length).toBeGreaterThan(0);
    const csv = await sandbox.run(["run", "digest", "--csv"], { env: repo });
    expect(csv.stdout.split("\n")[0]).toBe("workflow,branch,runs,failures,failure_rate,median_seconds,p95_seconds");
    const env = { ...repo, NO_COLOR: "1" };
    const shown = await sandbox.run(["run", "digest"], { env, terminal: true });
    expect(shown.stdout).toMatch(/WORKFLOW +BRANCH +RUNS +FAILED +RATE +MEDIAN +P95/);
    expect(shown.stdout).toContain(found.workflows[0]?.workflow);
  });

  it("writes the chart, and says so, but not with --dry-run", async () => {
    const cwd = emptyFolder();
    const line = ["run", "digest", "--svg", "runs.svg"];
    const dry = await sandbox.run([...line, "--dry-run"], { env: repo, cwd });
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining("Would write runs.svg") });
    expect(readdirSync(cwd)).toEqual([]);
    const ran = await sandbox.run(line, { env: repo, cwd });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Wrote runs.svg") });
    expect(readFileSync(join(cwd, "runs.svg"), "utf8")).toContain("Runs of mara/harbor");
  });

  it("writes only the chart to stdout with --svg -", async () => {
    const cwd = emptyFolder();
    const ran = await sandbox.run(["run", "digest", "--svg", "-"], { env: repo, cwd });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^<svg .*<\/svg>\n$/s) });
    expect(readdirSync(cwd)).toEqual([]);
    expect((await sandbox.run(["run", "digest", "--svg", "-", "--json"], { env: repo })).code).toBe(2);
  });

  it.each(["last week", "99999999w"])("refuses the age %s before it sends anything", async (age) => {
    const ran = await sandbox.run(["run", "digest", "--since", age], { env: repo });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("--since must be an age") });
  });

  it("stops reading at the first page of older runs and at the first older job", async () => {
    const old = { started_at: "2026-01-01T10:00:00Z", created_at: "2026-01-01T10:00:00Z" };
    const pages: string[] = [];
    const many = (at: number) => Array.from({ length: 50 }, (_, index) => 10_000 - (at - 1) * 50 - index);
    const handler: Handler = ({ url }) => {
      const { pathname, searchParams } = new URL(url, "http://server");
      const page = Number(searchParams.get("page"));
      pages.push(`${pathname.split("/").at(-1)} ${page}`);
      const body = pathname.endsWith("/jobs")
        ? { total_count: 10_000, jobs: many(page).map((id) => job(id, { ...old, run_id: id })) }
        : { total_count: 10_000, workflow_runs: many(page).map((id) => run(id, page === 1 ? {} : old)) };
      return { body };
    };
    const server: TestServer = await serve(handler);
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", ...repo };
    const ran = await tongs(["run", "digest", "--since", "4w", "--json"], {
      env,
      now: new Date("2026-11-10T00:00:00Z"),
    });
    expect(ran.code).toBe(0);
    expect(pages.filter((line) => line.startsWith("runs")).length).toBeLessThan(25);
    expect(pages.filter((line) => line.startsWith("jobs")).length).toBeLessThan(25);
  });

  it("works on a server without run records", async () => {
    const tasks = [task(9, 4, { status: "failure", run_started_at: clock(0), updated_at: clock(3) })];
    const server = await serve(forgejo(tasks));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", ...repo };
    const ran = await tongs(["run", "digest"], { env, now: period.until });
    expect(ran).toMatchObject({ code: 0, stdout: "build.yml\tmain\t1\t1\t100%\t3m 0s\t3m 0s\n" });
  });
});

describe("tongs run jobs", () => {
  let sandbox: OnSandbox;
  beforeAll(async () => {
    sandbox = await onSandbox();
  });

  it.each([
    ["a repository", ["--all-runs", "-R", "mara/harbor"]],
    ["the user", ["--user"]],
    ["the server", ["--admin"]],
  ])("lists the jobs of all runs of %s, newest first", async (_whose, flags) => {
    const as = flags[0] === "--user" ? "mara" : "harbormaster";
    const ran = await sandbox.run(["run", "jobs", ...flags, "--json", "id"], { as });
    const ids = (ran.json() as readonly { readonly id: number }[]).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
  });

  it("filters them by state, and refuses a run beside a level", async () => {
    const none = await sandbox.run(["run", "jobs", "--admin", "--status", "cancelled", "--json"]);
    expect([none.code, none.json()]).toEqual([0, []]);
    expect((await sandbox.run(["run", "jobs", "latest", "--admin"])).code).toBe(2);
    expect((await sandbox.run(["run", "jobs", "--status", "failure"])).code).toBe(2);
  });

  it("views a job by its ID without a run", async () => {
    const env = { TONGS_REPO: "mara/harbor" };
    const listed = await sandbox.run(["run", "jobs", "--all-runs", "--json", "id"], { env });
    const [first] = listed.json() as readonly { readonly id: number }[];
    const ran = await sandbox.run(["run", "view", "--job", String(first?.id), "--json", "id"], { env });
    expect(ran.json()).toEqual({ id: first?.id });
    expect((await sandbox.run(["run", "view", "--job", "99999"], { env })).code).toBe(5);
  });
});
