import { internalStatuses } from "../../forge/run-states.ts";
import type { JobRecord, Outcome, StepPlan } from "./records/actions.ts";

/** A step with its times in milliseconds since the epoch. */
export interface StepTimes {
  readonly step: StepPlan;
  readonly start: number;
  readonly end: number;
  readonly outcome: Outcome | "cancelled";
}

/** The start, end and result of each step; empty if the job has no start time. */
export function stepTimes(job: JobRecord): StepTimes[] {
  const stop = job.cancelled && job.end !== null ? job.end : Number.POSITIVE_INFINITY;
  let at = job.start;
  if (at === null) return [];
  const times: StepTimes[] = [];
  for (const step of job.steps) {
    const end: number = at + durationOf(step, job.pace);
    const outcome = end > stop ? "cancelled" : step.outcome;
    times.push({ step, start: Math.min(at, stop), end: Math.min(end, stop), outcome });
    at = end;
  }
  return times;
}

/** The duration of a step in milliseconds. */
export function durationOf(step: StepPlan, pace: number): number {
  return step.outcome === "skipped" ? 0 : pace + step.sleeps;
}

/**
 * The log up to a time, as Gitea's runner writes it: setup, output of the steps, completion. Only the first step is
 * announced (docs/server-differences.md, "Logs").
 */
export function logOf(job: JobRecord, runner: string, event: string, now: number): string {
  if (job.start === null) return "";
  const received = `received task ${job.taskId} of job ${job.key}, be triggered by event: ${event}`;
  const setUp = ["workflow prepared", "⭐ Run Set up job", "  ✅  Success - Set up job"];
  const first = [`${runner}(version:v0.2.13) ${received}`, ...setUp];
  const lines = first.map((text): [at: number | null, text: string] => [job.start, text]);
  const ran = stepTimes(job).filter(({ step }) => step.outcome !== "skipped");
  for (const [at, { step, start }] of ran.entries()) {
    if (at === 0) lines.push([start, `⭐ Run Main ${step.name.replace(/^Run /, "")}`]);
    for (const { after, text } of step.lines) lines.push([start + after, text]);
  }
  const { end } = job;
  // The log of a cancelled job just stops.
  if (end !== null && !job.cancelled) {
    lines.push([end, "⭐ Run Complete job"], [end, `Cleaning up container for job ${job.key}`]);
    lines.push([end, "  ✅  Success - Complete job"]);
    if (job.outcome === "success") lines.push([end, "🏁  Job succeeded"]);
    else lines.push([end, "🏁  Job failed"], [end, `Job '${job.key}' failed`]);
  }
  const until = job.cancelled && end !== null ? Math.min(now, end) : now;
  return lines.flatMap(([at, text]) => (at !== null && at <= until ? [`${stampOf(at)} ${text}\n`] : [])).join("");
}

/** A timestamp with seven decimal places, as runners write it. */
const stampOf = (at: number) => new Date(at).toISOString().replace(/Z$/, "0000Z");

const states = ["waiting", "blocked", "running", "success", "failure", "skipped", "cancelled"] as const;

/** The state of a job, in the servers' own terms. */
export type State = (typeof states)[number];

/** The state of a job at a time. */
export function stateOf(job: JobRecord, now: number): State {
  if (job.end !== null && now >= job.end) return job.cancelled ? "cancelled" : job.outcome;
  if (job.start !== null && now >= job.start) return "running";
  return job.ready !== null && now >= job.ready ? "waiting" : "blocked";
}

/** The state of a run, by Gitea's order of precedence. */
export function runState(jobs: readonly JobRecord[], now: number): State {
  const states = jobs.map((job) => stateOf(job, now));
  if (states.every((state) => state === "skipped")) return "skipped";
  if (states.every((state) => state === "skipped" || state === "success")) return "success";
  return (["cancelled", "running", "waiting", "failure"] as const).find((state) => states.includes(state)) ?? "blocked";
}

const ends: readonly State[] = ["success", "failure", "skipped", "cancelled"];
/** Whether a state is final. */
export const isDone = (state: State): boolean => ends.includes(state);

/** The fields `status` and `conclusion` of a record. */
export function statusJson(state: State): { readonly status: string; readonly conclusion: string | undefined } {
  if (isDone(state)) return { status: "completed", conclusion: state };
  const status = { waiting: "queued", blocked: "waiting", running: "in_progress" }[state as "waiting"] ?? "";
  return { status, conclusion: undefined };
}

/** The words of the filter by status: those of GitHub in Gitea, the states themselves in Forgejo. */
const filters: Readonly<Record<"gitea" | "forgejo", Readonly<Record<string, readonly string[]>>>> = {
  forgejo: { ...Object.fromEntries(states.map((state) => [state, [state]])), unknown: [] },
  gitea: { ...Object.fromEntries(ends.map((state) => [state, [state]])), ...internalStatuses, waiting: ["blocked"] },
};

/** The states selected by `status` parameters, undefined for all, or the first unknown value. */
export function parseStatusFilter(
  values: readonly string[],
  product: keyof typeof filters,
): ReadonlySet<string> | undefined | { readonly unknown: string } {
  if (values.length === 0) return undefined;
  const unknown = values.find((value) => !Object.hasOwn(filters[product], value));
  return unknown === undefined ? new Set(values.flatMap((value) => filters[product][value] ?? [])) : { unknown };
}
