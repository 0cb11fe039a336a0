import { type Job, readJob } from "../../forge/jobs.ts";
import { isTask, type RunFacts, type RunOrTask, readRun, runState } from "../../forge/run-or-task.ts";
import type { Run } from "../../forge/runs.ts";
import { type Cell, isUnset, numbered, state as stateWithGlyph, styled, when } from "../../output/cells.ts";
import type { Style } from "../../output/palette.ts";
import { column } from "../../output/table.ts";

/** The columns of runs, and of tasks where the server has no run records: there each job is a row. */
export const runColumns = [
  column<RunOrTask>("ID", (item) => item.id),
  column<RunOrTask>("RUN", (item) => numbered(readRun(item).number)),
  column<RunOrTask>("STATE", (item) => stateCell(runState(item))),
  column<RunOrTask>("TITLE", (item) => readRun(item).title, true),
  column<RunOrTask>(
    "WORKFLOW",
    (item) => (isTask(item) ? `${item.workflow_id} / ${item.name}` : readRun(item).workflow),
    true,
  ),
  column<RunOrTask>("BRANCH", (item) => styled("link", readRun(item).branch), true),
  column<RunOrTask>("EVENT", (item) => readRun(item).event, false, "optional"),
  column<RunOrTask>("STARTED", (item) => when(readRun(item).started)),
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

/** The `duration` of a run or job. */
export function durationOf({ started, completed }: Pick<RunFacts, "started" | "completed">, now: Date): string {
  return duration(started, completed, now);
}

/** `5s`, `1m 5s`, `2h 10m`; empty if it is not a number. */
export function secondsText(time: number | undefined): string {
  if (time === undefined || Number.isNaN(time)) return "";
  const seconds = Math.max(0, Math.round(time));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** The fields of jobs in CSV: those of the columns, under the names of both servers. */
export const jobCsvFields = ["id", "conclusion", "name", "labels", "runner_name", "started_at", "status", "runs_on"];

/** The columns of jobs. */
export const jobColumns = (now: Date) => [
  column<Job>("ID", (one) => one.id),
  column<Job>("STATE", (one) => stateCell(runState(one))),
  column<Job>("NAME", (one) => one.name, true),
  column<Job>("RUNS ON", (one) => readJob(one).labels.join(", "), true),
  column<Job>("RUNNER", (one) => readJob(one).runner, true),
  column<Job>("STARTED", (one) => when(readJob(one).started)),
  column<Job>("DURATION", (one) => durationOf(readJob(one), now)),
];

/** `mara/harbor run #7 (id 31)`. */
export function runName(repo: string, run: Run): string {
  return `${repo} run #${readRun(run).number} (id ${run.id})`;
}
