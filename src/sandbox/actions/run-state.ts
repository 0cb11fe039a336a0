import type { JobRecord } from "../state/records/actions.ts";

/** The servers' own word for what a job is doing. */
export type State = "waiting" | "blocked" | "running" | "success" | "failure" | "skipped" | "cancelled";

/** What a job is doing at a time. */
export function stateOf(job: JobRecord, now: number): State {
  if (job.end !== null && now >= job.end) return job.cancelled ? "cancelled" : job.outcome;
  if (job.start !== null && now >= job.start) return "running";
  return job.ready !== null && now >= job.ready ? "waiting" : "blocked";
}

/** One word for the jobs of a run, in the servers' order of precedence. */
export function runState(jobs: readonly JobRecord[], now: number): State {
  const states = jobs.map((job) => stateOf(job, now));
  if (states.every((state) => state === "skipped")) return "skipped";
  if (states.every((state) => state === "skipped" || state === "success")) return "success";
  return (["cancelled", "running", "waiting", "failure"] as const).find((state) => states.includes(state)) ?? "blocked";
}

const ends: readonly State[] = ["success", "failure", "skipped", "cancelled"];
export const isDone = (state: State): boolean => ends.includes(state);

/** `status` and `conclusion` as records have them. */
export function statusWire(state: State): { readonly status: string; readonly conclusion?: string } {
  if (isDone(state)) return { status: "completed", conclusion: state };
  return { status: { waiting: "queued", blocked: "waiting", running: "in_progress" }[state as "waiting"] ?? "" };
}

const filters: Readonly<Record<string, readonly State[]>> = {
  queued: ["waiting"],
  pending: ["blocked"],
  waiting: ["blocked"],
  requested: ["blocked"],
  action_required: ["blocked"],
  in_progress: ["running"],
  success: ["success"],
  failure: ["failure"],
  cancelled: ["cancelled"],
  timed_out: ["cancelled"],
  skipped: ["skipped"],
  neutral: ["skipped"],
  completed: ends,
};

/** The states that values of `status` ask for: all of them without any; the first unknown value otherwise. */
export function parseStatusFilter(
  values: readonly string[],
): ReadonlySet<State> | undefined | { readonly unknown: string } {
  if (values.length === 0) return undefined;
  const unknown = values.find((value) => !Object.hasOwn(filters, value));
  return unknown === undefined ? new Set(values.flatMap((value) => filters[value] ?? [])) : { unknown };
}
