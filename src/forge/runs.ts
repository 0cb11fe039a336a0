import { stream } from "../http/answers.ts";
import {
  anything,
  boolean,
  either,
  hasKey,
  type Infer,
  integer,
  list,
  nullable,
  optional,
  serverRecord,
  string,
  time,
} from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { cannot } from "./undo.ts";
import { person } from "./users.ts";

const repository = optional(
  nullable(serverRecord("a repository", { full_name: string }, { id: integer, html_url: string })),
);

/**
 * A workflow run of Gitea. `path` is `file@ref`; times are the epoch until they are set
 * (docs/server-differences.md, "Runs and jobs").
 */
const giteaRun = serverRecord(
  "a run",
  {
    id: integer,
    html_url: optional(string),
    display_title: optional(string),
    path: string,
    event: optional(string),
    run_attempt: optional(integer),
    run_number: integer,
    head_sha: string,
    /** Absent for runs of pull requests and tags. */
    head_branch: optional(string),
    status: string,
    /** Only for completed runs. */
    conclusion: optional(string),
    actor: optional(nullable(person)),
    trigger_actor: optional(nullable(person)),
    repository,
    started_at: optional(time),
    completed_at: optional(time),
  },
  {
    url: string,
    previous_attempt_url: optional(nullable(string)),
    repository_id: optional(integer),
    head_repository: optional(nullable(anything)),
    pull_requests: optional(
      nullable(list(serverRecord("a pull request", {}, { id: integer, number: integer, url: string }))),
    ),
  },
);

/**
 * A workflow run of Forgejo since 12.0. `index_in_repo` is its number, `prettyref` a branch, a tag or `#12`, `status` the
 * internal word, `duration` in nanoseconds; `event` is empty for a dispatched run (docs/server-differences.md, "Runs and
 * jobs").
 */
const forgejoRun = serverRecord(
  "a run",
  {
    id: integer,
    title: optional(string),
    repository,
    workflow_id: string,
    index_in_repo: integer,
    trigger_user: optional(nullable(person)),
    prettyref: string,
    commit_sha: string,
    event: optional(string),
    trigger_event: optional(string),
    status: string,
    created: optional(time),
    started: optional(time),
    stopped: optional(time),
    html_url: optional(string),
  },
  {
    ScheduleID: optional(integer),
    is_ref_deleted: optional(boolean),
    is_fork_pull_request: optional(boolean),
    need_approval: optional(boolean),
    approved_by: optional(integer),
    event_payload: optional(string),
    updated: optional(time),
    duration: optional(integer),
  },
);

/** A workflow run, as the server has it; `readRun` reads both forms. */
export const run = either(giteaRun, forgejoRun, (value) => hasKey(value, "index_in_repo"));

export type Run = GiteaRun | ForgejoRun;
export type GiteaRun = Infer<typeof giteaRun>;
export type ForgejoRun = Infer<typeof forgejoRun>;

/** Filters of Gitea for a list of runs: several `status`, `branch` as a short name, `head_sha` as a full hash. */
export interface RunQuery {
  readonly event?: string | undefined;
  readonly branch?: string | undefined;
  readonly status?: readonly string[] | undefined;
  readonly actor?: string | undefined;
  readonly head_sha?: string | undefined;
}

/** Filters of Forgejo: `status` in its own words, `ref` as a full ref, `workflow_id` as a file; older ones ignore some. */
export interface ForgejoRunQuery extends Pick<RunQuery, "event" | "status" | "head_sha"> {
  readonly ref?: string | undefined;
  readonly workflow_id?: string | undefined;
  readonly run_number?: number | undefined;
}

/**
 * A started job with the fields of its run (ActionTask): all that Forgejo has about runs before 12.0, and about jobs
 * before 16.0. `id` belongs to the task,
 * `name` to the job; `status` is the internal status (docs/server-differences.md, "Runs and jobs").
 */
export const task = serverRecord("a task", {
  id: integer,
  name: string,
  head_branch: optional(string),
  head_sha: string,
  run_number: integer,
  event: optional(string),
  display_title: optional(string),
  status: string,
  workflow_id: string,
  url: optional(string),
  updated_at: optional(time),
  created_at: optional(time),
  run_started_at: optional(time),
});

export type Task = Infer<typeof task>;

const levels = ["repository", "organization", "user", "server"] as const;
const listed = pagesOf(run, { envelope: "workflow_runs" });

/** Newest first. Forgejo has only the runs of a repository, and its own filters. */
export const runList = operation("GET", "{level}/actions/runs", { levels, answers: listed });

export const workflowRunList = operation("GET", "/repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs", {
  answers: listed,
});

/** By id, not by number (docs/server-differences.md, "Runs and jobs"). */
export const runGet = operation("GET", "/repos/{owner}/{repo}/actions/runs/{run}", { answers: run });

export const runAttemptGet = operation("GET", "/repos/{owner}/{repo}/actions/runs/{run}/attempts/{attempt}", {
  answers: run,
});

/** Deletes a finished run with its jobs, logs and artifacts. */
export const runDelete = operation("DELETE", "/repos/{owner}/{repo}/actions/runs/{run}");

/** Forgejo accepts it for a finished run, too, and changes nothing; Gitea answers 409. */
export const runCancel = operation("POST", "/repos/{owner}/{repo}/actions/runs/{run_id}/cancel", {
  undo: cannot.start,
});

/** Cancels a run without waiting for its runners. */
export const runForceCancel = operation("POST", "/repos/{owner}/{repo}/actions/runs/{run}/force-cancel", {
  undo: cannot.start,
});

/** Approving it again changes nothing; 409 if the run never waited for approval. */
export const runApprove = operation("POST", "/repos/{owner}/{repo}/actions/runs/{run}/approve", { undo: cannot.start });

/** Streams a zip file of the logs of the latest attempt, one file a job. */
export const runLogs = operation("GET", "/repos/{owner}/{repo}/actions/runs/{run_id}/logs", { answers: stream });

/** Gitea sends the run, Forgejo nothing. */
export const runRerun = operation("POST", "/repos/{owner}/{repo}/actions/runs/{run}/rerun", { undo: cannot.start });

/** Reruns the failed and cancelled jobs, and the jobs that depend on them. */
export const runRerunFailed = operation("POST", "/repos/{owner}/{repo}/actions/runs/{run}/rerun-failed-jobs", {
  undo: cannot.start,
});

/** Reruns a job of the latest attempt, and the jobs that depend on it. */
export const jobRerun = operation("POST", "/repos/{owner}/{repo}/actions/runs/{run}/jobs/{job_id}/rerun", {
  undo: cannot.start,
});

/** Started jobs, newest first, without filters; on both servers. */
export const taskList = operation("GET", "/repos/{owner}/{repo}/actions/tasks", {
  answers: pagesOf(task, { envelope: "workflow_runs" }),
});
