import { isDone, logOf, runState, stateOf } from "../actions/run-state.ts";
import { approveRun, cancelRun, rerun } from "../actions/runs.ts";
import { envelopeReply } from "../http/paging.ts";
import { contentDisposition, empty, found, json, notFound, type Reply, rangeReply, refuse } from "../http/reply.ts";
import { type Area, type Call, del, get, post } from "../http/route.ts";
import type { Site } from "../site.ts";
import { teamsOf } from "../state/accounts.ts";
import type { JobRecord, RunRecord } from "../state/records/actions.ts";
import { deleteRun, disabledWorkflowKey, jobsOf, runOf } from "../state/repos.ts";
import { jobWire, runWire, taskWire } from "../wire/actions.ts";
import { listJobs, listRuns } from "./run-lists.ts";

const open = { repo: "actions" } as const;
const reading = { ...open, signedIn: true } as const;
const writing = { ...reading, right: "write" } as const;
const ofOrg = { org: true, signedIn: true } as const;
const mine = { signedIn: true } as const;
const ofServer = { siteAdmin: true } as const;
const actions = "/repos/{owner}/{repo}/actions";
const one = `${actions}/runs/{run}`;
const page = "/{owner}/{repo}/actions/runs/{run}";

/** Runs, attempts and tasks at every level (docs/server-differences.md, "Runs and jobs"). */
export const runs: Area = {
  routes: [
    get(`${actions}/runs`, reading, (call) => listRuns(call, ({ repoId }) => repoId === call.repo.id)),
    get(`${actions}/jobs`, reading, (call) =>
      listJobs(
        call,
        jobsWhere(call.site, (repoId) => repoId === call.repo.id),
      ),
    ),
    get("/orgs/{org}/actions/runs", ofOrg, (call) => listRuns(requireMember(call), ownedBy(call.site, call.org.id))),
    get("/orgs/{org}/actions/jobs", ofOrg, (call) => listJobs(requireMember(call), ownedJobs(call.site, call.org.id))),
    get("/user/actions/runs", mine, (call) => listRuns(call, ownedBy(call.site, call.currentUser.id))),
    get("/user/actions/jobs", mine, (call) => listJobs(call, ownedJobs(call.site, call.currentUser.id))),
    get("/admin/actions/runs", ofServer, (call) => listRuns(call, () => true)),
    get("/admin/actions/jobs", ofServer, (call) =>
      listJobs(
        call,
        jobsWhere(call.site, () => true),
      ),
    ),
    get(one, open, (call) => json(200, runWire(call, findRun(call)))),
    del(one, writing, (call) => {
      deleteRun(call.site.store, requireFinished(call, findRun(call)));
      return empty(204);
    }),
    get(`${one}/jobs`, open, (call) => {
      if (call.number("run") <= 0) refuse(400, "runID must be a positive integer");
      return listJobs(call, jobsOf(call.site.store, findRun(call)));
    }),
    get(`${one}/attempts/{attempt}`, open, (call) => json(200, runWire(call, findRun(call), attemptOf(call)))),
    get(`${one}/attempts/{attempt}/jobs`, open, (call) =>
      listJobs(call, jobsOf(call.site.store, findRun(call), attemptOf(call))),
    ),
    post(`${one}/rerun`, writing, (call) => {
      const run = requireRerunnable(call);
      return json(
        201,
        runWire(
          call,
          rerun(call.site, call.repo, run, call.currentUser, () => true),
        ),
      );
    }),
    post(`${one}/rerun-failed-jobs`, writing, rerunFailed),
    post(`${one}/jobs/{job}/rerun`, writing, rerunJob),
    get(`${actions}/tasks`, open, (call) => {
      const { site, repo } = call;
      const now = site.clock();
      const taken = jobsWhere(site, (repoId) => repoId === repo.id).filter(
        ({ start }) => start !== null && start <= now,
      );
      // A job copied to a later attempt is still one task.
      const tasks = [...new Map(taken.map((job) => [job.taskId, job])).values()].sort((a, b) => b.taskId - a.taskId);
      return envelopeReply(call, "workflow_runs", tasks, (job) => taskWire(call, job));
    }),
  ],
  // The buttons of a run's web page, which have no API operation.
  pages: [
    post(`${page}/cancel`, writing, (call) => {
      cancelRun(call.site, findRun(call));
      return json(200, { ok: true });
    }),
    post(`${page}/approve`, writing, (call) => {
      const run = findRun(call);
      if (!run.needsApproval) refuse(400, "this workflow run is not waiting for approval");
      approveRun(call.site, run, call.currentUser);
      return json(200, { ok: true });
    }),
  ],
};

const jobsWhere = ({ store }: Site, fits: (repoId: number) => boolean): JobRecord[] =>
  store.table("jobs").filter(({ repoId }) => fits(repoId));

const isOwnedBy =
  ({ store }: Site, ownerId: number) =>
  (repoId: number) =>
    store.table("repos").get(repoId)?.ownerId === ownerId;
const ownedBy = (site: Site, ownerId: number) => (run: RunRecord) => isOwnedBy(site, ownerId)(run.repoId);
const ownedJobs = (site: Site, ownerId: number) => jobsWhere(site, isOwnedBy(site, ownerId));

function requireMember(call: Call<typeof ofOrg>): Call<typeof ofOrg> {
  const isMember = call.currentUser.is_admin || teamsOf(call.site.store, call.org.id, call.currentUser.id).length > 0;
  return isMember ? call : refuse(403, "Must be an organization member");
}

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
    jobs.find(({ id }) => id === call.number("job")),
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
const jobPath = "/repos/{owner}/{repo}/actions/jobs/{job}";

/** Jobs and their logs (docs/server-differences.md, "Logs"). */
export const jobs: Area = {
  routes: [
    get(jobPath, reading, (call) => json(200, jobWire(call, found(findJob(call))))),
    get(`${jobPath}/logs`, reading, log),
  ],
};

function findJob({ site, repo, number }: Call<typeof reading>) {
  const job = site.table("jobs").get(number("job"));
  return job?.repoId === repo.id ? job : undefined;
}

function log(call: Call<typeof reading>): Reply {
  const { site, headers } = call;
  const job = found(findJob(call), `run job with id ${call.number("job")}: resource does not exist`);
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
