import { expect, test } from "vitest";
import { withWorkflow } from "./actions-support.ts";
import { testSandbox } from "./with-sandbox.ts";

const sandbox = await testSandbox();

const harbor = "/repos/mara/harbor";

test.each([
  ["POST", `${harbor}/milestones`, { title: "Spring", due_on: "2026-13-01T00:00:00Z" }],
  ["POST", "/admin/users", { username: "ines", email: "i@example.org", created_at: "2026-02-30T00:00:00Z" }],
  ["POST", `${harbor}/contents/new.md`, { content: "eA==", dates: { author: "2026-02-01T25:00:00Z" } }],
])("%s %s with %j, which has no time of the calendar, is 422", async (method, path, body) => {
  const { status, body: said } = await sandbox.ask(method, path, "harbormaster", body);
  expect([status, said]).toMatchObject([422, { message: expect.stringMatching(/: out of range$/) }]);
});

test.each([
  `${harbor}/branches/a%00b`,
  `${harbor}/contents/a%00b`,
  `${harbor}/raw/a%00b`,
  `${harbor}/git/commits/a%00b`,
  `${harbor}/commits?sha=a%00b`,
  `${harbor}/commits?path=a%00b`,
  `${harbor}/contents/README.md?ref=a%00b`,
  `${harbor}/compare/main...a%00b`,
  `${harbor}/tags/a%00b`,
  `${harbor}/commits/a%00b/status`,
  `${harbor}/labels/a%00b`,
  "/repos/mara/a%00b",
  "/users/a%00b",
])("GET %s with a null character is an error of the caller", async (path) => {
  const { status } = await sandbox.ask("GET", path, "mara");
  expect([400, 404, 422]).toContain(status);
});

test("a step that sleeps for no time, or for years, leaves the lists of jobs readable and warns of nothing", async () => {
  const warnings: Error[] = [];
  const keep = (warning: Error) => warnings.push(warning);
  process.on("warning", keep);
  const jobs = ["sleep 1.2.3", "sleep 9999999999999999999999"].map(
    (line, at) => `  nap${at}:\n    runs-on: ubuntu-latest\n    steps:\n      - run: ${line}\n`,
  );
  const repo = await withWorkflow(sandbox, "sleepy", `on: push\njobs:\n${jobs.join("")}`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const path of [`${repo}/actions/jobs`, `${repo}/actions/runs`]) {
    const { status, body } = await sandbox.ask("GET", path, "harbormaster");
    expect([status, body]).toMatchObject([200, { total_count: path.endsWith("runs") ? 1 : 2 }]);
  }
  process.off("warning", keep);
  expect(warnings).toEqual([]);
});
