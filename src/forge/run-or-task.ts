import type { Job } from "./jobs.ts";
import type { Run, Task } from "./runs.ts";

/** The two records that servers tell of runs with (api-facts 0.1 row 1). */
export type RunOrTask = Run | Task;

export function isTask(record: RunOrTask | Job): record is Task {
  return "workflow_id" in record;
}

/** The file of the workflow, without folder and ref. */
export function workflowOf(record: RunOrTask): string {
  if (isTask(record)) return record.workflow_id;
  const [file = ""] = record.path.split("@", 1);
  return file.slice(file.lastIndexOf("/") + 1);
}

/** The branch, the tag, or `#12` for a pull request. A run record without a branch has it in `path`. */
export function branchOf(record: RunOrTask): string {
  if (isTask(record)) return record.head_branch;
  if (record.head_branch) return record.head_branch;
  const ref = /@(.+)$/.exec(record.path)?.[1] ?? "";
  return ref.replace(/^refs\/pull\/(\d+)\/(head|merge)$/, "#$1").replace(/^refs\/(heads|tags)\//, "");
}

/** One word for how it stands: the conclusion once there is one, else the status. */
export function runState(
  record: RunOrTask | Job | { readonly status: string; readonly conclusion?: string | undefined },
): string {
  if ("conclusion" in record && record.conclusion) return record.conclusion;
  return taskWords[record.status] ?? record.status;
}

/** Whether nothing more will happen to it. */
export function isOver(record: Parameters<typeof runState>[0]): boolean {
  return ["success", "failure", "cancelled", "skipped", "timed_out", "neutral", "completed"].includes(runState(record));
}

/** The words of a task's status that the run records call otherwise (api-facts 1.6). */
const taskWords: Readonly<Record<string, string>> = {
  waiting: "waiting",
  blocked: "waiting",
  running: "in_progress",
  cancelling: "in_progress",
};

/** Filter values of run lists as statuses of tasks (api-facts 1.6). */
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
