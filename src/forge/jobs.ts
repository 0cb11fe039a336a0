import { json, stream, text } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { HttpError } from "../http/errors.ts";
import { type Path, path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, list, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";
import { actionsPath, type Level } from "./level.ts";

/** A step of the workflow file, numbered from 0. Times are in whole seconds. */
export const step = serverRecord(
  "a step",
  {
    name: string,
    number: integer,
    status: string,
    conclusion: optional(string),
    started_at: optional(time),
    completed_at: optional(time),
  },
  ["name", "conclusion", "started_at", "completed_at", "status"],
);

/** A job of a run. `labels` is its runs-on. */
export const job = serverRecord(
  "a job",
  {
    id: integer,
    url: string,
    html_url: optional(string),
    run_id: integer,
    run_url: string,
    name: string,
    labels: optional(nullable(list(string))),
    run_attempt: optional(integer),
    head_sha: string,
    head_branch: optional(string),
    status: string,
    conclusion: optional(string),
    runner_id: optional(integer),
    runner_name: optional(string),
    /** Null before the job starts, on older servers. */
    steps: optional(nullable(list(step))),
    created_at: time,
    started_at: optional(time),
    completed_at: optional(time),
  },
  [
    "id",
    "html_url",
    "run_id",
    "name",
    "labels",
    "run_attempt",
    "runner_name",
    "steps",
    "head_sha",
    "created_at",
    "started_at",
    "completed_at",
    "status",
    "conclusion",
  ],
);

export type Step = Infer<typeof step>;
export type Job = Infer<typeof job>;

const listed = { envelope: "jobs", unique: "id", since: "1.25" } as const;

/** Filters for a list of jobs. */
export interface JobQuery {
  readonly status?: readonly string[] | undefined;
}

/** Jobs and their logs. */
export function jobsApi(http: Http) {
  return {
    /** The jobs of all attempts, newest first; oldest first before Gitea 1.27, which ignores the order. */
    list: (level: Level, query: JobQuery = {}) =>
      http.list(`${actionsPath(level)}/jobs` as Path, {
        items: job,
        ...listed,
        query: { ...query, sort: "id", order: "desc" },
      }),

    /** The jobs of the latest attempt. */
    ofRun: (repo: RepoName, run: number) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/actions/runs/${run}/jobs`, { items: job, ...listed }),

    ofAttempt: (repo: RepoName, run: number, attempt: number) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/actions/runs/${run}/attempts/${attempt}/jobs`, {
        items: job,
        ...listed,
        since: "1.27",
      }),

    get: (repo: RepoName, id: number) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/actions/jobs/${id}`, { answers: json(job), since: "1.25" }),

    /** Streams the log; for a running job, the log so far. */
    log: (repo: RepoName, job: number) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/actions/jobs/${job}/logs`, { answers: stream, since: "1.24" }),

    /** The log after the first `seen` bytes; the server answers 416 if there is nothing new. */
    logFrom: async (repo: RepoName, job: number, seen: number): Promise<Buffer> => {
      const logs = path`/repos/${repo.owner}/${repo.name}/actions/jobs/${job}/logs`;
      const headers = seen === 0 ? {} : { range: `bytes=${seen}-` };
      try {
        const { status, value } = await http.send("GET", logs, { answers: text, headers, since: "1.24" });
        return status === 206 ? value : value.subarray(seen);
      } catch (error) {
        if (error instanceof HttpError && error.status === 416) return Buffer.alloc(0);
        throw error;
      }
    },
  };
}
