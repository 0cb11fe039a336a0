import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type Path, path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
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
import { job } from "./jobs.ts";
import { actionsPath, type Level } from "./level.ts";
import { person } from "./users.ts";

const repository = optional(
  nullable(serverRecord("a repository", { id: integer, full_name: string, html_url: string }, ["full_name"])),
);

/**
 * A workflow run of Gitea. `path` is `file@ref`; times are the epoch until they are set
 * (docs/server-differences.md, "Runs and jobs").
 */
const giteaRun = serverRecord(
  "a run",
  {
    id: integer,
    url: string,
    previous_attempt_url: optional(nullable(string)),
    html_url: optional(string),
    display_title: optional(string),
    path: string,
    event: optional(string),
    run_attempt: optional(integer),
    run_number: integer,
    repository_id: optional(integer),
    head_sha: string,
    /** Absent for runs of pull requests and tags. */
    head_branch: optional(string),
    status: string,
    /** Only for completed runs. */
    conclusion: optional(string),
    actor: optional(nullable(person)),
    trigger_actor: optional(nullable(person)),
    repository,
    head_repository: optional(nullable(anything)),
    pull_requests: optional(
      nullable(list(serverRecord("a pull request", { id: integer, number: integer, url: string }, []))),
    ),
    started_at: optional(time),
    completed_at: optional(time),
  },
  [
    "id",
    "html_url",
    "display_title",
    "path",
    "event",
    "run_attempt",
    "run_number",
    "head_sha",
    "head_branch",
    "status",
    "actor",
    "trigger_actor",
    "repository",
    "started_at",
    "completed_at",
    "conclusion",
  ],
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
    ScheduleID: optional(integer),
    prettyref: string,
    is_ref_deleted: optional(boolean),
    commit_sha: string,
    is_fork_pull_request: optional(boolean),
    need_approval: optional(boolean),
    approved_by: optional(integer),
    event: optional(string),
    event_payload: optional(string),
    trigger_event: optional(string),
    status: string,
    started: optional(time),
    stopped: optional(time),
    created: optional(time),
    updated: optional(time),
    duration: optional(integer),
    html_url: optional(string),
  },
  [
    "id",
    "title",
    "repository",
    "workflow_id",
    "index_in_repo",
    "trigger_user",
    "prettyref",
    "commit_sha",
    "event",
    "trigger_event",
    "status",
    "started",
    "stopped",
    "html_url",
  ],
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
export const task = serverRecord(
  "a task",
  {
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
    created_at: time,
    updated_at: optional(time),
    run_started_at: optional(time),
  },
  [
    "id",
    "name",
    "head_branch",
    "head_sha",
    "run_number",
    "event",
    "display_title",
    "status",
    "workflow_id",
    "url",
    "updated_at",
    "run_started_at",
  ],
);

export type Task = Infer<typeof task>;

const listed = { envelope: "workflow_runs", unique: "id" } as const;
const runsSince = "1.25 and Forgejo 12.0";

/** Workflow runs, by id, not by number (docs/server-differences.md, "Runs and jobs"). */
export function runsApi(http: Http) {
  const below = (repo: RepoName, part: string) => `${actionsPath({ of: "repository", repo })}/${part}` as Path;

  return {
    /** Newest first. Forgejo has only the runs of a repository, and its own filters. */
    list: (level: Level, query: RunQuery | ForgejoRunQuery) =>
      http.list(`${actionsPath(level)}/runs` as Path, {
        ...{ items: run, ...listed, query: { ...query } },
        since: level.of === "repository" ? runsSince : "1.25",
      }),

    ofWorkflow: (repo: RepoName, file: string, query: RunQuery) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/actions/workflows/${file}/runs`, {
        items: run,
        ...listed,
        query: { ...query },
        since: "1.27",
      }),

    get: (repo: RepoName, id: number) => http.get(below(repo, `runs/${id}`), { answers: json(run), since: runsSince }),

    attempt: (repo: RepoName, id: number, attempt: number) =>
      http.get(below(repo, `runs/${id}/attempts/${attempt}`), { answers: json(run), since: "1.27" }),

    /** Deletes a finished run with its jobs, logs and artifacts. */
    delete: (repo: RepoName, id: number) =>
      http.delete(below(repo, `runs/${id}`), { answers: nothing, since: "1.24 and Forgejo 16.0" }),

    /** Forgejo accepts it for a finished run, too, and changes nothing. */
    cancel: (repo: RepoName, id: number) =>
      http.post(below(repo, `runs/${id}/cancel`), { answers: nothing, since: "1.28 and Forgejo 16.0" }),

    rerun: (repo: RepoName, id: number) =>
      http.post(below(repo, `runs/${id}/rerun`), { answers: json(run), since: "1.26" }),

    /** Reruns the failed and cancelled jobs, and the jobs that depend on them. */
    rerunFailed: (repo: RepoName, id: number) =>
      http.post(below(repo, `runs/${id}/rerun-failed-jobs`), { answers: nothing, since: "1.26" }),

    /** Reruns a job of the latest attempt, and the jobs that depend on it. */
    rerunJob: (repo: RepoName, id: number, jobId: number) =>
      http.post(below(repo, `runs/${id}/jobs/${jobId}/rerun`), { answers: json(job), since: "1.26" }),
  };
}

/** Started jobs, newest first, without filters; on both servers. */
export function tasksApi(http: Http) {
  return {
    list: (repo: RepoName) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/actions/tasks`, {
        ...{ items: task, envelope: "workflow_runs", unique: "id" },
        since: "1.23 and Forgejo 8.0",
      }),
  };
}
