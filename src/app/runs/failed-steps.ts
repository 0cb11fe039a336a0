import type { Job, Step } from "../../forge/jobs.ts";
import { readJob } from "../../forge/read-job.ts";
import { isFailure, isStart, type LogLine, stepSpans } from "./log-lines.ts";

/** The steps that failed in a job. Both are empty if it failed outside its steps, or if nothing tells. */
export interface FailedSteps {
  readonly names: readonly string[];
  /** Their records, if the job has them. */
  readonly steps: ReadonlySet<Step>;
}

/**
 * Whether a job's record tells how each step ended. Gitea before 1.26.2 gives all steps the result of the job, and before
 * 1.26 it returns no steps (docs/server-differences.md, "Runs and jobs").
 */
export function hasStepResults(job: Job): boolean {
  const { steps } = readJob(job);
  const conclusion = "conclusion" in job ? job.conclusion : undefined;
  return steps.length === 1 || steps.some((step) => step.conclusion !== conclusion);
}

/** The failed steps that the job's record tells. */
export function failedSteps(job: Job): Step[] {
  if (!hasStepResults(job)) return [];
  return readJob(job).steps.filter(({ conclusion }) => conclusion === "failure" || conclusion === "timed_out");
}

/** The failed steps of a failed job, by its record or else by its log, which is only read then. */
export async function findFailedSteps(job: Job, readLog: () => AsyncIterable<LogLine>): Promise<FailedSteps> {
  const told = failedSteps(job);
  if (hasStepResults(job)) return { names: told.map(({ name }) => name), steps: new Set(told) };
  const names: string[] = [];
  const timed = new Set<Step>();
  const spans = stepSpans(job);
  let start = Number.NaN;
  for await (const { time, text } of readLog()) {
    const name = failedStepIn(text);
    if (name !== undefined) names.push(name);
    if (isStart(text)) start = Date.parse(time);
    if (!isFailure(text)) continue;
    // Newer runners do not name the step: it is the only one that was running from the start of the command to its end.
    const end = Date.parse(time);
    const [one, ...others] = spans.filter(({ from, to }) => start >= from && end < to);
    if (one !== undefined && others.length === 0) timed.add(one.step);
  }
  if (names.length === 0) return { names: [...timed].map(({ name }) => name), steps: timed };
  return { names, steps: new Set(readJob(job).steps.filter(({ name }) => names.includes(name))) };
}

/** The name of the step in a runner's line about one that failed: `❌  Failure - Main Ship`. */
function failedStepIn(text: string): string | undefined {
  return /^\s*❌\s+Failure - Main (.+?)(?: \[[\d.]+(?:[mµn]?s|m|h)[^\]]*\])?\s*$/u.exec(text)?.[1];
}
