import { isExpired } from "../actions/artifacts.ts";
import { isBusy } from "../actions/schedule.ts";
import type { WorkflowFile } from "../actions/workflow-file.ts";
import { pathOf, type View } from "../http/route.ts";
import { epoch, timestamp, zeroTime } from "../http/time.ts";
import { recordOf } from "../release.ts";
import { openPullsFrom, pullAt } from "../state/issues.ts";
import type { ArtifactRecord, JobRecord, RunnerRecord, RunRecord } from "../state/records/actions.ts";
import type { PullRecord } from "../state/records/issues.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { isDisabled, jobsOf } from "../state/repos.ts";
import { isDone, runState, type State, stateOf, statusJson, stepTimes } from "../state/run-state.ts";
import { userJson } from "./accounts.ts";
import { repoJson } from "./repos.ts";

/** A time, or the epoch if it is in the future. */
const past = (at: number | null | undefined, now: number): string =>
  at === null || at === undefined || at > now ? epoch : timestamp(at);

/** The short name of a branch ref; empty for other refs. */
export const branchOf = (ref: string): string => (ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : "");
const headBranch = ({ ref }: RunRecord) => branchOf(ref) || undefined;

/** The repository of a run or a job. */
const repoOf = ({ site }: Pick<View, "site">, { repoId }: { readonly repoId: number }) =>
  site.table("repos").must(repoId);

/** When the jobs of a run's attempt began and ended so far, without those copied from an earlier attempt. */
function timesOf(
  jobs: readonly JobRecord[],
  now: number,
): { readonly started: number | null; readonly ended: number | null } {
  const own = jobs.filter(({ start, created }) => start === null || start >= created);
  const starts = own.flatMap(({ start }) => (start !== null && start <= now ? [start] : []));
  const ends = own.flatMap(({ end }) => (end === null ? [] : [end]));
  const isOver = isDone(runState(jobs, now)) && ends.length > 0;
  return { started: starts.length === 0 ? null : Math.min(...starts), ended: isOver ? Math.max(...ends) : null };
}

/** The page of a run, which has its number in Forgejo. */
export function runPage(view: View, run: RunRecord): string {
  const id = view.site.release.product === "forgejo" ? run.number : run.id;
  return `${pathOf(view, repoOf(view, run)).web}/actions/runs/${id}`;
}

/** A user as an anonymous viewer sees it, or null. */
function starter(view: View, id: number | undefined): Record<string, unknown> | null {
  const user = view.site.table("users").get(id ?? 0);
  return user === undefined ? null : userJson({ ...view, currentUser: undefined }, user, "plain");
}

/**
 * A run, of an attempt (default: the latest) where the server has attempts: `ActionWorkflowRun` of Gitea, `ActionRun` of
 * Forgejo, where a dispatched run has no event. Each has the fields that it knows.
 */
export function runJson(view: View, run: RunRecord, attempt = run.starters.length): Record<string, unknown> {
  const { store, clock } = view.site;
  const now = clock();
  const isForgejo = view.site.release.product === "forgejo";
  const repo = repoOf(view, run);
  const jobs = jobsOf(store, run, attempt);
  const { started, ended } = timesOf(jobs, now);
  const created = Math.min(...jobs.map((job) => job.created));
  const url = `${pathOf(view, repo).api}/actions/runs/${run.id}`;
  const pull = pullAt(store, run.repoId, run.pull)?.pull;
  const state = runState(jobs, now);
  const open = { ...repoJson({ ...view, currentUser: undefined }, repo) };
  return recordOf(view.site, isForgejo ? "ActionRun" : "ActionWorkflowRun", run, {
    url,
    previous_attempt_url: attempt > 1 ? `${url}/attempts/${attempt - 1}` : null,
    html_url: runPage(view, run),
    display_title: run.title,
    path: `${run.workflow}@${run.ref}`,
    run_attempt: attempt,
    run_number: run.number,
    head_sha: run.sha,
    head_branch: headBranch(run),
    ...(isForgejo ? { status: state } : statusJson(state)),
    actor: starter(view, run.starters[0]),
    trigger_actor: starter(view, run.starters[attempt - 1]),
    repository: isForgejo ? repoJson(view, repo) : { ...open, permissions: { admin: false, push: false, pull: false } },
    pull_requests: pullsOf(view, run).map((one) => pullOfRunJson(view, one)),
    started_at: past(started, now),
    completed_at: past(ended, now),
    workflow_id: run.workflow,
    index_in_repo: run.number,
    trigger_user: starter(view, run.starters.at(-1)),
    prettyref: prettyRef(run),
    commit_sha: run.sha,
    is_fork_pull_request: pull !== undefined && pull.headRepoId !== run.repoId,
    need_approval: run.needsApproval,
    approved_by: run.approvedBy,
    event: isForgejo && run.event === "workflow_dispatch" ? "" : run.event,
    trigger_event: run.event,
    started: past(started, now),
    stopped: past(ended, now),
    created: timestamp(created),
    updated: timestamp(ended ?? started ?? created),
    // In nanoseconds.
    duration: started === null ? undefined : ((ended ?? now) - started) * 1_000_000,
  });
}

/** `main`, or `#12` for a pull request. */
const prettyRef = ({ pull, ref }: RunRecord) => (pull === 0 ? ref.replace(/^refs\/(heads|tags)\//, "") : `#${pull}`);

/** The pull request that triggered a run, or the open pull requests of a pushed branch. */
function pullsOf({ site: { store } }: View, { event, repoId, ref, pull }: RunRecord): PullRecord[] {
  if (pull !== 0) return [pullAt(store, repoId, pull) ?? []].flat();
  return event === "push" && branchOf(ref) !== "" ? openPullsFrom(store, repoId, branchOf(ref)) : [];
}

/** `PullRequestMinimal`. */
function pullOfRunJson(view: View, { repoId, index, pull }: PullRecord): Record<string, unknown> {
  const base = repoOf(view, { repoId });
  const end = (ref: string, sha: string, id: number) => {
    const repo = view.site.table("repos").get(id);
    const known = repo === undefined ? { id, url: "", name: "" } : { id, url: pathOf(view, repo).api, name: repo.name };
    return { ref, sha, repo: known };
  };
  return {
    id: pull.id,
    number: index,
    url: `${pathOf(view, base).api}/pulls/${index}`,
    head: end(pull.head, pull.headSha, pull.headRepoId ?? 0),
    base: end(pull.base, pull.mergeBase, repoId),
  };
}

/** A job: `ActionWorkflowJob` of Gitea, `ActionRunJob` of Forgejo, which has neither times nor steps. */
export function jobJson(view: View, job: JobRecord): Record<string, unknown> {
  const { store, clock, release } = view.site;
  const now = clock();
  const isForgejo = release.product === "forgejo";
  const run = view.site.table("runs").must(job.runId);
  const { api, web } = pathOf(view, repoOf(view, job));
  const hasBegun = job.start !== null && job.start <= now;
  const runner = hasBegun ? store.table("runners").get(job.runnerId) : undefined;
  const state = stateOf(job, now);
  return recordOf(view.site, isForgejo ? "ActionRunJob" : "ActionWorkflowJob", job, {
    url: `${api}/actions/jobs/${job.id}`,
    html_url: `${web}/actions/runs/${run.id}/jobs/${job.id}`,
    run_id: run.id,
    run_url: `${api}/actions/runs/${run.id}`,
    run_attempt: job.attempt,
    head_sha: run.sha,
    head_branch: headBranch(run),
    ...(isForgejo ? { status: state } : statusJson(state)),
    runner_id: runner?.id,
    runner_name: runner?.name,
    steps: hasBegun ? stepsJson(job, now) : [],
    created_at: timestamp(job.created),
    started_at: past(job.start, now),
    // A skipped job has no completion time, a cancelled one has.
    completed_at: past(job.start === null && !job.cancelled ? null : job.end, now),
    handle: uuidOf(job.id),
    repo_id: job.repoId,
    owner_id: repoOf(view, job).ownerId,
    needs: job.needs.length === 0 ? null : job.needs,
    runs_on: job.labels,
    task_id: hasBegun ? job.taskId : 0,
  });
}

const uuidOf = (id: number) => `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`;

function stepsJson(job: JobRecord, now: number): unknown[] {
  return stepTimes(job).map(({ step, start, end, outcome }, number) => {
    const state: State = now >= end ? outcome : now >= start ? "running" : "waiting";
    const times = { started_at: past(start, now), completed_at: past(end, now) };
    return { name: step.name, number, ...statusJson(state), ...times };
  });
}

/** `ActionTask`: a job taken by a runner. */
export function taskJson(view: View, job: JobRecord): Record<string, unknown> {
  const now = view.site.clock();
  const run = view.site.table("runs").must(job.runId);
  const state = stateOf(job, now);
  return recordOf(view.site, "ActionTask", run, {
    id: job.taskId,
    name: job.name,
    head_branch: prettyRef(run),
    head_sha: run.sha,
    run_number: run.number,
    display_title: run.title,
    status: state,
    workflow_id: run.workflow,
    url: runPage(view, run),
    created_at: past(job.start, now),
    updated_at: past(isDone(state) ? job.end : job.start, now),
    run_started_at: past(job.start, now),
  });
}

/** `ActionArtifact`. Most fields of its run are empty. */
export function artifactJson(view: View, artifact: ArtifactRecord): Record<string, unknown> {
  const url = `${pathOf(view, repoOf(view, artifact)).api}/actions/artifacts/${artifact.id}`;
  const run = {
    id: artifact.runId,
    previous_attempt_url: null,
    repository_id: artifact.repoId,
    head_sha: view.site.table("runs").get(artifact.runId)?.sha ?? "",
    started_at: zeroTime,
    completed_at: zeroTime,
  };
  return recordOf(view.site, "ActionArtifact", artifact, {
    size_in_bytes: artifact.size,
    run_id: artifact.runId,
    url,
    archive_download_url: `${url}/zip`,
    expired: isExpired(view.site, artifact),
    workflow_run: recordOf(view.site, "ActionWorkflowRun", run),
    created_at: timestamp(artifact.created),
    updated_at: timestamp(artifact.created),
    expires_at: timestamp(artifact.expires),
  });
}

/** `ActionWorkflow`, with the date of the tip of the default branch. */
export function workflowJson(
  view: View,
  repo: RepoRecord,
  { file, name, path }: Pick<WorkflowFile, "file" | "name" | "path">,
  date: string,
): Record<string, unknown> {
  const { api, web } = pathOf(view, repo);
  const [id, branch] = [encodeURIComponent(file), repo.default_branch];
  return recordOf(view.site, "ActionWorkflow", {
    id: file,
    name,
    path,
    state: isDisabled(view.site.store, repo.id, file) ? "disabled_manually" : "active",
    created_at: date,
    updated_at: date,
    url: `${api}/actions/workflows/${id}`,
    html_url: `${web}/src/branch/${branch}/${path}`,
    badge_url: `${web}/actions/workflows/${id}/badge.svg?branch=${encodeURIComponent(branch)}`,
    deleted_at: zeroTime,
  });
}

/** `ActionRunner`. Its labels are records in Gitea and words in Forgejo. */
export function runnerJson({ site }: Pick<View, "site">, runner: RunnerRecord): Record<string, unknown> {
  const { level, of, labels } = runner;
  const [busy, isForgejo] = [isBusy(site, runner), site.release.product === "forgejo"];
  const online = isForgejo ? (busy ? "active" : "idle") : "online";
  const words = labels.length === 0 ? null : labels;
  return recordOf(site, "ActionRunner", runner, {
    status: runner.online ? online : "offline",
    busy,
    labels: isForgejo ? words : labels.map((name, id) => ({ id, name, type: "custom" })),
    uuid: uuidOf(runner.id),
    owner_id: level === "owner" ? of : 0,
    repo_id: level === "repository" ? of : 0,
  });
}
