import { branchOf, isTask, type RunOrTask, runState, workflowOf } from "../../forge/run-or-task.ts";
import type { Run } from "../../forge/runs.ts";
import { type Cell, isUnset, styled, when } from "../../output/cells.ts";
import type { Style } from "../../output/palette.ts";
import { column } from "../../output/table.ts";

/** The columns of runs, and of tasks where the server has no run records: there each job is a row. */
export const runColumns = [
  column<RunOrTask>("ID", (item) => item.id),
  column<RunOrTask>("RUN", (item) => `#${item.run_number}`),
  column<RunOrTask>("STATE", (item) => stateCell(runState(item))),
  column<RunOrTask>("TITLE", (item) => item.display_title, true),
  column<RunOrTask>(
    "WORKFLOW",
    (item) => (isTask(item) ? `${workflowOf(item)} / ${item.name}` : workflowOf(item)),
    true,
  ),
  column<RunOrTask>("BRANCH", (item) => styled("link", branchOf(item)), true),
  column<RunOrTask>("EVENT", (item) => item.event),
  column<RunOrTask>("STARTED", (item) => when(isTask(item) ? item.run_started_at : item.started_at)),
];

/** The columns of runs of several repositories. */
export const runColumnsWithRepository = [
  column<RunOrTask>("REPOSITORY", (item) => (isTask(item) ? "" : item.repository?.full_name), true),
  ...runColumns,
];

/** A run state in its color. */
export function stateCell(state: string): Cell {
  return styled(stateStyle(state), state);
}

/** The style of a run state. */
export function stateStyle(state: string): Style {
  if (state === "success") return "good";
  if (state === "failure" || state === "timed_out") return "bad";
  if (state === "in_progress") return "warn";
  return state === "cancelled" || state === "skipped" ? "dim" : "plain";
}

/** The time between two times, such as `1m 5s`; until now if not completed, empty if not started. */
export function duration(started: string | undefined, completed: string | undefined, now: Date): string {
  if (isUnset(started)) return "";
  const end = isUnset(completed) ? now.getTime() : Date.parse(completed ?? "");
  const seconds = Math.max(0, Math.round((end - Date.parse(started ?? "")) / 1000));
  if (Number.isNaN(seconds)) return "";
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** `mara/harbor run #7 (id 31)`. */
export function runName(repo: string, run: Run): string {
  return `${repo} run #${run.run_number} (id ${run.id})`;
}
