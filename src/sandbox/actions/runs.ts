import { readCommit } from "../git/commits.ts";
import type { Site } from "../site.ts";
import { type ArtifactRecord, type JobPlan, type JobRecord, jobsOf, type RunRecord } from "../state/actions.ts";
import type { RepoRecord } from "../state/repos.ts";
import type { UserRecord } from "../state/users.ts";
import { filled } from "./expressions.ts";
import { durationOf, stepTimes } from "./log.ts";
import { planOf } from "./plan.ts";
import { runnerFor } from "./runners.ts";
import type { WorkflowFile } from "./workflow-file.ts";

/** How long an artifact is kept: ninety days. */
const kept = 90 * 86_400_000;

export interface Start {
  readonly event: string;
  /** The full ref. */
  readonly ref: string;
  readonly sha: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** When it began, if not now. */
  readonly at?: number;
}

/** Starts a run of a workflow file. All that will happen is laid down here; the clock shows it bit by bit. */
export async function startRun(
  site: Site,
  repo: RepoRecord,
  me: UserRecord,
  { file, content = {} }: WorkflowFile,
  { event, ref, sha, inputs = {}, at = site.clock() }: Start,
): Promise<RunRecord> {
  const owner = site.store.table("users").get(repo.ownerId)?.name ?? "";
  const ref_name = ref.replace(/^refs\/(heads|tags)\//, "");
  const github = {
    ref,
    ref_name,
    sha,
    actor: me.name,
    event_name: event,
    repository: `${owner}/${repo.name}`,
    event: { inputs },
  };
  const facts = { github, gitea: github, inputs };
  const { message } = await readCommit(site, repo, sha);
  const named = content["run-name"];
  const id = site.store.nextId("runs");
  const run = site.store.table("runs").put(id, {
    id,
    repoId: repo.id,
    number: site.store.nextId(`runs of ${repo.id}`),
    workflow: file,
    event,
    ref,
    sha,
    title: typeof named === "string" ? filled(named, facts) : (message.split("\n")[0] ?? ""),
    starters: [me.id],
  });
  addJobs(site, repo, run, planOf(content, facts), at);
  return run;
}

/** Starts another attempt: the jobs that `again` names anew, the others as they were, under new ids. */
export function rerun(
  site: Site,
  repo: RepoRecord,
  run: RunRecord,
  me: UserRecord,
  again: (job: JobRecord) => boolean,
) {
  const before = jobsOf(site.store, run);
  const next = { ...run, starters: [...run.starters, me.id] };
  site.store.table("runs").put(run.id, next);
  addJobs(site, repo, next, before, site.clock(), (job) => before.find((one) => one === job && !again(one)));
  return next;
}

function addJobs(
  site: Site,
  repo: RepoRecord,
  run: RunRecord,
  plans: readonly JobPlan[],
  at: number,
  keptAs: (plan: JobPlan) => JobRecord | undefined = () => undefined,
): void {
  const attempt = run.starters.length;
  for (const plan of plans) {
    const id = site.store.nextId("jobs");
    const fresh = {
      repoId: repo.id,
      runId: run.id,
      created: at,
      ready: null,
      start: null,
      end: null,
      runnerId: 0,
      taskId: 0,
    };
    const job = { ...fresh, pace: site.delays.jobStep, ...(keptAs(plan) ?? onlyPlan(plan)), id, attempt };
    site.store.table("jobs").put(id, job);
  }
  schedule(site, repo, run, at);
}

const onlyPlan = ({ key, name, needs, labels, steps, outcome }: JobPlan): JobPlan => ({
  key,
  name,
  needs,
  labels,
  steps,
  outcome,
});

/** Gives every job that has no runner yet its times, from `at` on, if there is a runner for it. */
function schedule(site: Site, repo: RepoRecord, run: RunRecord, at: number): void {
  const { store, delays } = site;
  for (const { id } of jobsOf(store, run)) {
    const jobs = jobsOf(store, run);
    const job = jobs.find((one) => one.id === id);
    if (job === undefined || job.end !== null) continue;
    const ends = jobs.filter(({ key }) => job.needs.includes(key)).map(({ end }) => end);
    const done = ends.flatMap((end) => (end === null ? [] : [end]));
    if (done.length < ends.length) continue;
    const ready = Math.max(job.created, ...done);
    const runner = job.outcome === "skipped" ? undefined : runnerFor(site, repo, job.labels);
    if (job.outcome === "skipped") store.table("jobs").put(id, { ...job, ready, end: ready });
    else if (runner === undefined) store.table("jobs").put(id, { ...job, ready });
    else {
      const start = Math.max(ready, at) + delays.jobQueued;
      const end = job.steps.reduce((sum, step) => sum + durationOf(step, job.pace), start);
      const taskId = store.nextId("tasks");
      const taken = store.table("jobs").put(id, { ...job, ready, start, end, runnerId: runner.id, taskId });
      for (const upload of uploadsOf(taken)) addArtifact(site, upload);
    }
  }
}

/** After a runner came or went: jobs that no runner had taken by now are given out anew. */
export function runnersChanged(site: Site): void {
  const { store } = site;
  const now = site.clock();
  for (const run of store.table("runs").all()) {
    const repo = store.table("repos").get(run.repoId);
    const open = jobsOf(store, run).filter(
      ({ start, end, outcome }) =>
        (start === null ? end === null : start > now) || (outcome === "skipped" && end !== null && end > now),
    );
    if (repo === undefined || open.length === 0) continue;
    for (const job of open) {
      store.table("jobs").put(job.id, { ...job, ready: null, start: null, end: null, runnerId: 0, taskId: 0 });
      for (const { id } of store.table("artifacts").filter(({ jobId }) => jobId === job.id))
        store.table("artifacts").delete(id);
    }
    schedule(site, repo, run, now);
  }
}

type New = Omit<ArtifactRecord, "id">;

function uploadsOf(job: JobRecord): New[] {
  return stepTimes(job).flatMap(({ step, end }) =>
    step.upload === undefined || step.outcome !== "success"
      ? []
      : [{ ...step.upload, repoId: job.repoId, runId: job.runId, jobId: job.id, created: end, expires: end + kept }],
  );
}

function addArtifact({ store }: Site, given: New): void {
  const id = store.nextId("artifacts");
  store.table("artifacts").put(id, { id, ...given });
}
