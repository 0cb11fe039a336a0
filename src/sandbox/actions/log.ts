import type { JobRecord, StepPlan } from "../state/actions.ts";

export interface StepTimes {
  readonly step: StepPlan;
  readonly start: number;
  readonly end: number;
}

/** When each step of a job begins and ends; none before the job has a start. */
export function stepTimes(job: JobRecord): StepTimes[] {
  let at = job.start;
  if (at === null) return [];
  const times: StepTimes[] = [];
  for (const step of job.steps) {
    const end: number = at + durationOf(step, job.pace);
    times.push({ step, start: at, end });
    at = end;
  }
  return times;
}

export function durationOf(step: StepPlan, pace: number): number {
  return step.outcome === "skipped" ? 0 : pace + step.sleeps;
}

/** The log that had arrived by a time (api-facts 3.6.7): set-up, what the steps wrote, the end. */
export function logOf(job: JobRecord, runner: string, event: string, now: number): string {
  if (job.start === null) return "";
  const lines: [at: number, text: string][] = [
    [
      job.start,
      `${runner}(version:v0.2.13) received task ${job.taskId} of job ${job.key}, be triggered by event: ${event}`,
    ],
    [job.start, "⭐ Run Set up job"],
    [job.start, "  ✅  Success - Set up job"],
  ];
  for (const { step, start, end } of stepTimes(job)) {
    if (step.outcome === "skipped") continue;
    lines.push([start, `⭐ Run Main ${step.name}`]);
    for (const { after, text } of step.lines) lines.push([start + after, text]);
    lines.push([
      end,
      step.outcome === "success" ? `  ✅  Success - Main ${step.name}` : `  ❌  Failure - Main ${step.name}`,
    ]);
  }
  if (job.end !== null) {
    lines.push([job.end, job.outcome === "success" ? "🏁  Job succeeded" : "🏁  Job failed"]);
  }
  return lines.flatMap(([at, text]) => (at <= now ? [`${stampOf(at)} ${text}\n`] : [])).join("");
}

/** Seven digits of a second, as the runners write them. */
const stampOf = (at: number) => new Date(at).toISOString().replace(/Z$/, "0000Z");
