import type { Job } from "../../forge/jobs.ts";
import { readJob } from "../../forge/read-job.ts";
import { isTask, type RunOrTask, readRun } from "../../forge/read-run.ts";
import type { Run } from "../../forge/runs.ts";
import { type Cell, numbered, state as stateWithGlyph, styled, when } from "../../output/cells.ts";
import type { Style } from "../../output/palette.ts";
import { column } from "../../output/table.ts";
import { isUnset } from "../../shape/shape.ts";

/** The columns of runs, and of tasks where the server has no run records: there each job is a row. */
export const runColumns = [
  column<RunOrTask>("ID", "id"),
  column<RunOrTask>("RUN", "run_number", (item) => numbered(readRun(item).number)),
  column<RunOrTask>("STATE", "conclusion", (item) => stateCell(readRun(item).state)),
  column<RunOrTask>("TITLE", "display_title", { cell: (item) => readRun(item).title, flexible: true }),
  column<RunOrTask>("WORKFLOW", "path", {
    cell: (item) => (isTask(item) ? `${item.workflow_id} / ${item.name}` : readRun(item).workflow),
    flexible: true,
  }),
  column<RunOrTask>("BRANCH", "head_branch", { cell: (item) => styled("link", readRun(item).branch), flexible: true }),
  column<RunOrTask>("EVENT", "event", { cell: (item) => readRun(item).event, rank: "optional" }),
  column<RunOrTask>("STARTED", "started_at", (item) => when(readRun(item).started)),
];

/** The columns of runs of several repositories. */
export const runColumnsWithRepository = [
  column<RunOrTask>("REPOSITORY", "repository.full_name", {
    cell: (item) => ("repository" in item ? item.repository?.full_name : ""),
    flexible: true,
  }),
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

type Times = Readonly<Record<"started" | "completed", string | null | undefined>>;

/** The time that something took, such as `1m 5s`; until now if not completed, empty if not started. */
export function durationOf({ started, completed }: Times, now: Date): string {
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

/** The fields of jobs in CSV: those of the columns, under the names of both servers. */
export const jobCsvFields = ["id", "conclusion", "name", "labels", "runner_name", "started_at", "status", "runs_on"];

/** The columns of jobs. */
export const jobColumns = (now: Date) => [
  column<Job>("ID", "id"),
  column<Job>("STATE", "conclusion", (one) => stateCell(readJob(one).state)),
  column<Job>("NAME", "name", { flexible: true }),
  column<Job>("RUNS ON", "labels", { cell: (one) => readJob(one).labels.join(", "), flexible: true }),
  column<Job>("RUNNER", "runner_name", { cell: (one) => readJob(one).runner, flexible: true }),
  column<Job>("STARTED", "started_at", (one) => when(readJob(one).started)),
  column<Job>("DURATION", undefined, (one) => durationOf(readJob(one), now)),
];

/** `mara/harbor run #7 (id 31)`. */
export function runName(repo: string, run: Run): string {
  return `${repo} run #${readRun(run).number} (id ${run.id})`;
}
