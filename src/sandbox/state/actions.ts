import type { JobRecord, RunRecord } from "./records/actions.ts";
import type { Store } from "./store.ts";

export function runOf(store: Store, repoId: number, id: number): RunRecord | undefined {
  const run = store.table("runs").get(id);
  return run?.repoId === repoId ? run : undefined;
}

/** The jobs of an attempt (the latest, unless said), in the order of their making. */
export function jobsOf(store: Store, run: RunRecord, attempt = run.starters.length): JobRecord[] {
  return store.table("jobs").filter((job) => job.runId === run.id && job.attempt === attempt);
}

/** Removes a run with its jobs and artifacts. */
export function deleteRun(store: Store, run: RunRecord): void {
  for (const name of ["jobs", "artifacts"] as const) {
    for (const { id } of store.table(name).filter((one) => one.runId === run.id)) store.table(name).delete(id);
  }
  store.table("runs").delete(run.id);
}

/** Forgets which workflows of a repository were disabled. */
export function clearDisabledWorkflows(store: Store, repoId: number): void {
  const table = store.table("disabledWorkflows");
  for (const one of table.filter((disabled) => disabled.repoId === repoId))
    table.delete(disabledWorkflowKey(repoId, one.file));
}

/** The key of a workflow in the table of disabled ones. */
export const disabledWorkflowKey = (repoId: number, file: string): string => `${repoId}/${file}`;
