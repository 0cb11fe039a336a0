import { mergeSoon } from "../pulls/merging.ts";
import type { Site } from "../site.ts";
import { openPulls } from "../state/issues.ts";
import type { JobRecord, RunnerRecord } from "../state/records/actions.ts";
import { jobsOf } from "../state/repos.ts";
import { durationOf } from "../state/run-state.ts";
import { addUploads } from "./artifacts.ts";

/** Computes the start and end times of the jobs that have none. Called after whatever a job may have waited for. */
export function schedule(site: Site): void {
  const isOpen = (job: JobRecord) => !job.cancelled && job.start === null && job.end === null;
  const waiting = site.table("jobs").filter(isOpen);
  // The end of one lets others start.
  while (waiting.some((job) => isOpen(site.table("jobs").get(job.id) ?? job) && settle(site, job)));
}

/** Starts a job, or skips it, if it can be. Returns whether it has an end now. */
function settle(site: Site, job: JobRecord): boolean {
  const jobs = site.table("jobs");
  const run = site.table("runs").get(job.runId);
  if (run === undefined || run.needsApproval) return false;
  const ends = jobsOf(site.store, run, job.attempt).flatMap(({ key, end }) => (job.needs.includes(key) ? [end] : []));
  if (ends.includes(null)) return false;
  const ready = Math.max(job.created, ...ends.map(Number));
  if (job.outcome === "skipped") return jobs.put({ ...job, ready, end: ready }) !== undefined;
  const runner = runnerFor(site, job);
  jobs.put({ ...job, ready });
  if (runner === undefined) return false;
  const { jobQueued } = site.delays;
  let start = Math.max(ready, site.clock()) + jobQueued;
  // A runner takes one job at a time it asks.
  const starts = jobs.filter(({ runnerId }) => runnerId === runner.id).map((one) => one.start ?? 0);
  while (starts.some((other) => Math.abs(other - start) < jobQueued)) start += jobQueued;
  const end = job.steps.reduce((sum, step) => sum + durationOf(step, job.pace), start);
  const taken = jobs.put({ ...job, ready, start, end, runnerId: runner.id, taskId: site.store.nextId("tasks") });
  addUploads(site, taken);
  wakeWhenDone(site, taken);
  return true;
}

/** An online and enabled runner that has all labels, registered for the repository of a job, its owner or the server. */
function runnerFor({ table }: Site, { repoId, labels }: JobRecord): RunnerRecord | undefined {
  const places = { server: 0, owner: table("repos").get(repoId)?.ownerId, repository: repoId };
  return table("runners").find(
    (one) =>
      one.online &&
      !one.disabled &&
      one.of === places[one.level] &&
      labels.every((label) => one.labels.includes(label)),
  );
}

/** Called at startup. Jobs continue by the clock; only their end timers are set again. */
export function resumeJobs(site: Site): void {
  for (const job of site.table("jobs").all()) wakeWhenDone(site, job);
}

/** Retries the scheduled merges that may have waited for a job, when it ends. */
function wakeWhenDone(site: Site, { end, repoId, runId }: JobRecord): void {
  const left = (end ?? 0) - site.clock();
  if (left <= 0) return;
  site.later(left, async () => {
    const sha = site.table("runs").get(runId)?.sha;
    for (const pull of openPulls(site.store)) {
      if (pull.repoId === repoId && pull.pull.headSha === sha) mergeSoon(site, pull);
    }
  });
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
export function isBusy({ table, clock }: Site, { id }: RunnerRecord): boolean {
  const now = clock();
  const isRunning = ({ start, end }: JobRecord) => start !== null && start <= now && (end === null || now < end);
  return table("jobs").find((job) => job.runnerId === id && isRunning(job)) !== undefined;
}
