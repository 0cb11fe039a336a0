import type { BaseContext } from "../../app/context.ts";
import type { Job } from "../../forge/jobs.ts";
import { isOver, runState } from "../../forge/run-or-task.ts";
import type { Task } from "../../forge/runs.ts";
import { live } from "../../output/live.ts";
import { safeLine } from "../../text/safe.ts";
import { duration, stateStyle } from "./columns.ts";
import type { FoundRun } from "./find.ts";

type ScreenContext = Pick<BaseContext, "out" | "system">;

/** A run at one moment. */
export interface Moment {
  readonly found: FoundRun;
  readonly jobs: readonly (Job | Task)[];
  readonly state: string;
  readonly over: boolean;
}

/** Shows a moment of a run, and a remark on the last look. */
export type Show = (moment: Moment | undefined, remark: string | undefined) => Promise<void>;

/**
 * Shows a run while `work` watches it: on a terminal by a live block, in a pipe by a line for each change. Beside logs
 * the changes are notes.
 */
export async function whileShown<T>(
  context: ScreenContext,
  withLogs: boolean,
  work: (show: Show) => Promise<T>,
): Promise<T> {
  const { out, system } = context;
  if (!out.terminal || withLogs) return work(changes(context, withLogs));
  const block = live(system.stdout, out);
  // The block itself says that the server is away: the client's own remarks on it are dropped.
  out.hold(true);
  try {
    return await work(async (moment, remark) => {
      const footer = [
        ...(moment === undefined ? [] : [summary(moment, context)]),
        ...(remark === undefined ? [] : [out.palette("warn", safeLine(remark))]),
      ];
      block.draw(moment === undefined ? [] : jobLines(moment, context), footer);
    });
  } finally {
    block.done();
    out.hold(false);
  }
}

/** A line for each job, and below it one for each step that runs or failed. */
function jobLines({ jobs }: Moment, { out, system }: ScreenContext): string[] {
  const now = system.now();
  const line = (state: string, name: string) => `${out.palette(stateStyle(state), state.padEnd(12))} ${safeLine(name)}`;
  return jobs.flatMap((job) => {
    const state = runState(job);
    const took = "labels" in job && isOver(job) ? `  (${duration(job.started_at, job.completed_at, now)})` : "";
    const steps = "steps" in job && (!isOver(job) || state === "failure") ? (job.steps ?? []) : [];
    const telling = steps.filter((step) => ["in_progress", "failure"].includes(runState(step)));
    return [line(state, `${job.name}${took}`), ...telling.map((step) => `  ${line(runState(step), step.name)}`)];
  });
}

function summary({ found, state, jobs }: Moment, { out }: ScreenContext): string {
  const number = found.kind === "run" ? found.run.run_number : found.number;
  const over = jobs.filter(isOver).length;
  return out.palette("dim", `run #${number}: ${state}, ${over} of ${jobs.length} jobs over`);
}

/** A line for each job whose state changed, and for the run; beside logs they are notes. */
function changes(context: ScreenContext, withLogs: boolean): Show {
  const { out } = context;
  const seen = new Map<string, string>();
  let remarked: string | undefined;
  const say = async (key: string, name: string, state: string, ...more: readonly string[]) => {
    if (seen.get(key) === state) return;
    seen.set(key, state);
    if (out.records) return;
    if (withLogs) out.note(`${name}: ${state}`);
    else await out.raw(`${[name, state, ...more].map(safeLine).join("\t")}\n`);
  };
  return async (moment, remark) => {
    if (remark !== undefined && remark !== remarked) out.note(`${remark}; still waiting.`);
    if (remark === undefined && remarked !== undefined) out.note("It answers again.");
    remarked = remark;
    if (moment === undefined || remark !== undefined) return;
    for (const job of moment.jobs) await say(`job ${job.id}`, job.name, runState(job));
    const number = moment.found.kind === "run" ? moment.found.run.run_number : moment.found.number;
    await say("run", `#${number}`, moment.state);
  };
}
