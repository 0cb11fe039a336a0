import { timestamp } from "../http/time.ts";
import type { Site } from "../site.ts";
import type { JobRecord, RunRecord } from "../state/records/actions.ts";
import type { StatusRecord } from "../state/records/issues.ts";
import { jobsOf } from "../state/repos.ts";
import { type State, stateOf } from "../state/run-state.ts";
import type { Store } from "../state/store.ts";

/** The statuses of a commit, oldest first: those that were created and those of its workflow jobs. */
export function statusesOf(site: Site, repoId: number, sha: string): StatusRecord[] {
  const created = storedStatuses(site.store, repoId, sha);
  const fromJobs = site
    .table("runs")
    .filter((run) => run.repoId === repoId && run.sha === sha && reportingEvents.has(run.event))
    .flatMap((run) => jobsOf(site.store, run).flatMap((job, place) => jobStatuses(site, run, job, place)));
  if (fromJobs.length === 0) return created;
  const all = [...created, ...fromJobs].sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
  return all.map((status, at) => ({ ...status, number: at + 1 }));
}

/** The latest status of each context. */
export const latestStatuses = (site: Site, repoId: number, sha: string): StatusRecord[] =>
  latestByContext(statusesOf(site, repoId, sha));

/** Events whose runs create commit statuses. */
const reportingEvents: ReadonlySet<string> = new Set(["push", "pull_request"]);

const statusTexts: Readonly<Record<State, readonly [status: string, description: string]>> = {
  waiting: ["pending", "Waiting to run"],
  blocked: ["pending", "Blocked by required conditions"],
  running: ["pending", "Has started running"],
  success: ["success", "Successful in"],
  failure: ["failure", "Failing after"],
  cancelled: ["failure", "Has been cancelled"],
  skipped: ["skipped", "Has been skipped"],
};

/** A status for each state change of a job so far; `place` is that of the job in its run. */
function jobStatuses(site: Site, run: RunRecord, job: JobRecord, place: number): StatusRecord[] {
  const now = site.clock();
  const owner = site.table("users").get(site.table("repos").get(run.repoId)?.ownerId ?? 0)?.name;
  const repo = site.table("repos").get(run.repoId)?.name;
  const times = [...new Set([job.created, job.ready, job.start, job.end])].filter((at) => at !== null && at <= now);
  const page = site.release.product === "forgejo" ? `${run.number}/jobs/${place}` : `${run.id}/jobs/${job.id}`;
  return times.flatMap((at) => {
    if (at === null) return [];
    const state = stateOf(job, at);
    const [status, text] = statusTexts[state];
    const took = state === "success" || state === "failure" ? ` ${Math.round((at - (job.start ?? at)) / 1000)}s` : "";
    return {
      repoId: run.repoId,
      sha: run.sha,
      number: 0,
      status,
      context: `${run.name} / ${job.name} (${run.event})`,
      target_url: `/${owner}/${repo}/actions/runs/${page}`,
      description: `${text}${took}`,
      creatorId: null,
      created_at: timestamp(at),
      updated_at: timestamp(at),
    };
  });
}

/** The statuses created through the API, oldest first. */
function storedStatuses(store: Store, repoId: number, sha: string): StatusRecord[] {
  return store.table("statuses").filter((status) => status.repoId === repoId && status.sha === sha);
}

/** The latest status of each context, oldest first. */
function latestByContext(statuses: readonly StatusRecord[]): StatusRecord[] {
  const byContext = new Map<string, StatusRecord>();
  for (const status of statuses) {
    byContext.delete(status.context);
    byContext.set(status.context, status);
  }
  return [...byContext.values()];
}

/**
 * The combined state: failure if any status is failure, error or warning, else success if all are success or skipped,
 * else pending.
 */
export function combinedState(statuses: readonly Pick<StatusRecord, "status">[]): "failure" | "pending" | "success" {
  if (statuses.some(({ status }) => ["failure", "error", "warning"].includes(status))) return "failure";
  const isDone = statuses.length > 0 && statuses.every(({ status }) => ["success", "skipped"].includes(status));
  return isDone ? "success" : "pending";
}

/** Creates a commit status. */
export function newStatus(
  store: Store,
  now: string,
  given: Partial<StatusRecord> & Pick<StatusRecord, "repoId" | "sha" | "status" | "creatorId">,
): StatusRecord {
  const number = storedStatuses(store, given.repoId, given.sha).length + 1;
  return store.table("statuses").put({
    number,
    context: "",
    target_url: "",
    description: "",
    created_at: now,
    updated_at: now,
    ...given,
  });
}
