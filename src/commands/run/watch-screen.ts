import type { BaseContext } from "../../app/context.ts";
import type { Job } from "../../forge/jobs.ts";
import { isFinished, runState } from "../../forge/run-or-task.ts";
import type { Task } from "../../forge/runs.ts";
import { safeLine } from "../../text/safe.ts";
import { duration, stateStyle } from "./columns.ts";
import type { FoundRun } from "./find.ts";

type ScreenContext = Pick<BaseContext, "out" | "system">;

/** The state of a run and its jobs at one moment. */
export interface Snapshot {
  readonly found: FoundRun;
  readonly jobs: readonly (Job | Task)[];
  readonly state: string;
  readonly finished: boolean;
}

/** Shows a snapshot of a run, and why the last refresh failed. */
export type Show = (snapshot: Snapshot | undefined, problem: string | undefined) => Promise<void>;

/**
 * Shows a run while `work` watches it: on a terminal as a live block, in a pipe as a line for each change. If logs are
 * printed, changes are shown as notes.
 */
export async function withScreen<T>(
  context: ScreenContext,
  withLogs: boolean,
  work: (show: Show) => Promise<T>,
): Promise<T> {
  const { out, system } = context;
  if (!out.terminal || withLogs) return work(changes(context, withLogs));
  const { live } = await import("../../output/live.ts");
  const block = live(system.stdout, out);
  // The block shows that the server cannot be reached, so the client's notes about retries are dropped.
  out.hold(true);
  try {
    return await work(async (snapshot, problem) => {
      const footer = [
        ...(snapshot === undefined ? [] : [summary(snapshot, context)]),
        ...(problem === undefined ? [] : [out.palette("warn", safeLine(problem))]),
      ];
      block.draw(snapshot === undefined ? [] : jobLines(snapshot, context), footer);
    });
  } finally {
    block.done();
    out.hold(false);
  }
}

/** A line for each job, followed by a line for each step that is running or failed. */
function jobLines({ jobs }: Snapshot, { out, system }: ScreenContext): string[] {
  const now = system.now();
  const line = (state: string, name: string) => `${out.palette(stateStyle(state), state.padEnd(12))} ${safeLine(name)}`;
  return jobs.flatMap((job) => {
    const state = runState(job);
    const time = "labels" in job && isFinished(job) ? duration(job.started_at, job.completed_at, now) : "";
    const name = time === "" ? job.name : `${job.name}  (${time})`;
    const steps = "steps" in job && (!isFinished(job) || state === "failure") ? (job.steps ?? []) : [];
    const shownSteps = steps.filter((step) => ["in_progress", "failure"].includes(runState(step)));
    return [line(state, name), ...shownSteps.map((step) => `  ${line(runState(step), step.name)}`)];
  });
}

function summary({ found, state, jobs }: Snapshot, { out }: ScreenContext): string {
  const number = found.kind === "run" ? found.run.run_number : found.number;
  const finished = jobs.filter(isFinished).length;
  return out.palette("dim", `run #${number}: ${state}, ${finished} of ${jobs.length} jobs finished`);
}

/** Prints a line for each job whose state changed, and for the run. */
function changes(context: ScreenContext, withLogs: boolean): Show {
  const { out } = context;
  const seen = new Map<string, string>();
  let lastProblem: string | undefined;
  const print = async (key: string, name: string, state: string, ...more: readonly string[]) => {
    if (seen.get(key) === state) return;
    seen.set(key, state);
    if (out.records) return;
    if (withLogs) out.note(`${name}: ${state}`);
    else await out.raw(`${[name, state, ...more].map(safeLine).join("\t")}\n`);
  };
  return async (snapshot, problem) => {
    if (problem !== undefined && problem !== lastProblem) out.note(`${problem}; still waiting.`);
    if (problem === undefined && lastProblem !== undefined) out.note("The server can be reached again.");
    lastProblem = problem;
    if (snapshot === undefined || problem !== undefined) return;
    for (const job of snapshot.jobs) await print(`job ${job.id}`, job.name, runState(job));
    const number = snapshot.found.kind === "run" ? snapshot.found.run.run_number : snapshot.found.number;
    await print("run", `#${number}`, snapshot.state);
  };
}
