import { attemptJobList, jobGet, jobList, jobLogs, runJobList } from "../../forge/jobs.ts";
import {
  jobRerun,
  runAttemptGet,
  runDelete,
  runGet,
  runList,
  runRerun,
  runRerunFailed,
  taskList,
} from "../../forge/runs.ts";
import { isDone, logOf, runState, stateOf } from "../actions/run-state.ts";
import { approveRun, cancelRun, rerun } from "../actions/runs.ts";
import { runApprove, runCancel } from "../http/other-operations.ts";
import { envelopeReply } from "../http/paging.ts";
import { contentDisposition, empty, found, json, notFound, type Reply, rangeReply, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import type { JobRecord, RunRecord } from "../state/records/actions.ts";
import { deleteRun, disabledWorkflowKey, jobsOf, runOf } from "../state/repos.ts";
import { jobWire, runWire, taskWire } from "../wire/actions.ts";
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
    route(runGet, open, (call) => json(200, runWire(call, findRun(call)))),
    route(runDelete, writing, (call) => {
      deleteRun(call.site.store, requireFinished(call, findRun(call)));
      return empty(204);
    }),
    route(runJobList, open, (call) => {
      if (call.number("run") <= 0) refuse(400, "runID must be a positive integer");
      return listJobs(call, jobsOf(call.site.store, findRun(call)));
    }),
    route(runAttemptGet, open, (call) => json(200, runWire(call, findRun(call), attemptOf(call)))),
    route(attemptJobList, open, (call) => listJobs(call, jobsOf(call.site.store, findRun(call), attemptOf(call)))),
    route(runRerun, writing, (call) => {
      const run = requireRerunnable(call);
      return json(
        201,
        runWire(
          call,
          rerun(call.site, call.repo, run, call.currentUser, () => true),
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
      return envelopeReply(call, "workflow_runs", tasks, (job) => taskWire(call, job));
    }),
    // The buttons of a run's web page, which have no API operation.
    route(runCancel, writing, (call) => {
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

function findRun({ site, repo, number }: Call<typeof open>): RunRecord {
  const id = number("run");
  return found(runOf(site.store, repo.id, id), `run with id ${id}: resource does not exist`);
}

function attemptOf(call: Call<typeof open>): number {
  const run = findRun(call);
  const attempt = call.number("attempt");
  const exists = attempt >= 1 && attempt <= run.starters.length;
  return found(exists ? attempt : undefined, `run attempt ${attempt} for run ${run.id}: resource does not exist`);
}

function requireFinished({ site }: Pick<Call, "site">, run: RunRecord): RunRecord {
  const isFinished = isDone(runState(jobsOf(site.store, run), site.clock()));
  return isFinished ? run : refuse(400, "this workflow run is not done");
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
  const { site, repo, currentUser } = call;
  const run = findRun(call);
  checkEnabled(call, run);
  const jobs = jobsOf(site.store, run);
  const failed = jobs.filter((job) => ["failure", "cancelled"].includes(stateOf(job, site.clock())));
  if (failed.length === 0) refuse(400, "this workflow run has no failed jobs to re-run");
  requireFinished(call, run);
  const again = withDependants(jobs, failed);
  rerun(site, repo, run, currentUser, (job) => again.has(job));
  return empty(201);
}

function rerunJob(call: Call<typeof writing>): Reply {
  const { site, repo, currentUser } = call;
  const run = findRun(call);
  const jobs = jobsOf(site.store, run);
  const job = found(
    jobs.find(({ id }) => id === call.number("job_id")),
    "workflow job not found",
  );
  requireRerunnable(call);
  const again = withDependants(jobs, [job]);
  const next = rerun(site, repo, run, currentUser, (one) => again.has(one));
  const made = found(jobsOf(site.store, next)[jobs.indexOf(job)], "workflow job not found");
  return json(201, jobWire(call, made));
}

/** How long logs are kept: one year. */
const keptFor = 365 * 86_400_000;

/** Jobs and their logs (docs/server-differences.md, "Logs"). */
export const jobs: Area = {
  routes: [
    route(jobGet, reading, (call) => json(200, jobWire(call, found(findJob(call))))),
    route(jobLogs, reading, log),
  ],
};

function findJob({ site, repo, number }: Call<typeof reading>) {
  const job = site.table("jobs").get(number("job_id"));
  return job?.repoId === repo.id ? job : undefined;
}

function log(call: Call<typeof reading>): Reply {
  const { site, headers } = call;
  const job = found(findJob(call), `run job with id ${call.number("job_id")}: resource does not exist`);
  const now = site.clock();
  if (job.start === null || job.start > now) notFound("job not started");
  if (job.end !== null && job.end + keptFor <= now) notFound("logs have been cleaned up");
  const run = found(site.table("runs").get(job.runId));
  const runner = site.table("runners").get(job.runnerId)?.name ?? "runner";
  const body = Buffer.from(logOf(job, runner, run.event, now));
  const name = `${run.workflow.replace(/\.ya?ml$/, "")}-${job.name}-${job.taskId}.log`;
  const more = { "Content-Disposition": contentDisposition("attachment", name), "Accept-Ranges": "bytes" };
  const beyondEnd = { message: "invalid range: failed to overlap", size: true };
  return rangeReply(body, headers.range, "text/plain; charset=utf-8", more, beyondEnd);
}
