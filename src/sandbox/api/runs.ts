import { attemptJobList, jobGet, jobList, jobLogs, runJobList } from "../../forge/jobs.ts";
import {
  jobRerun,
  runAttemptGet,
  runCancel,
  runDelete,
  runGet,
  runList,
  runRerun,
  runRerunFailed,
  taskList,
} from "../../forge/runs.ts";
import { approveRun, cancelRun, rerun } from "../actions/runs.ts";
import { actionsReply, orderOf } from "../http/paging.ts";
import { contentDisposition, empty, fail, found, json, notFound, rangeReply, refuse } from "../http/reply.ts";
import { type Area, type Call, page, route } from "../http/route.ts";
import { branchOf, jobJson, runJson, taskJson } from "../serializers/actions.ts";
import { userNamed } from "../state/accounts.ts";
import type { JobRecord, RunRecord } from "../state/records/actions.ts";
import { deleteRun, isDisabled, jobsOf, runOf } from "../state/repos.ts";
import { isDone, logOf, parseStatusFilter, runState, stateOf } from "../state/run-state.ts";

const open = { repo: "actions" } as const;
const reading = { ...open, signedIn: true } as const;
const writing = { ...reading, right: "write" } as const;
const atLevel = {
  levels: {
    repository: reading,
    organization: { org: true, signedIn: true, orgMember: true },
    user: { signedIn: true },
    server: { siteAdmin: true },
  },
} as const;

/** Runs, attempts and tasks at every level (docs/server-differences.md, "Runs and jobs"). */
export const runs: Area = [
  route(runList, atLevel, (call) => listRuns(call, ({ repoId }) => isAtLevel(call, repoId))),
  route(jobList, atLevel, (call) => {
    const here = call.table("jobs").filter(({ repoId }) => isAtLevel(call, repoId));
    return listJobs(call, here);
  }),
  route(jobGet, reading, (call) => jobJson(call, found(findJob(call)))),
  route(jobLogs, open, log),
  route(runGet, open, (call) => runJson(call, findRun(call))),
  route(runDelete, writing, (call) => {
    const run = findRun(call);
    if (isForgejo(call) && !call.access.atLeast("admin"))
      refuse(403, "user should be an owner or a collaborator with admin write");
    if (isForgejo(call) && !isFinished(call, run)) fail(`cannot delete run ${run.id} because it has not completed yet`);
    deleteRun(call.site.store, requireFinished(call, run));
  }),
  // Forgejo does not say whether there was something to cancel.
  route(runCancel, writing, (call) => {
    const run = findRun(call, "run_id");
    if (!isForgejo(call) && isFinished(call, run)) refuse(409, "this workflow run is done");
    cancelRun(call.site, run);
    return empty(isForgejo(call) ? 204 : 202);
  }),
  route(runJobList, open, (call) => {
    if (call.number("run") <= 0) refuse(400, "runID must be a positive integer");
    return listJobs(call, jobsOf(call.site.store, findRun(call)));
  }),
  route(runAttemptGet, open, (call) => runJson(call, findRun(call), attemptOf(call))),
  route(attemptJobList, open, (call) => listJobs(call, jobsOf(call.site.store, findRun(call), attemptOf(call)))),
  route(runRerun, writing, (call) => {
    const next = rerun(call.site, requireRerunnable(call), call.currentUser, () => true);
    return runJson(call, next);
  }),
  route(runRerunFailed, writing, rerunFailed),
  route(jobRerun, writing, rerunJob),
  route(taskList, open, (call) => {
    const { site, repo } = call;
    const now = site.clock();
    const taken = site
      .table("jobs")
      .filter(({ repoId, start }) => repoId === repo.id && start !== null && start <= now);
    // A job copied to a later attempt is still one task.
    const tasks = [...new Map(taken.map((job) => [job.taskId, job])).values()].sort((a, b) => b.taskId - a.taskId);
    return actionsReply(call, "workflow_runs", tasks, (job) => taskJson(call, job));
  }),
  // The buttons of a run's web page.
  route(page("POST /{owner}/{repo}/actions/runs/{run}/cancel"), writing, (call) => {
    cancelRun(call.site, findRun(call));
    return json(200, { ok: true });
  }),
  route(page("POST /{owner}/{repo}/actions/runs/{run}/approve"), writing, (call) => {
    const run = findRun(call);
    if (!run.needsApproval) refuse(400, "this workflow run is not waiting for approval");
    approveRun(call.site, run, call.currentUser);
    return json(200, { ok: true });
  }),
];

const isForgejo = ({ site }: Pick<Call, "site">) => site.release.product === "forgejo";

const isAtLevel = ({ table, place: { level, of } }: Call<typeof atLevel>, repoId: number) =>
  level === "server" || (level === "repository" ? repoId : table("repos").get(repoId)?.ownerId) === of;

function findRun({ site, repo, number }: Call<typeof open>, parameter = "run"): RunRecord {
  const id = number(parameter);
  return found(runOf(site.store, repo.id, id), `run with id ${id}: resource does not exist`);
}

function attemptOf(call: Call<typeof open>): number {
  const run = findRun(call);
  const attempt = call.number("attempt");
  const exists = attempt >= 1 && attempt <= run.starters.length;
  return found(exists ? attempt : undefined, `run attempt ${attempt} for run ${run.id}: resource does not exist`);
}

const isFinished = ({ site }: Pick<Call, "site">, run: RunRecord) =>
  isDone(runState(jobsOf(site.store, run), site.clock()));

function requireFinished(call: Pick<Call, "site">, run: RunRecord): RunRecord {
  return isFinished(call, run) ? run : refuse(400, "this workflow run is not done");
}

function checkEnabled({ site, repo }: Call<typeof open>, { workflow }: RunRecord): void {
  if (isDisabled(site.store, repo.id, workflow)) refuse(400, `workflow ${workflow} is disabled`);
}

function requireRerunnable(call: Call<typeof writing>): RunRecord {
  const run = findRun(call);
  checkEnabled(call, run);
  return requireFinished(call, run);
}

/** Jobs and all jobs that depend on them. */
function withDependants(jobs: readonly JobRecord[], first: readonly JobRecord[]): Set<JobRecord> {
  const again = new Set(first);
  for (let before = 0; before !== again.size; ) {
    before = again.size;
    const keys = new Set([...again].map(({ key }) => key));
    for (const job of jobs) if (job.needs.some((need) => keys.has(need))) again.add(job);
  }
  return again;
}

function rerunFailed(call: Call<typeof writing>) {
  const { site, currentUser } = call;
  const run = findRun(call);
  checkEnabled(call, run);
  const jobs = jobsOf(site.store, run);
  const failed = jobs.filter((job) => ["failure", "cancelled"].includes(stateOf(job, site.clock())));
  if (failed.length === 0) refuse(400, "this workflow run has no failed jobs to re-run");
  requireFinished(call, run);
  const again = withDependants(jobs, failed);
  rerun(site, run, currentUser, (job) => again.has(job));
  return empty(201);
}

function rerunJob(call: Call<typeof writing>) {
  const { site, currentUser } = call;
  const run = findRun(call);
  const jobs = jobsOf(site.store, run);
  const at = jobs.findIndex(({ id }) => id === call.number("job_id"));
  const job = found(jobs[at], "workflow job not found");
  requireRerunnable(call);
  const again = withDependants(jobs, [job]);
  const next = rerun(site, run, currentUser, (one) => again.has(one));
  const made = found(jobsOf(site.store, next)[at], "workflow job not found");
  return jobJson(call, made);
}

/** How long logs are kept: one year. */
const keptFor = 365 * 86_400_000;

function findJob({ site, repo, number }: Call<typeof open>) {
  const job = site.table("jobs").get(number("job_id"));
  return job?.repoId === repo.id ? job : undefined;
}

function log(call: Call<typeof open>) {
  const { site, headers, query, currentUser } = call;
  const isGitea = !isForgejo(call);
  if (isGitea && currentUser === undefined) refuse(401, "token is required");
  const job = found(findJob(call), `run job with id ${call.number("job_id")}: resource does not exist`);
  const now = site.clock();
  if (job.start === null || job.start > now) notFound(isGitea ? "job not started" : "job has not been executed yet");
  const attempt = query.get("attempt") ?? String(job.attempt);
  if (attempt !== String(job.attempt))
    notFound(`task with job_id ${job.id} and attempt ${attempt}: resource does not exist`);
  if (job.end !== null && job.end + keptFor <= now) notFound("logs have been cleaned up");
  const run = found(site.table("runs").get(job.runId));
  const runner = site.table("runners").get(job.runnerId)?.name ?? "runner";
  const body = Buffer.from(logOf(job, runner, run.event, now));
  const name = `${run.workflow.replace(/\.ya?ml$/, "")}-${job.name}-${job.taskId}.log`;
  const named = isGitea ? { "Content-Disposition": contentDisposition("attachment", name) } : {};
  const more = { ...named, "Accept-Ranges": "bytes" };
  const beyondEnd = { message: "invalid range: failed to overlap", size: true };
  return rangeReply(body, headers.range, "text/plain; charset=utf-8", more, beyondEnd);
}

/** The states selected by the query. Throws 400 for an unknown one. */
function statesOf({ query, site: { release } }: Call): ReadonlySet<string> | undefined {
  const states = parseStatusFilter(query.getAll("status"), release.product);
  if (states !== undefined && "unknown" in states) refuse(400, `invalid status ${states.unknown}`);
  return states;
}

/** Lists runs, newest first, filtered by the query (docs/server-differences.md, "Runs and jobs"). */
export function listRuns(call: Call, belongs: (run: RunRecord) => boolean) {
  const { site, query } = call;
  const { store } = site;
  const states = statesOf(call);
  const actor = query.get("actor") ?? "";
  const actorId = actor === "" ? undefined : userNamed(store, actor)?.id;
  if (actor !== "" && actorId === undefined) fail(`user does not exist [name: ${actor}]`);
  const is = (name: string, value: string) => (query.get(name) || value) === value;
  const now = site.clock();
  const fits = (run: RunRecord) =>
    belongs(run) &&
    is("event", run.event) &&
    is("branch", branchOf(run.ref)) &&
    is("head_sha", run.sha) &&
    is("ref", run.ref) &&
    is("workflow_id", run.workflow) &&
    is("run_number", String(run.number)) &&
    (actorId === undefined || run.starters[0] === actorId) &&
    (states === undefined || states.has(runState(jobsOf(store, run), now)));
  const runs = store.table("runs").filter(fits).reverse();
  return actionsReply(call, "workflow_runs", runs, (run) => runJson(call, run));
}

/** Lists jobs, oldest first, filtered by `status`; `sort=id` with `order=desc` reverses the order. */
export function listJobs(call: Call, jobs: readonly JobRecord[]) {
  const { site, query } = call;
  const order = orderOf<JobRecord>(query, { id: ({ id }) => id });
  const states = statesOf(call);
  const fitting = jobs.filter((job) => states === undefined || states.has(stateOf(job, site.clock())));
  return actionsReply(call, "jobs", fitting.sort(order), (job) => jobJson(call, job));
}
