import { expect, test } from "vitest";
import { parseFaults } from "../../src/sandbox/http/faults.ts";
import { tongs } from "../support/tongs.ts";
import { base, pausedSandbox, read, type Wire, withWorkflow } from "./actions-support.ts";
import { testSandbox } from "./with-sandbox.ts";

test("outputs of a step are available to later steps and jobs, and each log line has a timestamp", async () => {
  const { sandbox, pass } = await pausedSandbox();
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
      - run: |
          echo "highest at \${{ steps.t.outputs.high }}"
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
  expect(one).toContain("highest at 06:12");
  expect(one?.join()).not.toContain("nobody sees this");
  expect(two).toContain("high water at 06:12");
});

test("a log is deleted after a year", async () => {
  const { sandbox, pass } = await pausedSandbox();
  pass(366 * 86_400);
  const { status, body } = await sandbox.ask("GET", `${base}/jobs/1/logs`, "mara");
  expect([status, body]).toMatchObject([404, { message: "logs have been cleaned up" }]);
});

test("an uploaded zip file becomes an artifact of a run, listed if it is of version 4", async () => {
  const sandbox = await testSandbox();
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
});

test("a fault rule applies to matching requests, the given number of times", async () => {
  const fault = parseFaults(["GET *zip/raw cut=10 x1", "*/branches status=503 x2"]);
  const sandbox = await testSandbox({ fault });
  const { headers } = await sandbox.ask("GET", `${base}/artifacts/1/zip`, "mara");
  const ask = () => fetch(headers.get("location") ?? "", { headers: { Range: "bytes=5-" } });
  await expect(ask().then((response) => response.arrayBuffer())).rejects.toThrow();
  expect((await ask()).status).toBe(206);
  const branches = async () => (await sandbox.ask("GET", "/repos/mara/harbor/branches", "mara")).status;
  expect([await branches(), await branches(), await branches()]).toEqual([503, 503, 200]);
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
