import { timestamp } from "../http/time.ts";
import type { Site } from "../site.ts";
import type { JobRecord, RunRecord } from "../state/records/actions.ts";
import type { Timed } from "../state/records/fields.ts";
import type { StatusRecord } from "../state/records/issues.ts";
import { jobsOf } from "../state/repos.ts";
import { type State, stateOf } from "../state/run-state.ts";
import type { Maker } from "../state/store.ts";

/** The statuses of a commit, oldest first: those that were created and those of its workflow jobs. */
export function statusesOf(site: Site, repoId: number, sha: string): StatusRecord[] {
  const isOfCommit = (one: { readonly repoId: number; readonly sha: string }) =>
    one.repoId === repoId && one.sha === sha;
  const fromJobs = site
    .table("runs")
    .filter((run) => isOfCommit(run) && (run.event === "push" || run.event === "pull_request"))
    .flatMap((run) => jobsOf(site.store, run).flatMap((job, place) => jobStatuses(site, run, job, place)));
  return [...site.table("statuses").filter(isOfCommit), ...fromJobs]
    .sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
    .map((status, at) => ({ ...status, number: at + 1 }));
}

/** The latest status of each context, oldest first. */
export function latestStatuses(site: Site, repoId: number, sha: string): StatusRecord[] {
  const all = statusesOf(site, repoId, sha);
  return all.filter(({ context }, at) => !all.slice(at + 1).some((later) => later.context === context));
}

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
  const { repoId, sha } = run;
  const repo = site.table("repos").get(repoId);
  const owner = site.table("users").get(repo?.ownerId ?? 0)?.name;
  const page = site.release.product === "forgejo" ? `${run.number}/jobs/${place}` : `${run.id}/jobs/${job.id}`;
  const context = `${run.name} / ${job.name} (${run.event})`;
  const target_url = `/${owner}/${repo?.name}/actions/runs/${page}`;
  const now = site.clock();
  const times = new Set(
    [job.created, job.ready, job.start, job.end].flatMap((at) => (at !== null && at <= now ? [at] : [])),
  );
  return [...times].map((at) => {
    const [status, text] = statusTexts[stateOf(job, at)];
    const took = / (in|after)$/.test(text) ? ` ${Math.round((at - (job.start ?? at)) / 1000)}s` : "";
    const [created_at, description] = [timestamp(at), text + took];
    const made = { status, context, target_url, description, created_at, updated_at: created_at };
    return { repoId, sha, number: 0, creatorId: null, ...made };
  });
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
export function newStatus({ store, now }: Maker, given: Omit<StatusRecord, "number" | keyof Timed>): StatusRecord {
  const statuses = store.table("statuses");
  const number = statuses.filter(({ repoId, sha }) => repoId === given.repoId && sha === given.sha).length + 1;
  return statuses.put({ number, created_at: now(), updated_at: now(), ...given });
}
