import { readCommit } from "../git/commits.ts";
import { commitOf } from "../git/refs.ts";
import { accessTo } from "../http/access.ts";
import { baseRepoOf } from "../pulls/mergeability.ts";
import { headRef } from "../pulls/reviews.ts";
import type { RefsChanged, RepoAt, Site } from "../site.ts";
import { openPullsFrom, pullAt } from "../state/issues.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { JobPlan, JobRecord, RunRecord } from "../state/records/actions.ts";
import type { PullRecord } from "../state/records/issues.ts";
import { isDisabled, jobsOf } from "../state/repos.ts";
import { isDone, stateOf } from "../state/run-state.ts";
import { planJobs } from "./plan.ts";
import { schedule } from "./schedule.ts";
import { interpolate } from "./script.ts";
import { type PullAction, startsOnPull, startsOnPush, type WorkflowFile, workflowsAt } from "./workflow-file.ts";

/** What starts a run. */
interface Start {
  readonly event: string;
  /** The full ref name. */
  readonly ref: string;
  readonly sha: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** The pull request that triggered the run. */
  readonly pull?: { readonly index: number; readonly head: string; readonly base: string };
  readonly needsApproval?: boolean;
}

/** Starts a run of a workflow file. Its whole course is computed here and revealed as time passes. */
export async function startRun(
  { site, repo }: RepoAt,
  currentUser: UserRecord,
  { file, name, content = {} }: WorkflowFile,
  { event, ref, sha, inputs = {}, pull, needsApproval = false }: Start,
): Promise<RunRecord> {
  const owner = site.table("users").get(repo.ownerId)?.name ?? "";
  const github = {
    ref,
    ref_name: ref.replace(/^refs\/(heads|tags|pull)\//, ""),
    sha,
    actor: currentUser.name,
    event_name: event,
    repository: `${owner}/${repo.name}`,
    event: { inputs },
    head_ref: pull?.head,
    base_ref: pull?.base,
  };
  const facts = { github, gitea: github, inputs };
  const { message } = await readCommit({ site, repo }, sha);
  const named = content["run-name"];
  const run = site.table("runs").add({
    repoId: repo.id,
    number: site.store.nextId(`runs of ${repo.id}`),
    workflow: file,
    event,
    ref,
    sha,
    title: typeof named === "string" ? interpolate(named, facts) : (message.split("\n")[0] ?? ""),
    name,
    pull: pull?.index ?? 0,
    needsApproval,
    approvedBy: 0,
    starters: [currentUser.id],
  });
  addJobs(site, run, planJobs(content, facts));
  return run;
}

/** Starts another attempt. Jobs that match `again` run again; the others are copied with new ids. */
export function rerun(site: Site, run: RunRecord, currentUser: UserRecord, again: (job: JobRecord) => boolean) {
  const before = jobsOf(site.store, run);
  const next = site.table("runs").put({ ...run, starters: [...run.starters, currentUser.id] });
  addJobs(site, next, before, (job) => before.find((one) => one === job && !again(one)));
  return next;
}

function addJobs(
  site: Site,
  { id: runId, repoId, starters }: RunRecord,
  plans: readonly JobPlan[],
  keptAs: (plan: JobPlan) => JobRecord | undefined = () => undefined,
): void {
  const times = { ready: null, start: null, end: null, runnerId: 0, taskId: 0, cancelled: false };
  for (const plan of plans) {
    const { key, name, needs, labels, steps, outcome } = plan;
    const fresh = { ...times, pace: site.delays.jobStep, key, name, needs, labels, steps, outcome };
    const own = { repoId, runId, id: site.store.nextId("jobs"), attempt: starters.length, created: site.clock() };
    site.table("jobs").put({ ...fresh, ...keptAs(plan), ...own });
  }
  schedule(site);
}

/** Cancels a run: running jobs stop, waiting jobs never start. */
export function cancelRun(site: Site, run: RunRecord): void {
  const now = site.clock();
  for (const job of jobsOf(site.store, run)) {
    if (isDone(stateOf(job, now))) continue;
    const hasBegun = job.start !== null && job.start <= now;
    const past = hasBegun ? {} : { start: null, runnerId: 0, taskId: 0 };
    site.table("artifacts").remove(({ jobId, created }) => jobId === job.id && created > now);
    site.table("jobs").put({ ...job, ...past, ready: job.ready ?? now, end: now, cancelled: true });
  }
  schedule(site);
}

/** Approves a run that waits for approval. */
export function approveRun(site: Site, run: RunRecord, currentUser: UserRecord): void {
  site.table("runs").put({ ...run, needsApproval: false, approvedBy: currentUser.id });
  schedule(site);
}

/** Starts the runs that a push triggers, including those of pull requests from the pushed branches. */
export async function startRunsOnPush(site: Site, { repo, doer, changes, renamed }: RefsChanged): Promise<void> {
  if (renamed !== undefined) return;
  for (const { ref, to } of changes) {
    const sha = to === undefined ? undefined : await commitOf({ site, repo }, to);
    if (sha === undefined) continue;
    for (const file of await enabledWorkflows({ site, repo }, sha)) {
      if (startsOnPush(file, ref)) await startRun({ site, repo }, doer, file, { event: "push", ref, sha });
    }
    if (!ref.startsWith("refs/heads/")) continue;
    for (const { repoId, index } of openPullsFrom(site.store, repo.id, ref.slice("refs/heads/".length))) {
      const pull = pullAt(site.store, repoId, index);
      if (pull !== undefined) await startRunsOnPull(site, pull, doer, "synchronize");
    }
  }
}

/** Starts the runs that an action on a pull request triggers. */
export async function startRunsOnPull(
  site: Site,
  pull: PullRecord,
  doer: UserRecord,
  action: PullAction,
): Promise<void> {
  const repo = baseRepoOf(site, pull);
  const { base, head, headSha: sha } = pull.pull;
  const needsApproval = !isTrusted({ site, repo }, pull, doer);
  for (const file of await enabledWorkflows({ site, repo }, sha)) {
    if (!startsOnPull(file, action, base)) continue;
    const about = { index: pull.index, head, base };
    const ref = headRef(pull.index);
    await startRun({ site, repo }, doer, file, { event: "pull_request", ref, sha, pull: about, needsApproval });
  }
}

/** The enabled workflows of a commit. */
async function enabledWorkflows({ site, repo }: RepoAt, sha: string): Promise<WorkflowFile[]> {
  if (!repo.has_actions) return [];
  const files = await workflowsAt({ site, repo }, sha);
  return files.filter(({ file }) => !isDisabled(site.store, repo.id, file));
}

/**
 * Whether a pull request needs no approval: it comes from the same repository, or from a user with write access or an
 * earlier approved run.
 */
function isTrusted({ site, repo }: RepoAt, { pull }: PullRecord, doer: UserRecord): boolean {
  if (pull.headRepoId === repo.id || accessTo(site, doer, repo).atLeast("write", "actions")) return true;
  const runs = site.table("runs");
  return (
    runs.find((run) => run.repoId === repo.id && run.approvedBy !== 0 && run.starters[0] === doer.id) !== undefined
  );
}
