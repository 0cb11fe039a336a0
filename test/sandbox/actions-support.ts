import type { Delays } from "../../src/sandbox/site.ts";
import { type TestSandbox, testSandbox } from "./with-sandbox.ts";

export type Wire = Readonly<Record<string, unknown>>;

export const base = "/repos/mara/harbor/actions";
const delays: Partial<Delays> = { jobQueued: 1000, jobStep: 2000 };

/** Starts a sandbox with a manual clock; `pass` advances it by seconds. */
export async function pausedSandbox(): Promise<{ sandbox: TestSandbox; pass: (seconds: number) => void }> {
  let now = Date.parse("2026-05-01T08:00:00Z");
  const sandbox = await testSandbox({ now: () => new Date(now), delays });
  return {
    sandbox,
    pass: (seconds) => {
      now += seconds * 1000;
    },
  };
}

export async function jobsOf(sandbox: TestSandbox, run: number): Promise<readonly Wire[]> {
  const { body } = await sandbox.ask("GET", `${base}/runs/${run}/jobs`, "mara");
  return (body as { jobs: readonly Wire[] }).jobs;
}

export const read = async (sandbox: TestSandbox, path: string, as = "mara") =>
  (await sandbox.ask("GET", `${base}${path}`, as)).body as Wire;

/** Adds a file to a branch of a repository through the API. */
export async function write(
  sandbox: TestSandbox,
  path: string,
  { as = "mara", repo = "mara/harbor", text = "x\n", branch = "main", from = "main" } = {},
): Promise<void> {
  const where = branch === from ? { branch } : { branch: from, new_branch: branch };
  const body = { content: btoa(text), message: `Add ${path}`, ...where };
  const { status } = await sandbox.ask("POST", `/repos/${repo}/contents/${encodeURIComponent(path)}`, as, body);
  if (status !== 201) throw new Error(`${path}: ${status}`);
}

/** Creates a repository of mara with one workflow. */
export async function withWorkflow(sandbox: TestSandbox, name: string, workflow: string): Promise<string> {
  await sandbox.ask("POST", "/user/repos", "mara", { name, auto_init: true, default_branch: "main" });
  await write(sandbox, ".gitea/workflows/w.yml", { repo: `mara/${name}`, text: workflow });
  return `/repos/mara/${name}`;
}

/** Presses a button on the web page of a run. */
export async function press(sandbox: TestSandbox, button: string, run: number, as = "mara"): Promise<number> {
  const headers = { Authorization: `token ${sandbox.token(as)}` };
  const { status } = await fetch(`${sandbox.url}/mara/harbor/actions/runs/${run}/${button}`, {
    method: "POST",
    headers,
  });
  return status;
}
