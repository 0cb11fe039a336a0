import type { JobRecord, RunRecord } from "./records/actions.ts";
import type { Store } from "./store.ts";

/** A run of a repository by id. */
export function runOf(store: Store, repoId: number, id: number): RunRecord | undefined {
  const run = store.table("runs").get(id);
  return run?.repoId === repoId ? run : undefined;
}

/** The jobs of an attempt (default: the latest) in creation order. */
export function jobsOf(store: Store, run: RunRecord, attempt = run.starters.length): JobRecord[] {
  return store.table("jobs").filter((job) => job.runId === run.id && job.attempt === attempt);
}

/** Deletes a run with its jobs and artifacts. */
export function deleteRun(store: Store, run: RunRecord): void {
  for (const name of ["jobs", "artifacts"] as const)
    store.table(name).remove((one: { runId: number }) => one.runId === run.id);
  store.table("runs").delete(run.id);
}

/** The key in the table of disabled workflows. */
export const disabledWorkflowKey = (repoId: number, file: string): string => `${repoId}/${file}`;
