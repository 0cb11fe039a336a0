import type { Job } from "./jobs.ts";
import type { Run, Task } from "./runs.ts";

/** The record of a run: Gitea has runs, Forgejo tasks (docs/server-differences.md, "Runs and jobs"). */
export type RunOrTask = Run | Task;

export function isTask(record: RunOrTask | Job): record is Task {
  return "workflow_id" in record;
}

/** The workflow file, without folder and ref. */
export function workflowOf(record: RunOrTask): string {
  if (isTask(record)) return record.workflow_id;
  const [file = ""] = record.path.split("@", 1);
  return file.slice(file.lastIndexOf("/") + 1);
}

/** The branch, the tag, or `#12` for a pull request. If a run record has no branch, it is taken from `path`. */
export function branchOf(record: RunOrTask): string {
  if (isTask(record)) return record.head_branch ?? "";
  if (record.head_branch) return record.head_branch;
  const ref = /@(.+)$/.exec(record.path)?.[1] ?? "";
  return ref.replace(/^refs\/pull\/(\d+)\/(head|merge)$/, "#$1").replace(/^refs\/(heads|tags)\//, "");
}

/** The state in one word: the conclusion if there is one, else the status. */
export function runState(
  record: RunOrTask | Job | { readonly status: string; readonly conclusion?: string | undefined },
): string {
  if ("conclusion" in record && record.conclusion) return record.conclusion;
  return ("workflow_id" in record ? taskWords[record.status] : undefined) ?? record.status;
}

/** Whether a run, task or job has finished. */
export function isFinished(record: Parameters<typeof runState>[0]): boolean {
  return ["success", "failure", "cancelled", "skipped", "timed_out", "neutral", "completed"].includes(runState(record));
}

/**
 * Task statuses that have another name in run records, where `waiting` is a blocked run (docs/server-differences.md,
 * "Runs and jobs").
 */
const taskWords: Readonly<Record<string, string>> = {
  waiting: "queued",
  blocked: "waiting",
  running: "in_progress",
  cancelling: "in_progress",
};

/** The task statuses for each status filter of a run list (docs/server-differences.md, "Runs and jobs"). */
export const taskStatuses: Readonly<Record<string, readonly string[]>> = {
  queued: ["waiting"],
  waiting: ["blocked"],
  pending: ["blocked"],
  requested: ["blocked"],
  action_required: ["blocked"],
  in_progress: ["running", "cancelling"],
  timed_out: ["cancelled"],
  neutral: ["skipped"],
  completed: ["success", "failure", "cancelled", "skipped"],
};
