import { expect, test } from "vitest";
import { base, jobsOf, pausedSandbox, read, type Wire } from "./actions-support.ts";
import { testSandbox } from "./with-sandbox.ts";

test("the demo project has a successful run and a failed one", async () => {
  const { sandbox } = await pausedSandbox();
  try {
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
  } finally {
    await sandbox.close();
  }
});

test("a download can be cut at a given byte and resumed", async () => {
  let cut = true;
  const fault = (_method: string, path: string) => (cut && path.endsWith("/zip/raw") ? { cutAfter: 20 } : undefined);
  const sandbox = await testSandbox({ fault });
  try {
    const { headers } = await sandbox.ask("GET", `${base}/artifacts/1/zip`, "mara");
    const address = headers.get("location") ?? "";
    await expect(fetch(address).then((response) => response.arrayBuffer())).rejects.toThrow();
    cut = false;
    const rest = await fetch(address, { headers: { Range: "bytes=20-" } });
    expect(rest.status).toBe(206);
  } finally {
    await sandbox.close();
  }
});
