import type { Job } from "../../forge/jobs.ts";
import { branchOf, isTask, type RunOrTask, runState, workflowOf } from "../../forge/run-or-task.ts";
import type { Run } from "../../forge/runs.ts";
import { type Cell, isUnset, numbered, state as stateWithGlyph, styled, when } from "../../output/cells.ts";
import type { Style } from "../../output/palette.ts";
import { column } from "../../output/table.ts";

/** The columns of runs, and of tasks where the server has no run records: there each job is a row. */
export const runColumns = [
  column<RunOrTask>("ID", (item) => item.id),
  column<RunOrTask>("RUN", (item) => numbered(item.run_number)),
  column<RunOrTask>("STATE", (item) => stateCell(runState(item))),
  column<RunOrTask>("TITLE", (item) => item.display_title, true),
  column<RunOrTask>(
    "WORKFLOW",
    (item) => (isTask(item) ? `${workflowOf(item)} / ${item.name}` : workflowOf(item)),
    true,
  ),
  column<RunOrTask>("BRANCH", (item) => styled("link", branchOf(item)), true),
  column<RunOrTask>("EVENT", (item) => item.event, false, "optional"),
  column<RunOrTask>("STARTED", (item) => when(isTask(item) ? item.run_started_at : item.started_at)),
];

/** The columns of runs of several repositories. */
export const runColumnsWithRepository = [
  column<RunOrTask>("REPOSITORY", (item) => ("repository" in item ? item.repository?.full_name : ""), true),
  ...runColumns,
];

/** A run state in its color. */
export function stateCell(state: string): Cell {
  return stateWithGlyph(state, stateStyle(state));
}

/** The style of a run state. */
export function stateStyle(state: string): Style {
  if (state === "success") return "good";
  if (state === "failure" || state === "timed_out") return "bad";
  return state === "in_progress" ? "warn" : "plain";
}

/** The time between two times, such as `1m 5s`; until now if not completed, empty if not started. */
export function duration(started: string | undefined, completed: string | undefined, now: Date): string {
  if (isUnset(started)) return "";
  const end = isUnset(completed) ? now.getTime() : Date.parse(completed ?? "");
  return secondsText((end - Date.parse(started ?? "")) / 1000);
}

/** `5s`, `1m 5s`, `2h 10m`; empty if it is not a number. */
export function secondsText(time: number | undefined): string {
  if (time === undefined || Number.isNaN(time)) return "";
  const seconds = Math.max(0, Math.round(time));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** The columns of jobs. */
export const jobColumns = (now: Date) => [
  column<Job>("ID", (one) => one.id),
  column<Job>("STATE", (one) => stateCell(runState(one))),
  column<Job>("NAME", (one) => one.name, true),
  column<Job>("RUNS ON", (one) => (one.labels ?? []).join(", "), true),
  column<Job>("RUNNER", (one) => one.runner_name, true),
  column<Job>("STARTED", (one) => when(one.started_at)),
  column<Job>("DURATION", (one) => duration(one.started_at, one.completed_at, now)),
];

/** `mara/harbor run #7 (id 31)`. */
export function runName(repo: string, run: Run): string {
  return `${repo} run #${run.run_number} (id ${run.id})`;
}
