import { mergeSoon } from "../pulls/merging.ts";
import type { Site } from "../site.ts";
import { jobsOf } from "../state/actions.ts";
import { openPulls } from "../state/issues.ts";
import type { JobRecord, RunnerRecord } from "../state/records/actions.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { addUploads, deleteArtifacts } from "./artifacts.ts";
import { durationOf } from "./log.ts";

/**
 * Lays down when things happen to every job that no runner has taken by a time: after each event, for all runs anew. A
 * runner asks at regular times and takes one job each time, the one that has waited longest.
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
    const taken = store.table("jobs").put(job.id, { ...job, start, end, runnerId, taskId });
    open.delete(job.id);
    lastStart.set(runnerId, start);
    addUploads(site, taken, free.artifacts);
    wakeWhenDone(site, taken);
  }
}

/** Jobs whose beginning lies ahead. */
function openJobs({ store }: Site, now: number): JobRecord[] {
  return store
    .table("jobs")
    .filter(({ start, end, cancelled }) => !cancelled && (start === null ? end === null || end > now : start > now));
}

function resetJob(site: Site, job: JobRecord, free: { tasks: number[]; artifacts: number[] }): JobRecord {
  if (job.taskId !== 0) free.tasks.push(job.taskId);
  free.artifacts.push(...deleteArtifacts(site, ({ jobId }) => jobId === job.id));
  return site.store.table("jobs").put(job.id, { ...job, ready: null, start: null, end: null, runnerId: 0, taskId: 0 });
}

/** Finds out from when on jobs could begin, now that some have an end; the skipped ones end right then. */
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
      const next = store.table("jobs").put(job.id, { ...job, ready, end: isSkipped ? ready : null });
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

/** The job that has waited longest among those that a runner would take, and who takes it when. */
function nextJob(
  site: Site,
  open: ReadonlyMap<number, JobRecord>,
  now: number,
  lastStart: ReadonlyMap<number, number>,
): Offer | undefined {
  const waiting = [...open.values()].sort((one, other) => (one.ready ?? 0) - (other.ready ?? 0) || one.id - other.id);
  for (const job of waiting) {
    const repo = site.store.table("repos").get(job.repoId);
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

/** The first time after both that a runner asks for a job; at once, if it always asks. */
function nextPoll(since: number, every: number, from: number, last = from): number {
  if (every === 0) return from;
  return since + (Math.floor((Math.max(from, last) - since) / every) + 1) * every;
}

/** After a start: jobs go on where they are by the clock; only what waits for them has to be told again. */
export function resumeJobs(site: Site): void {
  for (const job of site.store.table("jobs").all()) wakeWhenDone(site, job);
}

function wakeWhenDone(site: Site, job: JobRecord): void {
  const left = (job.end ?? 0) - site.clock();
  if (left > 0) site.later(left, async () => retryScheduledMerges(site, job));
}

/** A check of a commit is done: what waits for it may go on. */
function retryScheduledMerges(site: Site, { repoId, runId }: JobRecord): void {
  const run = site.store.table("runs").get(runId);
  for (const pull of openPulls(site.store)) {
    if (pull.repoId === repoId && pull.pull.headSha === run?.sha) mergeSoon(site, pull);
  }
}

/** The runners that would take a job: online, enabled, with all labels, of the repository, its owner or the server. */
export function runnersFor(site: Site, repo: RepoRecord, labels: readonly string[]): RunnerRecord[] {
  return site.store
    .table("runners")
    .filter(
      ({ level, of, disabled, online, labels: has }) =>
        online &&
        !disabled &&
        (level === "server" || (level === "owner" ? of === repo.ownerId : of === repo.id)) &&
        labels.every((label) => has.includes(label)),
    );
}

export function newRunner(
  site: Site,
  given: Pick<RunnerRecord, "name" | "labels"> & Partial<RunnerRecord>,
): RunnerRecord {
  const id = site.store.nextId("runners");
  const usual = { level: "server" as const, of: 0, disabled: false, online: true, ephemeral: false };
  return site.store.table("runners").put(id, { id, since: site.clock(), ...usual, ...given });
}

/** Whether a runner is at work. */
export function isBusy(site: Site, { id }: RunnerRecord): boolean {
  const now = site.clock();
  return site.store
    .table("jobs")
    .filter(({ runnerId }) => runnerId === id)
    .some(({ start, end }) => start !== null && start <= now && (end === null || now < end));
}
