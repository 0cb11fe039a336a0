import { expect, test } from "vitest";
import { parseFaults } from "../../src/sandbox/http/faults.ts";
import { tongs } from "../support/tongs.ts";
import { base, jobsOf, pausedSandbox, read, type Wire, withWorkflow } from "./actions-support.ts";
import { testSandbox } from "./with-sandbox.ts";

test("a runner takes one job per poll", async () => {
  const { sandbox, pass } = await pausedSandbox();
  try {
    for (let count = 0; count < 3; count += 1) {
      await sandbox.ask("POST", `${base}/workflows/ci.yml/dispatches`, "mara", { ref: "main" });
    }
    pass(120);
    const jobs = (await Promise.all([3, 4, 5].map((run) => jobsOf(sandbox, run)))).flat();
    expect(new Set(jobs.map((job) => String(job["started_at"]))).size).toBe(jobs.length);
    const builds = jobs.filter(({ name }) => name === "build").map((job) => job["started_at"]);
    expect(builds).toEqual(["2026-05-01T08:00:01Z", "2026-05-01T08:00:02Z", "2026-05-01T08:00:03Z"]);
  } finally {
    await sandbox.close();
  }
});

test("an attempt starts with its own first job, not with a job copied from an earlier attempt", async () => {
  const { sandbox, pass } = await pausedSandbox();
  try {
    await sandbox.ask("POST", `${base}/runs/2/rerun-failed-jobs`, "mara");
    expect(await read(sandbox, "/runs/2")).toMatchObject({ status: "queued", started_at: "1970-01-01T00:00:00Z" });
    pass(60);
    expect(await read(sandbox, "/runs/2")).toMatchObject({ started_at: "2026-05-01T08:00:01Z" });
    const [build] = await jobsOf(sandbox, 2);
    expect(build).toMatchObject({ run_attempt: 2, created_at: "2026-05-01T08:00:00Z", conclusion: "success" });
    expect(String(build?.["started_at"])).toMatch(/^2026-05-01T06:00/);
  } finally {
    await sandbox.close();
  }
});

test("outputs of a step are available to later steps and jobs, and each log line has a timestamp", async () => {
  const { sandbox, pass } = await pausedSandbox();
  try {
    const repo = await withWorkflow(
      sandbox,
      "tides",
      `on: push
jobs:
  one:
    runs-on: ubuntu-latest
    outputs: { high: "\${{ steps.t.outputs.high }}" }
    steps:
      - id: t
        run: echo "high=06:12" >> $GITHUB_OUTPUT
      - env: { ALL: "\${{ toJSON(steps.t.outputs) }}" }
        run: |
          echo "$ALL"
          echo "::debug::nobody sees this"
  two:
    needs: one
    runs-on: ubuntu-latest
    steps:
      - run: echo "high water at \${{ needs.one.outputs.high }}"
`,
    );
    pass(60);
    const { body } = await sandbox.ask("GET", `${repo}/actions/jobs`, "mara");
    const logs = await Promise.all(
      (body as { jobs: Wire[] }).jobs.map(async ({ id }) =>
        String((await sandbox.ask("GET", `${repo}/actions/jobs/${id}/logs`, "mara")).body)
          .trimEnd()
          .split("\n"),
      ),
    );
    const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z /;
    for (const line of logs.flat()) expect(line).toMatch(stamp);
    const [one, two] = logs.map((lines) => lines.map((line) => line.replace(stamp, "")));
    expect(one).toEqual(expect.arrayContaining(["{", '  "high": "06:12"', "}"]));
    expect(one?.join()).not.toContain("nobody sees this");
    expect(two).toContain("high water at 06:12");
  } finally {
    await sandbox.close();
  }
});

test("an artifact past its retention expires with the next cleanup, at midnight or on request", async () => {
  const { sandbox, pass } = await pausedSandbox();
  try {
    const step = (name: string, days: number) =>
      `      - { uses: actions/upload-artifact@v4, with: { name: ${name}, path: a, retention-days: ${days} } }\n`;
    const steps = `${step("day", 1)}${step("week", 7)}`;
    const repo = await withWorkflow(
      sandbox,
      "tides",
      `on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo a > a\n${steps}`,
    );
    const expired = async () => {
      const { body } = await sandbox.ask("GET", `${repo}/actions/artifacts`, "mara");
      return (body as { artifacts: Wire[] }).artifacts.map((artifact) => artifact["expired"]);
    };
    pass(25 * 3600);
    expect(await expired()).toEqual([false, false]);
    const clean = (as: string) => sandbox.ask("POST", "/admin/cron/cleanup_actions", as);
    expect((await clean("mara")).status).toBe(403);
    expect((await clean("harbormaster")).status).toBe(204);
    expect(await expired()).toEqual([true, false]);
    pass(7 * 86_400);
    expect(await expired()).toEqual([true, true]);
    const { body } = await sandbox.ask("GET", `${repo}/actions/artifacts`, "mara");
    const [{ id } = {}] = (body as { artifacts: Wire[] }).artifacts;
    const zip = await sandbox.ask("GET", `${repo}/actions/artifacts/${id}/zip`, "mara");
    expect([zip.status, zip.body]).toMatchObject([404, { message: "Artifact has expired" }]);
  } finally {
    await sandbox.close();
  }
});

test("a log is deleted after a year", async () => {
  const { sandbox, pass } = await pausedSandbox();
  try {
    pass(366 * 86_400);
    const { status, body } = await sandbox.ask("GET", `${base}/jobs/1/logs`, "mara");
    expect([status, body]).toMatchObject([404, { message: "logs have been cleaned up" }]);
  } finally {
    await sandbox.close();
  }
});

test("an uploaded zip file becomes an artifact of a run, listed if it is of version 4", async () => {
  const sandbox = await testSandbox();
  try {
    const upload = async (query: string, as = "mara") => {
      const headers = { Authorization: `token ${sandbox.token(as)}` };
      const url = `${sandbox.url}/sandbox/repos/mara/harbor/actions/runs/1/artifacts?${query}`;
      const response = await fetch(url, { method: "POST", headers, body: "no zip at all" });
      return { status: response.status, body: (await response.json()) as Wire };
    };
    expect((await upload("name=x", "tomas")).status).toBe(403);
    expect((await upload("days=1")).status).toBe(422);
    const { body } = await upload("name=chart");
    const { headers } = await sandbox.ask("GET", `${base}/artifacts/${body["id"]}/zip`, "mara");
    expect(await (await fetch(headers.get("location") ?? "")).text()).toBe("no zip at all");
    const { body: old } = await upload("name=old&generation=3");
    expect(await read(sandbox, "/artifacts?name=old")).toMatchObject({ total_count: 0 });
    expect(await read(sandbox, `/artifacts/${old["id"]}`)).toMatchObject({ message: "Artifact not found" });
  } finally {
    await sandbox.close();
  }
});

test("disabling and enabling Actions enables all workflows again", async () => {
  const sandbox = await testSandbox();
  try {
    await sandbox.ask("PUT", `${base}/workflows/ci.yml/disable`, "mara");
    expect(await read(sandbox, "/workflows/ci.yml")).toMatchObject({ state: "disabled_manually" });
    await sandbox.ask("PATCH", "/repos/mara/harbor", "mara", { has_actions: false });
    await sandbox.ask("PATCH", "/repos/mara/harbor", "mara", { has_actions: true });
    expect(await read(sandbox, "/workflows/ci.yml")).toMatchObject({ state: "active" });
  } finally {
    await sandbox.close();
  }
});

test("a signed URL expires after the configured time", async () => {
  const sandbox = await testSandbox({ delays: { signedFor: 0 } });
  try {
    const { headers } = await sandbox.ask("GET", `${base}/artifacts/1/zip`, "mara");
    const expires = Number(new URL(headers.get("location") ?? "").searchParams.get("expires"));
    expect(expires).toBeLessThanOrEqual(Date.now() / 1000);
  } finally {
    await sandbox.close();
  }
});

test("a fault rule applies to matching requests, the given number of times", async () => {
  const fault = parseFaults(["GET *zip/raw cut=10 x1", "*/branches status=503 x2"]);
  const sandbox = await testSandbox({ fault });
  try {
    const { headers } = await sandbox.ask("GET", `${base}/artifacts/1/zip`, "mara");
    const ask = () => fetch(headers.get("location") ?? "", { headers: { Range: "bytes=5-" } });
    await expect(ask().then((response) => response.arrayBuffer())).rejects.toThrow();
    expect((await ask()).status).toBe(206);
    const branches = async () => (await sandbox.ask("GET", "/repos/mara/harbor/branches", "mara")).status;
    expect([await branches(), await branches(), await branches()]).toEqual([503, 503, 200]);
  } finally {
    await sandbox.close();
  }
});

test.each(["", "GET", "/path", "GET /path sink=1", "GET /path status=99", "GET /path cut=x", "GET /path cut=1 y2"])(
  "the fault rule %j is invalid",
  (rule) => {
    expect(() => parseFaults([rule])).toThrow(/Invalid --fault/);
  },
);

test("tongs sandbox does not start with an invalid fault rule", async () => {
  const { code, stderr } = await tongs(["sandbox", "--port", "0", "--fault", "GET /path sink=1"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("status=CODE, delay=SECONDS and cut=BYTES")]);
});
