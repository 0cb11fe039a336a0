import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type Path, path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { anything, type Infer, integer, list, nullable, optional, record, string, time } from "../shape/shape.ts";
import type { Job } from "./jobs.ts";
import { actionsPath, type Level } from "./level.ts";
import { user } from "./users.ts";

/**
 * A workflow run. `path` is `file@ref`; times are the epoch until they are set
 * (docs/server-differences.md, "Runs and jobs").
 */
export const run = record({
  id: integer,
  url: string,
  previous_attempt_url: optional(nullable(string)),
  html_url: string,
  display_title: string,
  path: string,
  event: string,
  run_attempt: integer,
  run_number: integer,
  repository_id: optional(integer),
  head_sha: string,
  /** Absent for runs of pull requests and tags. */
  head_branch: optional(string),
  status: string,
  /** Only for completed runs. */
  conclusion: optional(string),
  actor: optional(nullable(user)),
  trigger_actor: optional(nullable(user)),
  repository: optional(nullable(record({ id: integer, full_name: string, html_url: string }))),
  head_repository: optional(nullable(anything)),
  pull_requests: optional(nullable(list(record({ id: integer, number: integer, url: string })))),
  started_at: time,
  completed_at: time,
});

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
export const task = record({
  id: integer,
  name: string,
  head_branch: string,
  head_sha: string,
  run_number: integer,
  event: string,
  display_title: string,
  status: string,
  workflow_id: string,
  url: string,
  created_at: time,
  updated_at: time,
  run_started_at: time,
});

export type Task = Infer<typeof task>;

const listed = { envelope: "workflow_runs", unique: "id" } as const;

/**
 * Workflow runs, by id, not by number. Forgejo has none of these operations
 * (docs/server-differences.md, "Runs and jobs").
 */
export const runs = (http: Http) => {
  const below = (repo: RepoName, part: string) => `${actionsPath({ of: "repository", repo })}/${part}` as Path;

  return {
    /** Newest first. */
    list: (level: Level, query: RunQuery) =>
      http.list<Run>(`${actionsPath(level)}/runs` as Path, { ...listed, query: { ...query }, since: "1.25" }),

    ofWorkflow: (repo: RepoName, file: string, query: RunQuery) =>
      http.list<Run>(path`/repos/${repo.owner}/${repo.name}/actions/workflows/${file}/runs`, {
        ...listed,
        query: { ...query },
        since: "1.27",
      }),

    get: (repo: RepoName, id: number) => http.get(below(repo, `runs/${id}`), { answers: json<Run>(), since: "1.25" }),

    attempt: (repo: RepoName, id: number, attempt: number) =>
      http.get(below(repo, `runs/${id}/attempts/${attempt}`), { answers: json<Run>(), since: "1.27" }),

    /** Deletes a finished run with its jobs, logs and artifacts. */
    delete: (repo: RepoName, id: number) => http.delete(below(repo, `runs/${id}`), { answers: nothing, since: "1.24" }),

    rerun: (repo: RepoName, id: number) =>
      http.post(below(repo, `runs/${id}/rerun`), { answers: json<Run>(), since: "1.26" }),

    /** Reruns the failed and cancelled jobs, and the jobs that depend on them. */
    rerunFailed: (repo: RepoName, id: number) =>
      http.post(below(repo, `runs/${id}/rerun-failed-jobs`), { answers: nothing, since: "1.26" }),

    /** Reruns a job of the latest attempt, and the jobs that depend on it. */
    rerunJob: (repo: RepoName, id: number, job: number) =>
      http.post(below(repo, `runs/${id}/jobs/${job}/rerun`), { answers: json<Job>(), since: "1.26" }),
  };
};

/** Started jobs, newest first, without filters; on both servers. */
export const tasks = (http: Http) => ({
  list: (repo: RepoName) =>
    http.list<Task>(path`/repos/${repo.owner}/${repo.name}/actions/tasks`, {
      envelope: "workflow_runs",
      unique: "id",
    }),
});
