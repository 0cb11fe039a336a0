import type { Job, Step } from "../../forge/jobs.ts";
import { readJob } from "../../forge/read-job.ts";
import { isFailure, isStart, type LogLine, stepSpans } from "./log-lines.ts";

/** The steps that failed in a job. Both are empty if it failed outside its steps, or if nothing tells. */
export interface FailedSteps {
  readonly names: readonly string[];
  /** Their records, if the job has them. */
  readonly steps: ReadonlySet<Step>;
  /** The commands that failed, where nothing tells their step: the indexes of their first and last line in the log. */
  readonly commands: readonly { readonly first: number; readonly last: number }[];
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
  if (hasStepResults(job)) return { names: told.map(({ name }) => name), steps: new Set(told), commands: [] };
  const names: string[] = [];
  const timed = new Set<Step>();
  const spans = stepSpans(job);
  const commands: { first: number; last: number }[] = [];
  let [first, start, last] = [0, Number.NaN, -1];
  for await (const { time, text } of readLog()) {
    last += 1;
    const name = failedStepIn(text);
    if (name !== undefined) names.push(name);
    if (isStart(text)) [first, start] = [last, Date.parse(time)];
    if (!isFailure(text)) continue;
    commands.push({ first, last });
    // Newer runners do not name the step: it is the only one that was running from the start of the command to its end.
    const end = Date.parse(time);
    const [one, ...others] = spans.filter(({ from, to }) => start >= from && end < to);
    if (one !== undefined && others.length === 0) timed.add(one.step);
  }
  if (names.length === 0) return { names: [...timed].map(({ name }) => name), steps: timed, commands };
  return { names, steps: new Set(readJob(job).steps.filter(({ name }) => names.includes(name))), commands: [] };
}

/** The name of the step in a runner's line about one that failed: `❌  Failure - Main Ship`. */
function failedStepIn(text: string): string | undefined {
  return /^\s*❌\s+Failure - Main (.+?)(?: \[[\d.]+(?:[mµn]?s|m|h)[^\]]*\])?\s*$/u.exec(text)?.[1];
}
