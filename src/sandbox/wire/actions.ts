import { isExpired } from "../actions/artifacts.ts";
import { isDone, runState, type State, stateOf, statusWire, stepTimes } from "../actions/run-state.ts";
import { isBusy } from "../actions/schedule.ts";
import type { View } from "../http/route.ts";
import { openPullsFrom, pullAt } from "../state/issues.ts";
import type { ArtifactRecord, JobRecord, RunnerRecord, RunRecord } from "../state/records/actions.ts";
import type { PullRecord } from "../state/records/issues.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { jobsOf } from "../state/repos.ts";
import { userWire } from "./accounts.ts";
import { repoWire } from "./repos.ts";
import { epoch, pathOf, timestamp, zeroTime } from "./values.ts";

/** A time, or the epoch if it is in the future. */
const past = (at: number | null | undefined, now: number): string =>
  at === null || at === undefined || at > now ? epoch : timestamp(at);

/** The short name of a branch ref; empty for other refs. */
export const branchOf = (ref: string): string => (ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : "");
const headBranch = ({ ref }: RunRecord) => (branchOf(ref) === "" ? {} : { head_branch: branchOf(ref) });

/** The repository of a run or a job. */
function repoOf({ site }: Pick<View, "site">, { repoId }: { readonly repoId: number }): RepoRecord {
  const repo = site.table("repos").get(repoId);
  if (repo === undefined) throw new Error(`no repository ${repoId}`);
  return repo;
}

/** `ActionWorkflowRun` of an attempt (default: the latest). */
export function runWire(view: View, run: RunRecord, attempt = run.starters.length): Record<string, unknown> {
  const { store, clock } = view.site;
  const now = clock();
  const repo = repoOf(view, run);
  const { api, web } = pathOf(view, repo);
  const jobs = jobsOf(store, run, attempt);
  const state = runState(jobs, now);
  // Jobs copied from an earlier attempt started before they were created.
  const own = jobs.filter(({ start, created }) => start === null || start >= created);
  const starts = own.flatMap(({ start }) => (start !== null && start <= now ? [start] : []));
  const ends = own.flatMap(({ end }) => (end === null ? [] : [end]));
  const url = `${api}/actions/runs/${run.id}`;
  // These users are shown as to an anonymous viewer.
  const stranger = { ...view, currentUser: undefined };
  const user = (id: number | undefined) => {
    const known = store.table("users").get(id ?? 0);
    return known === undefined ? null : userWire(stranger, known, "plain");
  };
  return {
    id: run.id,
    url,
    previous_attempt_url: attempt > 1 ? `${url}/attempts/${attempt - 1}` : null,
    html_url: `${web}/actions/runs/${run.id}`,
    display_title: run.title,
    path: `${run.workflow}@${run.ref}`,
    event: run.event,
    run_attempt: attempt,
    run_number: run.number,
    head_sha: run.sha,
    ...headBranch(run),
    ...statusWire(state),
    actor: user(run.starters[0]),
    trigger_actor: user(run.starters[attempt - 1]),
    repository: { ...repoWire(stranger, repo), permissions: { admin: false, push: false, pull: false } },
    pull_requests: pullsOf(view, run).map((pull) => pullOfRunWire(view, pull)),
    started_at: past(starts.length === 0 ? null : Math.min(...starts), now),
    completed_at: isDone(state) && ends.length > 0 ? timestamp(Math.max(...ends)) : epoch,
  };
}

/** The pull request that triggered a run, or the open pull requests of a pushed branch. */
function pullsOf({ site: { store } }: View, { event, repoId, ref, pull }: RunRecord): PullRecord[] {
  if (pull !== 0) return [pullAt(store, repoId, pull) ?? []].flat();
  return event === "push" && branchOf(ref) !== "" ? openPullsFrom(store, repoId, branchOf(ref)) : [];
}

/** `PullRequestMinimal`. */
function pullOfRunWire(view: View, { repoId, index, pull }: PullRecord): Record<string, unknown> {
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

/** `ActionWorkflowJob`. */
export function jobWire(view: View, job: JobRecord): Record<string, unknown> {
  const { store, clock } = view.site;
  const now = clock();
  const run = store.table("runs").get(job.runId);
  if (run === undefined) throw new Error(`job ${job.id} has no run`);
  const { api, web } = pathOf(view, repoOf(view, job));
  const hasBegun = job.start !== null && job.start <= now;
  const runner = hasBegun ? store.table("runners").get(job.runnerId) : undefined;
  return {
    id: job.id,
    url: `${api}/actions/jobs/${job.id}`,
    html_url: `${web}/actions/runs/${run.id}/jobs/${job.id}`,
    run_id: run.id,
    run_url: `${api}/actions/runs/${run.id}`,
    name: job.name,
    labels: job.labels,
    run_attempt: job.attempt,
    head_sha: run.sha,
    ...headBranch(run),
    ...statusWire(stateOf(job, now)),
    ...(runner === undefined ? {} : { runner_id: runner.id, runner_name: runner.name }),
    steps: hasBegun ? stepsWire(job, now) : [],
    created_at: timestamp(job.created),
    started_at: past(job.start, now),
    // A skipped job has no completion time, a cancelled one has.
    completed_at: past(job.start === null && !job.cancelled ? null : job.end, now),
  };
}

function stepsWire(job: JobRecord, now: number): unknown[] {
  return stepTimes(job).map(({ step, start, end, outcome }, number) => {
    const state: State = now >= end ? outcome : now >= start ? "running" : "waiting";
    const times = { started_at: past(start, now), completed_at: past(end, now) };
    return { name: step.name, number, ...statusWire(state), ...times };
  });
}

/** `ActionTask`: a job taken by a runner. */
export function taskWire(view: View, job: JobRecord): Record<string, unknown> {
  const now = view.site.clock();
  const run = view.site.table("runs").get(job.runId);
  if (run === undefined) throw new Error(`job ${job.id} has no run`);
  const state = stateOf(job, now);
  return {
    id: job.taskId,
    name: job.name,
    head_branch: run.pull === 0 ? run.ref.replace(/^refs\/(heads|tags)\//, "") : `#${run.pull}`,
    head_sha: run.sha,
    run_number: run.number,
    event: run.event,
    display_title: run.title,
    status: state,
    workflow_id: run.workflow,
    url: `${pathOf(view, repoOf(view, job)).web}/actions/runs/${run.id}`,
    created_at: past(job.start, now),
    updated_at: past(isDone(state) ? job.end : job.start, now),
    run_started_at: past(job.start, now),
  };
}

/** `ActionArtifact`. Most fields of its run are empty. */
export function artifactWire(view: View, artifact: ArtifactRecord): Record<string, unknown> {
  const url = `${pathOf(view, repoOf(view, artifact)).api}/actions/artifacts/${artifact.id}`;
  const none = { url: "", previous_attempt_url: null, html_url: "", display_title: "", path: "", event: "" };
  return {
    id: artifact.id,
    name: artifact.name,
    size_in_bytes: artifact.size,
    url,
    archive_download_url: `${url}/zip`,
    expired: isExpired(view.site, artifact),
    workflow_run: {
      id: artifact.runId,
      ...none,
      run_attempt: 0,
      run_number: 0,
      repository_id: artifact.repoId,
      head_sha: view.site.table("runs").get(artifact.runId)?.sha ?? "",
      status: "",
      pull_requests: null,
      started_at: zeroTime,
      completed_at: zeroTime,
    },
    created_at: timestamp(artifact.created),
    updated_at: timestamp(artifact.created),
    expires_at: timestamp(artifact.expires),
  };
}

/** `ActionRunner`. */
export function runnerWire({ site }: Pick<View, "site">, runner: RunnerRecord): Record<string, unknown> {
  return {
    id: runner.id,
    name: runner.name,
    status: runner.online ? "online" : "offline",
    busy: isBusy(site, runner),
    disabled: runner.disabled,
    ephemeral: runner.ephemeral,
    labels: runner.labels.map((name, id) => ({ id, name, type: "custom" })),
  };
}
