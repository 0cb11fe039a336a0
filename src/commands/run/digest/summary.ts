import type { GiteaJob } from "../../../forge/jobs.ts";
import { readJob } from "../../../forge/read-job.ts";
import { isTask, type RunOrTask, readRun } from "../../../forge/read-run.ts";
import { outcomeOf } from "../../../forge/run-states.ts";
import type { Run, Task } from "../../../forge/runs.ts";
import { type Infer, integer, isUnset, list, nullable, number, record, string, time } from "../../../shape/shape.ts";
import { grouped } from "../../../text/grouped.ts";

/** The finished runs of a workflow on a branch. Times are in seconds; null if no run succeeded or failed. */
export const workflowDigest = record({
  workflow: string,
  branch: string,
  runs: integer,
  failures: integer,
  failure_rate: nullable(number),
  median_seconds: nullable(number),
  p95_seconds: nullable(number),
});

/** A job that failed and then succeeded on the same commit, `flaky` times. */
const flakyJob = record({ workflow: string, job: string, flaky: integer, runs: integer });

/** How long jobs waited for a runner with a label, in seconds. */
const waitingTime = record({ label: string, jobs: integer, median_seconds: number, p95_seconds: number });

/** The result of each run, for the chart. */
const digestDay = record({ date: string, success: integer, failure: integer, other: integer });

/** `run digest`: runs, failures and times of a period. */
export const runDigest = record({
  since: time,
  until: time,
  workflows: list(workflowDigest),
  flaky_jobs: list(flakyJob),
  waiting: list(waitingTime),
  days: list(digestDay),
});

export type RunDigest = Infer<typeof runDigest>;
export type WorkflowDigest = Infer<typeof workflowDigest>;
export type FlakyJob = Infer<typeof flakyJob>;
export type WaitingTime = Infer<typeof waitingTime>;
export type DigestDay = Infer<typeof digestDay>;

/** A finished run. */
interface Finished {
  readonly workflow: string;
  readonly branch: string;
  readonly state: string;
  readonly started: number;
  readonly seconds: number;
}

/** A job of any attempt, on one server a job record, on the other a task. */
interface Attempted {
  readonly workflow: string;
  readonly name: string;
  readonly sha: string;
  readonly state: string;
  readonly labels: readonly string[];
  readonly created: number;
  readonly started: number;
  readonly ended: number;
}

/** Summarizes runs and the jobs or tasks of all their attempts. Those of other runs are ignored. */
export function summarize(
  runs: readonly RunOrTask[],
  jobs: readonly (GiteaJob | Task)[],
  period: { readonly since: Date; readonly until: Date },
): RunDigest {
  const tasks = runs.filter(isTask);
  const records = runs.filter((one): one is Run => !isTask(one));
  const finished = [...records.map(ofRun), ...ofTasks(tasks)].filter(({ state }) => isResult(state));
  const byId = new Map(records.map((one) => [one.id, one]));
  const numbers = new Set(runs.map((one) => readRun(one).number));
  const attempted = jobs.flatMap((job) => {
    if (isTask(job)) return numbers.has(job.run_number) ? [ofTask(job)] : [];
    const run = byId.get(job.run_id);
    return run === undefined ? [] : [ofJob(job, readRun(run).workflow)];
  });
  return {
    since: period.since.toISOString(),
    until: period.until.toISOString(),
    workflows: workflowsOf(finished),
    flaky_jobs: flakyJobs(attempted),
    waiting: waitingTimes(attempted),
    days: daysOf(finished),
  };
}

const isResult = (state: string) => outcomeOf(state) !== undefined;
const isFailure = (state: string) => outcomeOf(state) === "failure";
const hasTime = (state: string) => isFailure(state) || outcomeOf(state) === "success";

function ofRun(run: Run): Finished {
  const { workflow, branch, state, ...times } = readRun(run);
  const started = at(times.started);
  return { workflow, branch, state, started, seconds: (at(times.completed) - started) / 1000 };
}

/** Runs from tasks: those with the same number are the jobs of one run. */
function ofTasks(tasks: readonly Task[]): Finished[] {
  return [...grouped(tasks, (task) => String(task.run_number)).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const states = group.map((task) => readRun(task).state);
    const state = states.find((one) => !isResult(one)) ?? states.find(isFailure) ?? states[0] ?? "";
    const started = Math.min(...group.map((task) => at(task.run_started_at)));
    const ended = Math.max(...group.map((task) => at(task.updated_at)));
    return [
      { workflow: first.workflow_id, branch: readRun(first).branch, state, started, seconds: (ended - started) / 1000 },
    ];
  });
}

function ofJob(job: GiteaJob, workflow: string): Attempted {
  const { name, head_sha: sha, labels } = job;
  const [created, started, ended] = [at(job.created_at), at(job.started_at), at(job.completed_at)];
  return { workflow, name, sha, state: readJob(job).state, labels: labels ?? [], created, started, ended };
}

function ofTask(task: Task): Attempted {
  const { name, head_sha: sha } = task;
  const [started, ended] = [at(task.run_started_at), at(task.updated_at)];
  // The time a task was created is not when its job was: how long it waited is unknown.
  return {
    workflow: task.workflow_id,
    name,
    sha,
    state: readRun(task).state,
    labels: [],
    created: Number.NaN,
    started,
    ended,
  };
}

function workflowsOf(runs: readonly Finished[]): WorkflowDigest[] {
  const groups = [...grouped(runs, ({ workflow, branch }) => JSON.stringify([workflow, branch])).values()];
  return groups
    .map((group): WorkflowDigest => {
      const { workflow = "", branch = "" } = group[0] ?? {};
      const decided = group.filter(({ state }) => hasTime(state));
      const failures = decided.filter(({ state }) => isFailure(state)).length;
      const times = decided.map(({ seconds }) => seconds).filter(Number.isFinite);
      return {
        workflow,
        branch,
        runs: group.length,
        failures,
        failure_rate: decided.length === 0 ? null : failures / decided.length,
        median_seconds: median(times) ?? null,
        p95_seconds: quantile(times, 0.95) ?? null,
      };
    })
    .sort(
      (one, other) =>
        other.runs - one.runs || compare(one.workflow, other.workflow) || compare(one.branch, other.branch),
    );
}

/** Jobs that failed and later succeeded on the same commit: in another attempt or in another run. */
function flakyJobs(jobs: readonly Attempted[]): FlakyJob[] {
  const groups = [...grouped(jobs, ({ workflow, name }) => JSON.stringify([workflow, name])).values()];
  return groups
    .map((group): FlakyJob => {
      const { workflow = "", name = "" } = group[0] ?? {};
      const commits = [...grouped(group, ({ sha }) => sha).values()];
      const flaky = commits.filter((tries) => {
        const firstFailure = Math.min(...tries.filter(({ state }) => isFailure(state)).map(({ ended }) => ended));
        return tries.some(({ state, ended }) => state === "success" && ended > firstFailure);
      });
      return { workflow, job: name, flaky: flaky.length, runs: group.length };
    })
    .filter(({ flaky }) => flaky > 0)
    .sort((one, other) => other.flaky - one.flaky || compare(one.job, other.job));
}

function waitingTimes(jobs: readonly Attempted[]): WaitingTime[] {
  const waits = jobs.flatMap(({ labels, created, started }) => {
    const seconds = (started - created) / 1000;
    return Number.isFinite(seconds) && seconds >= 0 ? labels.map((label) => ({ label, seconds })) : [];
  });
  return [...grouped(waits, ({ label }) => label)]
    .map(([label, group]): WaitingTime => {
      const times = group.map(({ seconds }) => seconds);
      return {
        label,
        jobs: group.length,
        median_seconds: median(times) ?? 0,
        p95_seconds: quantile(times, 0.95) ?? 0,
      };
    })
    .sort((one, other) => other.jobs - one.jobs || compare(one.label, other.label));
}

function daysOf(runs: readonly Finished[]): DigestDay[] {
  const started = runs.filter((run) => Number.isFinite(run.started));
  const days = grouped(started, (run) => new Date(run.started).toISOString().slice(0, 10));
  return [...days]
    .map(([date, group]): DigestDay => {
      const success = group.filter(({ state }) => state === "success").length;
      const failure = group.filter(({ state }) => isFailure(state)).length;
      return { date, success, failure, other: group.length - success - failure };
    })
    .sort((one, other) => compare(one.date, other.date));
}

/** The middle value, or the mean of the two in the middle; undefined without values. */
function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  const [below, above] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return below === undefined || above === undefined ? undefined : (below + above) / 2;
}

/** The nearest-rank quantile; undefined without values. */
function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** Milliseconds since the epoch; NaN if the time is not set. */
function at(time: string | null | undefined): number {
  return isUnset(time) ? Number.NaN : Date.parse(time ?? "");
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
