import { orgJson } from "../serializers/accounts.ts";
import { jobJson, runJson, workflowJson } from "../serializers/actions.ts";
import type { Site } from "../site.ts";
import type { JobRecord, RunRecord } from "../state/records/actions.ts";
import { jobsOf, runOf } from "../state/repos.ts";
import { isDone, runState, type State, stateOf } from "../state/run-state.ts";
import { type About, aboutRepo, common, deliver, hooksFor } from "./deliver.ts";

/** The last state of each job that was delivered; jobs that are done are forgotten. */
const delivered = new WeakMap<Site, Map<number, State>>();

/** Delivers that a run was requested. */
export async function runRequested(about: About, run: RunRecord): Promise<void> {
  deliverRun(about, run, "requested");
}

function deliverRun(about: About, run: RunRecord, action: "requested" | "completed"): void {
  const { view, repo } = about;
  const event = { repo, family: "workflow_run", type: "workflow_run" };
  if (hooksFor(view.site, { ...event, body: {} }).length === 0) return;
  const file = { file: run.workflow, name: run.name, path: `.gitea/workflows/${run.workflow}` };
  const workflow = workflowJson(view, repo, file, view.site.now());
  deliver(view.site, { ...event, body: { action, workflow, workflow_run: runJson(view, run), ...owned(about) } });
}

/** What every delivery has, and the organization, if one owns the repository. */
function owned(about: About) {
  const owner = about.view.site.table("users").get(about.repo.ownerId);
  const organization = owner?.kind === "organization" ? { organization: orgJson(about.view, owner) } : {};
  return { ...organization, ...common(about) };
}

/** The actions of workflow_job, by state. */
const actions: Readonly<Partial<Record<State, string>>> = {
  waiting: "queued",
  blocked: "waiting",
  running: "in_progress",
};

/**
 * Delivers the state of a job, and later each state that it passes through: they are known when it is scheduled. A runner may
 * take the job before this is called, and a timer can be late: states that have passed meanwhile are delivered all the same,
 * from the one that it had at the time `reached`.
 */
export function followJob(about: About, changed: JobRecord, reached?: number): void {
  const { view } = about;
  const { site } = view;
  const states = delivered.get(site) ?? new Map<number, State>();
  delivered.set(site, states);
  const job = site.table("jobs").get(changed.id);
  const repo = site.table("repos").get(changed.repoId);
  if (job === undefined || repo === undefined) {
    states.delete(changed.id);
    return;
  }
  const now = site.clock();
  const first = states.has(job.id) || isDone(stateOf(job, now)) ? now : (job.ready ?? now);
  const at = Math.min(now, reached ?? first);
  const state = stateOf(job, at);
  const isNew = states.get(job.id) !== state;
  if (isNew) {
    states.set(job.id, state);
    const action = actions[state] ?? "completed";
    const body = {
      action,
      workflow_job: jobJson({ ...view, site: { ...site, clock: () => at } }, job),
      ...owned(about),
    };
    deliver(site, { repo, family: "workflow_job", type: "workflow_job", body });
  }
  if (isDone(state)) {
    states.delete(job.id);
    if (isNew) completeRun(about, job);
    return;
  }
  const next = [job.ready, job.start, job.end].filter((time): time is number => time !== null && time > at);
  if (next.length === 0) return;
  const then = Math.min(...next);
  site.later(Math.max(0, then - now) + 1, async () => {
    const later = aboutRepo(site, repo, about.doer.id);
    // Cancelled or started again in the meantime: that change is followed on its own.
    if (later !== undefined && site.table("jobs").get(job.id) === job) followJob(later, job, then);
  });
}

/** Delivers that a run is completed, with the last of its jobs. */
function completeRun(about: About, { repoId, runId }: JobRecord): void {
  const { site } = about.view;
  const run = runOf(site.store, repoId, runId);
  if (run === undefined || !isDone(runState(jobsOf(site.store, run), site.clock()))) return;
  deliverRun(about, run, "completed");
}
