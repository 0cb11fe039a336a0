import type { Job } from "../../forge/jobs.ts";
import { branchOf, runState, workflowOf } from "../../forge/run-or-task.ts";
import type { Run, Task } from "../../forge/runs.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { stateOfTasks } from "./find-tasks.ts";
import { failedSteps } from "./log-lines.ts";
import { duration, stateCell } from "./look.ts";

/** A run for reading, its jobs below it. */
export function runSheet(run: Run, jobs: readonly Job[], now: Date): Sheet {
  return {
    title: `${run.display_title} #${run.run_number}`,
    fields: [
      ["id", run.id],
      ["state", stateCell(runState(run))],
      ["workflow", workflowOf(run)],
      ["branch", styled("link", branchOf(run))],
      ["commit", run.head_sha],
      ["event", run.event],
      ["actor", run.actor?.login],
      ["attempt", run.run_attempt > 1 ? `${run.run_attempt}, by ${run.trigger_actor?.login ?? "?"}` : undefined],
      ["started", when(run.started_at)],
      ["took", duration(run.started_at, run.completed_at, now)],
      ["url", styled("link", run.html_url)],
    ],
    sections: [{ title: "Jobs", body: jobs.map((job) => jobLine(job, now)).join("\n") }],
  };
}

/** A run as its tasks tell of it. */
export function tasksSheet(number: number, tasks: readonly [Task, ...Task[]], now: Date): Sheet {
  const [first] = tasks;
  return {
    title: `${first.display_title} #${number}`,
    fields: [
      ["state", stateCell(stateOfTasks(tasks))],
      ["workflow", first.workflow_id],
      ["branch", styled("link", first.head_branch)],
      ["commit", first.head_sha],
      ["event", first.event],
      ["started", when(first.run_started_at)],
      ["url", styled("link", first.url)],
    ],
    sections: [{ title: "Jobs", body: tasks.map((task) => jobLine(task, now)).join("\n") }],
  };
}

/** A job for reading, its steps below it. */
export function jobSheet(job: Job, now: Date): Sheet {
  const steps = (job.steps ?? []).map((step) =>
    line(runState(step), step.name, duration(step.started_at, step.completed_at, now)),
  );
  return {
    title: job.name,
    fields: [
      ["id", job.id],
      ["run", job.run_id],
      ["state", stateCell(runState(job))],
      ["wants", (job.labels ?? []).join(", ")],
      ["runner", job.runner_name],
      ["attempt", job.run_attempt > 1 ? job.run_attempt : undefined],
      ["started", when(job.started_at)],
      ["took", duration(job.started_at, job.completed_at, now)],
      ["url", styled("link", job.html_url)],
    ],
    sections: steps.length === 0 ? [] : [{ title: "Steps", body: steps.join("\n") }],
  };
}

function jobLine(job: Job | Task, now: Date): string {
  const took =
    "labels" in job
      ? duration(job.started_at, job.completed_at, now)
      : duration(job.run_started_at, runState(job) === "in_progress" ? "" : job.updated_at, now);
  const failed = "labels" in job ? failedSteps(job).map(({ name }) => `failed in ${name}`) : [];
  return line(runState(job), job.name, took, `id ${job.id}`, ...failed);
}

function line(state: string, name: string, ...rest: readonly string[]): string {
  const told = rest.filter((part) => part !== "");
  return `${state.padEnd(11)}  ${name}${told.length === 0 ? "" : `  (${told.join(", ")})`}`;
}
