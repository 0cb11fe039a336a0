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
import { runApprove, runCancelPage } from "../http/other-operations.ts";
import { actionsReply } from "../http/paging.ts";
import {
  contentDisposition,
  empty,
  fail,
  found,
  json,
  notFound,
  type Reply,
  rangeReply,
  refuse,
} from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { jobJson, runJson, taskJson } from "../serializers/actions.ts";
import type { JobRecord, RunRecord } from "../state/records/actions.ts";
import { deleteRun, disabledWorkflowKey, jobsOf, runOf } from "../state/repos.ts";
import { isDone, logOf, runState, stateOf } from "../state/run-state.ts";
import { listJobs, listRuns } from "./run-lists.ts";

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
export const runs: Area = {
  routes: [
    route(runList, atLevel, (call) => listRuns(call, ({ repoId }) => isAtLevel(call, repoId))),
    route(jobList, atLevel, (call) =>
      listJobs(
        call,
        call.table("jobs").filter(({ repoId }) => isAtLevel(call, repoId)),
      ),
    ),
    route(runGet, open, (call) => json(200, runJson(call, findRun(call)))),
    route(runDelete, writing, (call) => {
      const run = findRun(call);
      if (call.site.release.product === "forgejo") {
        if (!call.access.atLeast("admin")) refuse(403, "user should be an owner or a collaborator with admin write");
        if (!isFinished(call, run)) fail(`cannot delete run ${run.id} because it has not completed yet`);
      }
      deleteRun(call.site.store, requireFinished(call, run));
      return empty(204);
    }),
    // Forgejo does not say whether there was something to cancel.
    route(runCancel, writing, (call) => {
      const run = findRun(call, "run_id");
      const isGitea = call.site.release.product === "gitea";
      if (isGitea && isFinished(call, run)) refuse(409, "this workflow run is done");
      cancelRun(call.site, run);
      return empty(isGitea ? 202 : 204);
    }),
    route(runJobList, open, (call) => {
      if (call.number("run") <= 0) refuse(400, "runID must be a positive integer");
      return listJobs(call, jobsOf(call.site.store, findRun(call)));
    }),
    route(runAttemptGet, open, (call) => json(200, runJson(call, findRun(call), attemptOf(call)))),
    route(attemptJobList, open, (call) => listJobs(call, jobsOf(call.site.store, findRun(call), attemptOf(call)))),
    route(runRerun, writing, (call) => {
      const run = requireRerunnable(call);
      return json(
        201,
        runJson(
          call,
          rerun(call.site, run, call.currentUser, () => true),
        ),
      );
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
    route(runCancelPage, writing, (call) => {
      cancelRun(call.site, findRun(call));
      return json(200, { ok: true });
    }),
    route(runApprove, writing, (call) => {
      const run = findRun(call);
      if (!run.needsApproval) refuse(400, "this workflow run is not waiting for approval");
      approveRun(call.site, run, call.currentUser);
      return json(200, { ok: true });
    }),
  ],
};

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
  const isDisabled = site.table("disabledWorkflows").get(disabledWorkflowKey(repo.id, workflow)) !== undefined;
  if (isDisabled) refuse(400, `workflow ${workflow} is disabled`);
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

function rerunFailed(call: Call<typeof writing>): Reply {
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

function rerunJob(call: Call<typeof writing>): Reply {
  const { site, currentUser } = call;
  const run = findRun(call);
  const jobs = jobsOf(site.store, run);
  const job = found(
    jobs.find(({ id }) => id === call.number("job_id")),
    "workflow job not found",
  );
  requireRerunnable(call);
  const again = withDependants(jobs, [job]);
  const next = rerun(site, run, currentUser, (one) => again.has(one));
  const made = found(jobsOf(site.store, next)[jobs.indexOf(job)], "workflow job not found");
  return json(201, jobJson(call, made));
}

/** How long logs are kept: one year. */
const keptFor = 365 * 86_400_000;

/** Jobs and their logs (docs/server-differences.md, "Logs"). */
export const jobs: Area = {
  routes: [route(jobGet, reading, (call) => json(200, jobJson(call, found(findJob(call))))), route(jobLogs, open, log)],
};

function findJob({ site, repo, number }: Call<typeof open>) {
  const job = site.table("jobs").get(number("job_id"));
  return job?.repoId === repo.id ? job : undefined;
}

function log(call: Call<typeof open>): Reply {
  const { site, headers, query, currentUser } = call;
  const isGitea = site.release.product === "gitea";
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
