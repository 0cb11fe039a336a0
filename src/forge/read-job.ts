import { setTime } from "../shape/shape.ts";
import type { ForgejoJob, GiteaJob, Job, Step } from "./jobs.ts";
import { isTask, readRun } from "./read-run.ts";
import { internalProgressOf, type Progress, progressOf } from "./run-states.ts";
import type { Task } from "./runs.ts";

/** What every server tells of a job, whatever it calls it. */
export interface JobFacts extends Progress {
  readonly labels: readonly string[];
  readonly attempt: number | undefined;
  readonly runner: string | undefined;
  readonly steps: readonly Step[];
  readonly started: string | undefined;
  readonly completed: string | undefined;
  /** Whether a runner has picked it up. */
  readonly isPickedUp: boolean;
  readonly url: string | undefined;
}

/** Reads a record of a job in the form of any server; a task is a job that a runner has picked up. */
export function readJob(record: Job | Task): JobFacts {
  if (isTask(record)) return readTaskAsJob(record);
  return "runs_on" in record ? readForgejoJob(record) : readGiteaJob(record);
}

function readGiteaJob(job: GiteaJob): JobFacts {
  const started = setTime(job.started_at);
  return {
    labels: job.labels ?? [],
    attempt: job.run_attempt,
    runner: job.runner_name,
    steps: job.steps ?? [],
    started,
    completed: setTime(job.completed_at),
    isPickedUp: started !== undefined,
    url: job.html_url,
    ...progressOf(job.status, job.conclusion),
  };
}

/** Forgejo has no times, steps and runner of a job. */
function readForgejoJob(job: ForgejoJob): JobFacts {
  return {
    labels: job.runs_on ?? [],
    attempt: job.attempt,
    runner: undefined,
    steps: [],
    started: undefined,
    completed: undefined,
    isPickedUp: job.task_id !== undefined && job.task_id !== 0,
    url: undefined,
    ...internalProgressOf(job.status),
  };
}

function readTaskAsJob(task: Task): JobFacts {
  const { started, completed, url, state, isFinished } = readRun(task);
  const common = { started, completed, url, state, isFinished, isPickedUp: true };
  return { ...common, labels: [], attempt: undefined, runner: undefined, steps: [] };
}

/** The progress of a step. */
export function stepState({ status, conclusion }: Step): string {
  return progressOf(status, conclusion).state;
}
