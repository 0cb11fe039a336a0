import type { ExitName } from "../../failure/exit-codes.ts";
import { Failure, isTransient } from "../../failure/failure.ts";
import { type Job, jobLogs } from "../../forge/jobs.ts";
import { call } from "../../forge/operation.ts";
import { readJob, stepState } from "../../forge/read-job.ts";
import { isTask, readRun } from "../../forge/read-run.ts";
import { runGet } from "../../forge/runs.ts";
import { asFailure } from "../../output/report-failure.ts";
import { commandIn } from "../../profiles/server.ts";
import type { BaseContext } from "../context.ts";
import { timeLimited } from "../time-limit.ts";
import { unsupported } from "../web-instead.ts";
import { approvalNote, isOfFork } from "./approval.ts";
import { type FindContext, type FoundRun, recordOf, runPage, stateOfTasks, tasksOf } from "./find.ts";
import { jobsOrTasksOf } from "./find-job.ts";
import { followLogs } from "./follow-logs.ts";
import { type Show, type Snapshot, withScreen } from "./watch-screen.ts";

/** The limit of --wait, in seconds. --timeout is its old spelling; it is the limit of a request elsewhere. */
export function waitLimit(
  flags: { readonly wait: number | undefined; readonly timeout: number | undefined },
  { out }: Pick<BaseContext, "out">,
): number | undefined {
  if (flags.timeout !== undefined) out.warn("--timeout is deprecated here; use --wait");
  return flags.wait ?? flags.timeout;
}

/** The context whose requests end with a `run_pending` failure after the limit of --wait, in seconds. */
export function withinLimit<C extends Pick<WatchContext, "http">>(context: C, limit: number | undefined): C {
  const late = new Failure("run_pending", `The run did not complete within ${limit} s`);
  return { ...context, http: timeLimited(context.http, limit, late) };
}

/** How a run is watched. */
interface WatchFlags {
  readonly interval: number | undefined;
  readonly failFast: boolean;
  readonly logs: boolean;
  /** In seconds; undefined or 0 for no limit. */
  readonly timeout: number | undefined;
}

type WatchContext = FindContext & Pick<BaseContext, "system">;

/** How many refreshes in a row may fail: with the growing pauses, about twenty minutes. */
const maxFailures = 24;
const defaultInterval = 3;
const maxPause = 60;

/**
 * Watches a run until it completes, shows what changes, and returns the exit name: ok, awaitedFailed, or pending if the
 * timeout was reached or the run waits for an approval. The pause between refreshes grows while nothing changes (to five times the interval) and while
 * the server cannot be reached (to a minute). Throws when the server stays unreachable or denies a request.
 */
export async function watchRun(first: FoundRun, flags: WatchFlags, context: WatchContext): Promise<ExitName> {
  const { out } = context;
  const { snapshot, ended, isUnapproved } = await withScreen(context, flags.logs, (show) =>
    poll(first, flags, show, context),
  );
  if (snapshot !== undefined) await printRecord(snapshot.found, context);
  if (isUnapproved && snapshot !== undefined) out.note(await approvalNote(recordOf(snapshot.found), context));
  else if (ended === "pending") out.note(`The run did not complete within ${flags.timeout} s.`);
  if (ended === "awaitedFailed" && snapshot?.finished === false)
    out.note("A job failed; the run is still in progress.");
  if (ended === "awaitedFailed" && snapshot?.found.kind === "run")
    out.note(`To see why it failed, run: ${commandIn(context, `tongs run why ${snapshot.found.run.id}`)}`);
  return ended;
}

interface WatchResult {
  readonly snapshot: Snapshot | undefined;
  readonly ended: ExitName;
  /** Whether the run waits for an approval. */
  readonly isUnapproved?: boolean;
}

async function poll(first: FoundRun, flags: WatchFlags, show: Show, context: WatchContext): Promise<WatchResult> {
  const { system } = context;
  const interval = flags.interval ?? defaultInterval;
  const limit = flags.timeout || Number.POSITIVE_INFINITY;
  const started = system.now().getTime();
  const follow = flags.logs ? followLogs(context) : undefined;
  let snapshot: Snapshot | undefined;
  let previous = "";
  let pause = interval;
  let waited = 0;
  let failures = 0;
  let ofFork: boolean | undefined;
  for (;;) {
    let problem: string | undefined;
    try {
      snapshot = await takeSnapshot(first, context);
      const now = fingerprint(snapshot);
      pause = now === previous ? Math.min(pause * 1.25, interval * 5) : interval;
      previous = now;
      const jobs = snapshot.jobs.filter((job): job is Job => !isTask(job));
      if (follow && jobs.length < snapshot.jobs.length)
        throw unsupported("read the logs of a run", runPage(recordOf(first), context), context, runGet, jobLogs);
      await follow?.(jobs);
      failures = 0;
    } catch (error) {
      const failure = asFailure(error);
      if (failure.code === "run_pending") return { snapshot, ended: "pending" };
      failures += 1;
      if (!isTransient(failure) || failures >= maxFailures || system.signal.aborted) throw error;
      pause = Math.min(maxPause, Math.max(interval, pause * 1.5));
      problem = failure.message;
    }
    await show(snapshot, problem);
    if (snapshot !== undefined && problem === undefined) {
      const ended = exitOf(snapshot, flags);
      if (ended !== undefined) return { snapshot, ended };
      const { found, jobs } = snapshot;
      // A run that waits for an approval is blocked with all its jobs, and of a fork. Its record does not tell.
      const isBlocked = found.kind === "run" && readRun(found.run).state === "waiting";
      const isUnstarted = isBlocked && jobs.every((job) => readJob(job).state === "waiting");
      if (isUnstarted) ofFork ??= await isOfFork(found.run, context);
      if (isUnstarted && ofFork) return { snapshot, ended: "pending", isUnapproved: true };
    }
    const left = limit - Math.max(waited, (system.now().getTime() - started) / 1000);
    if (left <= 0) return { snapshot, ended: "pending" };
    const wait = Math.min(pause, left);
    waited += wait;
    await system.sleep(wait * 1000, system.signal);
  }
}

function exitOf({ jobs, finished, state }: Snapshot, { failFast }: WatchFlags): ExitName | undefined {
  if (finished) return state === "success" || state === "skipped" ? "ok" : "awaitedFailed";
  return failFast && jobs.some((job) => readJob(job).state === "failure") ? "awaitedFailed" : undefined;
}

/** The run and its jobs now. The run is fetched first: if it has completed, the jobs fetched after it have, too. */
async function takeSnapshot(first: FoundRun, context: WatchContext): Promise<Snapshot> {
  if (first.kind === "run") {
    const run = await call(context.http, runGet, { repo: context.repo, run: first.run.id });
    const jobs = await jobsOrTasksOf(run, context);
    const { state, isFinished } = readRun(run);
    return { found: { kind: "run", run }, jobs, state, finished: isFinished };
  }
  const found = await tasksOf(first.number, context);
  const jobs = found.kind === "tasks" ? found.tasks : [];
  return { found, jobs, state: stateOfTasks(jobs), finished: jobs.every((job) => readJob(job).isFinished) };
}

function fingerprint({ jobs, state }: Snapshot): string {
  const parts = jobs.map((job) => {
    const { state, steps } = readJob(job);
    return [job.id, state, ...steps.map(stepState)].join(" ");
  });
  return [state, ...parts].join("\n");
}

async function printRecord(found: FoundRun, { out }: WatchContext): Promise<void> {
  if (!out.records) return;
  if (found.kind === "run") await out.record(found.run, () => ({ fields: [] }));
  else await out.items(found.tasks);
}
