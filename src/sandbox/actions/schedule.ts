import { mergeSoon } from "../pulls/merging.ts";
import type { Site } from "../site.ts";
import { openPulls } from "../state/issues.ts";
import type { JobRecord, RunnerRecord } from "../state/records/actions.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { jobsOf } from "../state/repos.ts";
import { durationOf } from "../state/run-state.ts";
import { addUploads, deleteArtifacts } from "./artifacts.ts";

/**
 * Computes the start and end times of all jobs not yet started, again after every event. A runner polls at regular
 * intervals and takes one job each time, the one that has waited longest.
 */
export function schedule(site: Site, now: number): void {
  const { store } = site;
  const free = { tasks: [] as number[], artifacts: [] as number[] };
  const open = new Map(openJobs(site, now).map((job) => [job.id, resetJob(site, job, free)]));
  const lastStart = new Map<number, number>();
  for (const { runnerId, start } of store.table("jobs").all()) {
    if (start !== null) lastStart.set(runnerId, Math.max(start, lastStart.get(runnerId) ?? start));
  }
  for (const list of [free.tasks, free.artifacts]) list.sort((one, other) => one - other);
  for (;;) {
    setReadyTimes(site, open);
    const next = nextJob(site, open, now, lastStart);
    if (next === undefined) return;
    const { job, runnerId, start } = next;
    const end = job.steps.reduce((sum, step) => sum + durationOf(step, job.pace), start);
    const taskId = free.tasks.shift() ?? store.nextId("tasks");
    const taken = store.table("jobs").put({ ...job, start, end, runnerId, taskId });
    open.delete(job.id);
    lastStart.set(runnerId, start);
    addUploads(site, taken, free.artifacts);
    wakeWhenDone(site, taken);
  }
}

/** Jobs that have not started. */
function openJobs({ store }: Site, now: number): JobRecord[] {
  return store
    .table("jobs")
    .filter(({ start, end, cancelled }) => !cancelled && (start === null ? end === null || end > now : start > now));
}

function resetJob(site: Site, job: JobRecord, free: { tasks: number[]; artifacts: number[] }): JobRecord {
  if (job.taskId !== 0) free.tasks.push(job.taskId);
  free.artifacts.push(...deleteArtifacts(site, ({ jobId }) => jobId === job.id));
  return site.table("jobs").put({ ...job, ready: null, start: null, end: null, runnerId: 0, taskId: 0 });
}

/** Sets when jobs become ready, now that the jobs they need have an end. Skipped jobs end when they become ready. */
function setReadyTimes({ store }: Site, open: Map<number, JobRecord>): void {
  for (let settled = true; settled; ) {
    settled = false;
    for (const job of [...open.values()].filter(({ ready }) => ready === null)) {
      const run = store.table("runs").get(job.runId);
      if (run === undefined || run.needsApproval) continue;
      const ends = jobsOf(store, run, job.attempt)
        .filter(({ key }) => job.needs.includes(key))
        .map(({ end }) => end);
      const done = ends.flatMap((end) => (end === null ? [] : [end]));
      if (done.length < ends.length) continue;
      const ready = Math.max(job.created, ...done);
      const isSkipped = job.outcome === "skipped";
      const next = store.table("jobs").put({ ...job, ready, end: isSkipped ? ready : null });
      if (isSkipped) open.delete(job.id);
      else open.set(job.id, next);
      settled = true;
    }
  }
}

interface Offer {
  readonly job: JobRecord;
  readonly runnerId: number;
  readonly start: number;
}

/** The job that has waited longest among those a runner can take, with the runner and its start time. */
function nextJob(
  site: Site,
  open: ReadonlyMap<number, JobRecord>,
  now: number,
  lastStart: ReadonlyMap<number, number>,
): Offer | undefined {
  const waiting = [...open.values()].sort((one, other) => (one.ready ?? 0) - (other.ready ?? 0) || one.id - other.id);
  for (const job of waiting) {
    const repo = site.table("repos").get(job.repoId);
    if (job.ready === null || repo === undefined) continue;
    const from = Math.max(job.ready, now);
    const offers = runnersFor(site, repo, job.labels).map(({ id, since }) => ({
      job,
      runnerId: id,
      start: nextPoll(since, site.delays.jobQueued, from, lastStart.get(id)),
    }));
    const [first] = offers.sort((one, other) => one.start - other.start || one.runnerId - other.runnerId);
    if (first !== undefined) return first;
  }
  return undefined;
}

/** The first poll of a runner after both times; immediately if the interval is 0. */
function nextPoll(since: number, every: number, from: number, last = from): number {
  if (every === 0) return from;
  return since + (Math.floor((Math.max(from, last) - since) / every) + 1) * every;
}

/** Called at startup. Jobs continue by the clock; only their end timers are set again. */
export function resumeJobs(site: Site): void {
  for (const job of site.table("jobs").all()) wakeWhenDone(site, job);
}

function wakeWhenDone(site: Site, job: JobRecord): void {
  const left = (job.end ?? 0) - site.clock();
  if (left > 0) site.later(left, async () => retryScheduledMerges(site, job));
}

/** Retries the scheduled merges that may have waited for a job. */
function retryScheduledMerges(site: Site, { repoId, runId }: JobRecord): void {
  const run = site.table("runs").get(runId);
  for (const pull of openPulls(site.store)) {
    if (pull.repoId === repoId && pull.pull.headSha === run?.sha) mergeSoon(site, pull);
  }
}

/**
 * The runners that can take a job: online, enabled, with all labels, and registered for the repository, its owner or
 * the server.
 */
function runnersFor(site: Site, repo: RepoRecord, labels: readonly string[]): RunnerRecord[] {
  return site
    .table("runners")
    .filter(
      ({ level, of, disabled, online, labels: has }) =>
        online &&
        !disabled &&
        (level === "server" || (level === "owner" ? of === repo.ownerId : of === repo.id)) &&
        labels.every((label) => has.includes(label)),
    );
}

/** Registers a runner, by default an online one of the server. */
export function newRunner(
  site: Site,
  given: Pick<RunnerRecord, "name" | "labels"> & Partial<RunnerRecord>,
): RunnerRecord {
  const defaults = { level: "server" as const, of: 0, disabled: false, online: true, ephemeral: false };
  return site.table("runners").add({ since: site.clock(), ...defaults, ...given });
}

/** Whether a runner is running a job. */
export function isBusy(site: Site, { id }: RunnerRecord): boolean {
  const now = site.clock();
  return site
    .table("jobs")
    .filter(({ runnerId }) => runnerId === id)
    .some(({ start, end }) => start !== null && start <= now && (end === null || now < end));
}
