import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type Path, path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { anything, type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";
import { job } from "./jobs.ts";
import { actionsPath, type Level } from "./level.ts";
import { person } from "./users.ts";

/**
 * A workflow run. `path` is `file@ref`; times are the epoch until they are set
 * (docs/server-differences.md, "Runs and jobs").
 */
export const run = serverRecord(
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
    repository: optional(
      nullable(serverRecord("a repository", { id: integer, full_name: string, html_url: string }, ["full_name"])),
    ),
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

export type Run = Infer<typeof run>;

/** Filters for a list of runs: several `status`, `branch` as a short name, `head_sha` as a full hash. */
export interface RunQuery {
  readonly event?: string | undefined;
  readonly branch?: string | undefined;
  readonly status?: readonly string[] | undefined;
  readonly actor?: string | undefined;
  readonly head_sha?: string | undefined;
}

/**
 * A started job with the fields of its run (ActionTask): all that Forgejo has about runs. `id` belongs to the task,
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

/**
 * Workflow runs, by id, not by number. Forgejo has none of these operations
 * (docs/server-differences.md, "Runs and jobs").
 */
export function runsApi(http: Http) {
  const below = (repo: RepoName, part: string) => `${actionsPath({ of: "repository", repo })}/${part}` as Path;

  return {
    /** Newest first. */
    list: (level: Level, query: RunQuery) =>
      http.list(`${actionsPath(level)}/runs` as Path, { items: run, ...listed, query: { ...query }, since: "1.25" }),

    ofWorkflow: (repo: RepoName, file: string, query: RunQuery) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/actions/workflows/${file}/runs`, {
        items: run,
        ...listed,
        query: { ...query },
        since: "1.27",
      }),

    get: (repo: RepoName, id: number) => http.get(below(repo, `runs/${id}`), { answers: json(run), since: "1.25" }),

    attempt: (repo: RepoName, id: number, attempt: number) =>
      http.get(below(repo, `runs/${id}/attempts/${attempt}`), { answers: json(run), since: "1.27" }),

    /** Deletes a finished run with its jobs, logs and artifacts. */
    delete: (repo: RepoName, id: number) => http.delete(below(repo, `runs/${id}`), { answers: nothing, since: "1.24" }),

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
