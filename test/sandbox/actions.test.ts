import { expect, test } from "vitest";
import { base, dispatched, jobsOf, pausedSandbox, read, type Wire } from "./actions-support.ts";
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

test("a dispatched run is queued, in progress and completed as time passes, one job after another", async () => {
  const { sandbox, pass } = await pausedSandbox();
  try {
    const id = await dispatched(sandbox, { storm: "true", depth: "9", nobody: "knows" });
    const states = async () => (await jobsOf(sandbox, id)).map(({ status, conclusion }) => conclusion ?? status);
    expect(await states()).toEqual(["queued", "waiting", "waiting"]);
    expect(await read(sandbox, `/runs/${id}`)).toMatchObject({ status: "queued", started_at: "1970-01-01T00:00:00Z" });
    const [build] = await jobsOf(sandbox, id);
    const log = () => sandbox.ask("GET", `${base}/jobs/${build?.["id"]}/logs`, "mara");
    expect((await log()).body).toMatchObject({ message: "job not started" });
    pass(1);
    expect(await states()).toEqual(["in_progress", "waiting", "waiting"]);
    const [running] = await jobsOf(sandbox, id);
    expect(running).toMatchObject({
      runner_name: "dock-1",
      steps: [
        { name: "Tide tables", number: 0, status: "in_progress" },
        { name: "Upload the report", number: 1, status: "queued" },
      ],
    });
    const early = String((await log()).body);
    expect(early).toContain("08:00:01.0000000Z \u001b[32mhigh\u001b[0m 06:12");
    expect(early).toContain("\u001b]0;not a title\u0007the bell rings");
    expect(early).not.toContain("Job succeeded");
    expect(await read(sandbox, `/runs/${id}/artifacts`)).toMatchObject({ total_count: 0 });
    pass(4);
    expect(await states()).toEqual(["success", "queued", "queued"]);
    expect(await read(sandbox, `/runs/${id}/artifacts`)).toMatchObject({ total_count: 1 });
    expect(String((await log()).body).startsWith(early)).toBe(true);
    pass(60);
    expect(await states()).toEqual(["success", "failure", "failure"]);
    const [, mooring] = await jobsOf(sandbox, id);
    const steps = mooring?.["steps"] as readonly Wire[];
    expect(steps.map(({ conclusion }) => conclusion)).toEqual(["success", "failure", "success"]);
    const said = await sandbox.ask("GET", `${base}/jobs/${mooring?.["id"]}/logs`, "mara");
    expect(said.body).toContain("sounding 9 m at the north pier");
    expect(await read(sandbox, `/runs/${id}`)).toMatchObject({ status: "completed", conclusion: "failure" });
  } finally {
    await sandbox.close();
  }
});

test("a log can be read from an offset, and 416 means that there is nothing new", async () => {
  const { sandbox } = await pausedSandbox();
  try {
    const path = `${sandbox.url}/api/v1${base}/jobs/1/logs`;
    const headers = { Authorization: `token ${sandbox.token("mara")}` };
    const whole = Buffer.from(await (await fetch(path, { headers })).arrayBuffer());
    const rest = await fetch(path, { headers: { ...headers, Range: "bytes=100-" } });
    expect(rest.status).toBe(206);
    expect(await rest.text()).toBe(whole.subarray(100).toString());
    const nothing = await fetch(path, { headers: { ...headers, Range: `bytes=${whole.length}-` } });
    expect([nothing.status, nothing.headers.get("content-range")]).toEqual([416, `bytes */${whole.length}`]);
  } finally {
    await sandbox.close();
  }
});

test("failed jobs are rerun with new ids, the others are copied", async () => {
  const { sandbox, pass } = await pausedSandbox();
  try {
    const before = await jobsOf(sandbox, 2);
    expect((await sandbox.ask("POST", `${base}/runs/2/rerun-failed-jobs`, "jonas")).status).toBe(201);
    const after = await jobsOf(sandbox, 2);
    expect(after.map(({ status, run_attempt }) => [status, run_attempt])).toEqual([
      ["completed", 2],
      ["queued", 2],
      ["queued", 2],
    ]);
    expect(after.map(({ id }) => id)).not.toEqual(before.map(({ id }) => id));
    expect(await read(sandbox, "/runs/2")).toMatchObject({ run_attempt: 2, trigger_actor: { login: "jonas" } });
    expect((await sandbox.ask("POST", `${base}/runs/2/rerun`, "mara")).body).toMatchObject({
      message: "this workflow run is not done",
    });
    pass(60);
    expect(await read(sandbox, "/runs/2/attempts/1")).toMatchObject({ run_attempt: 1, conclusion: "failure" });
    const one = await sandbox.ask("POST", `${base}/runs/1/jobs/1/rerun`, "mara");
    expect([one.status, one.body]).toMatchObject([201, { name: "build", run_attempt: 2, status: "queued" }]);
    expect((await jobsOf(sandbox, 1)).map(({ status }) => status)).toEqual(["queued", "waiting", "waiting"]);
  } finally {
    await sandbox.close();
  }
});

test("a push runs the workflows it triggers, except disabled ones", async () => {
  const { sandbox } = await pausedSandbox();
  try {
    const write = (path: string) =>
      sandbox.ask("POST", `/repos/mara/harbor/contents/${path}`, "mara", { content: "", message: `Add ${path}` });
    await write("one.txt");
    expect(await read(sandbox, "/runs?event=push&actor=mara&status=queued")).toMatchObject({
      total_count: 1,
      workflow_runs: [{ display_title: "Add one.txt", head_branch: "main", run_number: 3 }],
    });
    await sandbox.ask("PUT", `${base}/workflows/ci.yml/disable`, "mara");
    await write("two.txt");
    expect(await read(sandbox, "/runs")).toMatchObject({ total_count: 3 });
    const refused = await sandbox.ask("POST", `${base}/workflows/ci.yml/dispatches`, "mara", { ref: "main" });
    expect([refused.status, refused.body]).toMatchObject([403, { message: "workflow is disabled" }]);
  } finally {
    await sandbox.close();
  }
});

test("jobs wait while their runner is disabled and start when it is enabled", async () => {
  const { sandbox, pass } = await pausedSandbox();
  try {
    const set = (disabled: boolean) => sandbox.ask("PATCH", "/admin/actions/runners/1", "harbormaster", { disabled });
    await set(true);
    const id = await dispatched(sandbox);
    pass(600);
    expect(await read(sandbox, `/runs/${id}`)).toMatchObject({ status: "queued" });
    await set(false);
    pass(1);
    expect(await read(sandbox, `/runs/${id}`)).toMatchObject({ status: "in_progress" });
    const { body } = await sandbox.ask("GET", "/admin/actions/runners", "harbormaster");
    expect(body).toMatchObject({ runners: [{ name: "dock-1", status: "online", busy: true, disabled: false }] });
  } finally {
    await sandbox.close();
  }
});

test("the zip of an artifact is downloaded from a signed URL, also in ranges, until it expires", async () => {
  const { sandbox, pass } = await pausedSandbox();
  try {
    const path = `${base}/artifacts/1`;
    const { headers } = await sandbox.ask("GET", `${path}/zip`, "mara");
    const address = headers.get("location") ?? "";
    const whole = Buffer.from(await (await fetch(address)).arrayBuffer());
    expect(whole.subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
    expect(await read(sandbox, "/artifacts/1")).toMatchObject({ size_in_bytes: whole.length });
    const part = await fetch(address, { headers: { Range: "bytes=10-" } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, whole.subarray(10)]);
    expect((await fetch(address.replace(/sig=/, "sig=-"))).status).toBe(401);
    pass(3601);
    expect(await (await fetch(address)).json()).toMatchObject({ message: "Error link expired" });
    expect((await sandbox.ask("DELETE", path, "mara")).status).toBe(204);
    expect((await sandbox.ask("GET", path, "mara")).status).toBe(404);
  } finally {
    await sandbox.close();
  }
});

test("a finished run is deleted with its jobs and artifacts, an unfinished one is not", async () => {
  const { sandbox } = await pausedSandbox();
  try {
    const id = await dispatched(sandbox);
    expect((await sandbox.ask("DELETE", `${base}/runs/${id}`, "mara")).status).toBe(400);
    expect((await sandbox.ask("DELETE", `${base}/runs/1`, "mara")).status).toBe(204);
    expect((await sandbox.ask("GET", `${base}/jobs/1`, "mara")).status).toBe(404);
    expect((await sandbox.ask("GET", `${base}/artifacts/1`, "mara")).status).toBe(404);
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
