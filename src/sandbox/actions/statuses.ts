import type { Site } from "../site.ts";
import { type JobRecord, jobsOf, type RunRecord } from "../state/actions.ts";
import { latestOf, type StatusRecord, storedStatuses } from "../state/statuses.ts";
import { timestamp } from "../wire/times.ts";
import { type State, stateOf } from "./status.ts";

/** What a commit's statuses are by now, oldest first: those that were sent, and what the jobs of its runs have said. */
export function statusesOf(site: Site, repoId: number, sha: string): StatusRecord[] {
  const sent = storedStatuses(site.store, repoId, sha);
  const said = site.store
    .table("runs")
    .filter((run) => run.repoId === repoId && run.sha === sha && tells.has(run.event))
    .flatMap((run) => jobsOf(site.store, run).flatMap((job) => saidBy(site, run, job)));
  if (said.length === 0) return sent;
  const all = [...sent, ...said].sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
  return all.map((status, at) => ({ ...status, number: at + 1 }));
}

/** The latest of each context. */
export const latestStatuses = (site: Site, repoId: number, sha: string): StatusRecord[] =>
  latestOf(statusesOf(site, repoId, sha));

/** Runs that somebody or a clock started say nothing of a commit. */
const tells: ReadonlySet<string> = new Set(["push", "pull_request"]);

const words: Readonly<Record<State, readonly [status: string, description: string]>> = {
  waiting: ["pending", "Waiting to run"],
  blocked: ["pending", "Blocked by required conditions"],
  running: ["pending", "Has started running"],
  success: ["success", "Successful in"],
  failure: ["failure", "Failing after"],
  cancelled: ["failure", "Has been cancelled"],
  skipped: ["skipped", "Has been skipped"],
};

/** A status for each change of a job that has happened by now. */
function saidBy(site: Site, run: RunRecord, job: JobRecord): StatusRecord[] {
  const now = site.clock();
  const owner = site.store.table("users").get(site.store.table("repos").get(run.repoId)?.ownerId ?? 0)?.name;
  const repo = site.store.table("repos").get(run.repoId)?.name;
  const times = [...new Set([job.created, job.ready, job.start, job.end])].filter((at) => at !== null && at <= now);
  return times.flatMap((at) => {
    if (at === null) return [];
    const state = stateOf(job, at);
    const [status, text] = words[state];
    const took = state === "success" || state === "failure" ? ` ${Math.round((at - (job.start ?? at)) / 1000)}s` : "";
    return {
      repoId: run.repoId,
      sha: run.sha,
      number: 0,
      status,
      context: `${run.name} / ${job.name} (${run.event})`,
      target_url: `/${owner}/${repo}/actions/runs/${run.id}/jobs/${job.id}`,
      description: `${text}${took}`,
      creatorId: null,
      created_at: timestamp(at),
      updated_at: timestamp(at),
    };
  });
}
