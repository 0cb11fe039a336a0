import type { BaseContext } from "../../app/context.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { isTransient } from "../../failure/failure.ts";
import type { Job } from "../../forge/jobs.ts";
import { isFinished, runState } from "../../forge/run-or-task.ts";
import type { Task } from "../../forge/runs.ts";
import { asFailure } from "../../output/report-failure.ts";
import type { FindContext, FoundRun } from "./find.ts";
import { stateOfTasks, tasksOf } from "./find-tasks.ts";
import { followLogs } from "./follow-logs.ts";
import { jobsOf } from "./jobs-of.ts";
import { type Show, whileShown } from "./show-watch.ts";
import { runPage, unsupported } from "./unsupported.ts";

/** How a run is watched. */
export interface WatchFlags {
  readonly interval: number | undefined;
  readonly failFast: boolean;
  readonly logs: boolean;
  /** Seconds after which the wait ends; nothing or 0 is for ever. */
  readonly timeout: number | undefined;
}

export type WatchContext = FindContext & Pick<BaseContext, "system" | "options">;

/** A run at one moment. */
export interface Moment {
  readonly found: FoundRun;
  readonly jobs: readonly (Job | Task)[];
  readonly state: string;
  readonly over: boolean;
}

/** Looks in a row that may fail to reach the server: with the growing pauses some twenty minutes. */
const patience = 24;
const usualInterval = 3;
const longestPause = 60;

/**
 * Looks at a run until it is over, shows what changes, and returns the exit name: success, failed, or pending when
 * `--timeout` passed. The pause between two looks grows while nothing changes (to five times the interval) or the
 * server is away (to a minute). Throws when the server stays away, or refuses.
 */
export async function watchRun(first: FoundRun, flags: WatchFlags, context: WatchContext): Promise<ExitName> {
  const { out } = context;
  if (flags.logs && first.kind === "tasks")
    throw unsupported("read the logs of a run", runPage(first, context), context);
  const { moment, ended } = await whileShown(context, flags.logs, (show) => look(first, flags, show, context));
  if (moment !== undefined) await showRecord(moment.found, context);
  if (ended === "pending") out.note(`It is not over after ${flags.timeout} s.`);
  if (ended === "awaitedFailed" && moment?.over === false) out.note("A job of it failed; the run goes on.");
  if (ended === "awaitedFailed" && moment?.found.kind === "run")
    out.note(`What failed: tongs run why ${moment.found.run.id}`);
  return ended;
}

interface Watched {
  readonly moment: Moment | undefined;
  readonly ended: ExitName;
}

async function look(first: FoundRun, flags: WatchFlags, show: Show, context: WatchContext): Promise<Watched> {
  const { system } = context;
  const interval = flags.interval ?? usualInterval;
  const limit = flags.timeout || Number.POSITIVE_INFINITY;
  const began = system.now().getTime();
  const follow = flags.logs ? followLogs(context) : undefined;
  let moment: Moment | undefined;
  let seen = "";
  let pause = interval;
  let slept = 0;
  let missed = 0;
  for (;;) {
    let remark: string | undefined;
    try {
      moment = await lookAgain(first, context);
      const now = fingerprint(moment);
      pause = now === seen ? Math.min(pause * 1.25, interval * 5) : interval;
      seen = now;
      await follow?.(moment.jobs.filter((job): job is Job => "labels" in job));
      missed = 0;
    } catch (error) {
      const failure = asFailure(error);
      missed += 1;
      if (!isTransient(failure) || missed >= patience || system.signal.aborted) throw error;
      pause = Math.min(longestPause, Math.max(interval, pause * 1.5));
      remark = failure.message;
    }
    await show(moment, remark);
    if (moment !== undefined && remark === undefined) {
      const ended = endOf(moment, flags);
      if (ended !== undefined) return { moment, ended };
    }
    const left = limit - Math.max(slept, (system.now().getTime() - began) / 1000);
    if (left <= 0) return { moment, ended: "pending" };
    const wait = Math.min(pause, left);
    slept += wait;
    await system.sleep(wait * 1000, system.signal);
  }
}

function endOf({ jobs, over, state }: Moment, { failFast }: WatchFlags): ExitName | undefined {
  if (over) return state === "success" || state === "skipped" ? "ok" : "awaitedFailed";
  return failFast && jobs.some((job) => runState(job) === "failure") ? "awaitedFailed" : undefined;
}

/** The run and its jobs now. The run is asked first: when it is over, so are the jobs that come after it. */
async function lookAgain(first: FoundRun, context: WatchContext): Promise<Moment> {
  if (first.kind === "run") {
    const run = await context.forge.runs.get(context.repo, first.run.id);
    const jobs = await jobsOf(run, context);
    return { found: { kind: "run", run }, jobs, state: runState(run), over: run.status === "completed" };
  }
  const found = await tasksOf(first.number, context);
  const jobs = found.kind === "tasks" ? found.tasks : [];
  return { found, jobs, state: stateOfTasks(jobs), over: jobs.every(isFinished) };
}

function fingerprint({ jobs, state }: Moment): string {
  const parts = jobs.map((job) => {
    const steps = "steps" in job ? (job.steps ?? []) : [];
    return [job.id, runState(job), ...steps.map((step) => runState(step))].join(" ");
  });
  return [state, ...parts].join("\n");
}

async function showRecord(found: FoundRun, { out }: WatchContext): Promise<void> {
  if (!out.records) return;
  if (found.kind === "run") await out.record(found.run, () => ({ fields: [] }));
  else await out.items(found.tasks);
}
