import { expect, test } from "vitest";
import { base, jobsOf, pausedSandbox, read, type Wire } from "./actions-support.ts";

test("the demo project has a successful run and a failed one", async () => {
  const { sandbox } = await pausedSandbox();
  const { body, headers } = await sandbox.ask("GET", `${base}/runs`, "mara");
  const { workflow_runs: runs } = body as { workflow_runs: readonly Wire[] };
  expect(headers.get("x-total-count")).toBe("2");
  expect(runs.map(({ event, status, conclusion }) => [event, status, conclusion])).toEqual([
    ["workflow_dispatch", "completed", "failure"],
    ["push", "completed", "success"],
  ]);
  const jobs = await jobsOf(sandbox, 1);
  expect(jobs.map(({ name }) => name)).toEqual(["build", "Mooring on north", "Mooring on south"]);
  const { artifacts } = await read(sandbox, "/runs/1/artifacts");
  expect(artifacts).toMatchObject([{ name: "report", expired: false }]);
});
