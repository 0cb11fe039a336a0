import type { JobRecord } from "../state/records/actions.ts";

/** The state of a job, in Gitea's own terms. */
export type State = "waiting" | "blocked" | "running" | "success" | "failure" | "skipped" | "cancelled";

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

/** The states selected by `status` parameters, undefined for all, or the first unknown value. */
export function parseStatusFilter(
  values: readonly string[],
): ReadonlySet<State> | undefined | { readonly unknown: string } {
  if (values.length === 0) return undefined;
  const unknown = values.find((value) => !Object.hasOwn(filters, value));
  return unknown === undefined ? new Set(values.flatMap((value) => filters[value] ?? [])) : { unknown };
}
