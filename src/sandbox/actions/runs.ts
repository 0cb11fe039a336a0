import { readCommit } from "../git/commits.ts";
import type { Site } from "../site.ts";
import { type JobPlan, type JobRecord, jobsOf, type RunRecord } from "../state/actions.ts";
import type { RepoRecord } from "../state/repos.ts";
import type { UserRecord } from "../state/users.ts";
import { forgetUploads } from "./artifacts.ts";
import { filled } from "./expressions.ts";
import { planOf } from "./plan.ts";
import { schedule } from "./schedule.ts";
import { isDone, stateOf } from "./status.ts";
import type { WorkflowFile } from "./workflow-file.ts";

export interface Start {
  readonly event: string;
  /** The full ref. */
  readonly ref: string;
  readonly sha: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** The pull request that it is of. */
  readonly pull?: { readonly index: number; readonly head: string; readonly base: string };
  readonly needsApproval?: boolean;
  /** When it began, if not now. */
  readonly at?: number;
}

/** Starts a run of a workflow file. All that will happen is laid down here; the clock shows it bit by bit. */
export async function startRun(
  site: Site,
  repo: RepoRecord,
  me: UserRecord,
  { file, name, content = {} }: WorkflowFile,
  { event, ref, sha, inputs = {}, pull, needsApproval = false, at = site.clock() }: Start,
): Promise<RunRecord> {
  const owner = site.store.table("users").get(repo.ownerId)?.name ?? "";
  const github = {
    ref,
    ref_name: ref.replace(/^refs\/(heads|tags|pull)\//, ""),
    sha,
    actor: me.name,
    event_name: event,
    repository: `${owner}/${repo.name}`,
    event: { inputs },
    head_ref: pull?.head,
    base_ref: pull?.base,
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
    name,
    pull: pull?.index ?? 0,
    needsApproval,
    approvedBy: 0,
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
      cancelled: false,
    };
    const job = { ...fresh, pace: site.delays.jobStep, ...(keptAs(plan) ?? onlyPlan(plan)), id, attempt, created: at };
    site.store.table("jobs").put(id, job);
  }
  schedule(site, at);
}

const onlyPlan = ({ key, name, needs, labels, steps, outcome }: JobPlan): JobPlan => ({
  key,
  name,
  needs,
  labels,
  steps,
  outcome,
});

/** Ends a run on the spot: what runs stops, what has not begun never will. */
export function cancelRun(site: Site, run: RunRecord): void {
  const now = site.clock();
  for (const job of jobsOf(site.store, run)) {
    if (isDone(stateOf(job, now))) continue;
    const hasBegun = job.start !== null && job.start <= now;
    const past = hasBegun ? {} : { start: null, runnerId: 0, taskId: 0 };
    forgetUploads(site, ({ jobId, created }) => jobId === job.id && created > now);
    site.store.table("jobs").put(job.id, { ...job, ...past, ready: job.ready ?? now, end: now, cancelled: true });
  }
  schedule(site, now);
}

/** Lets a run begin that waited for somebody to say so. */
export function approveRun(site: Site, run: RunRecord, me: UserRecord): void {
  site.store.table("runs").put(run.id, { ...run, needsApproval: false, approvedBy: me.id });
  schedule(site, site.clock());
}
