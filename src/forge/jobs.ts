import { json, stream, text } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { HttpError } from "../http/errors.ts";
import { type Path, path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
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

/** A job of a run of Gitea. `labels` is its runs-on. */
const giteaJob = serverRecord(
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

/**
 * A job of a run of Forgejo since 16.0: without times and steps. `task_id` is 0 until a runner picks it up
 * (docs/server-differences.md, "Runs and jobs").
 */
const forgejoJob = serverRecord(
  "a job",
  {
    id: integer,
    run_id: integer,
    attempt: optional(integer),
    handle: optional(string),
    repo_id: optional(integer),
    owner_id: optional(integer),
    name: string,
    needs: optional(nullable(list(string))),
    runs_on: nullable(list(string)),
    task_id: optional(integer),
    status: string,
  },
  ["id", "run_id", "attempt", "name", "runs_on", "task_id", "status"],
);

/** A job of a run, as the server has it; `readJob` reads both forms. */
export const job = either(giteaJob, forgejoJob, (value) => hasKey(value, "runs_on"));

export type Step = Infer<typeof step>;
export type Job = GiteaJob | ForgejoJob;
export type GiteaJob = Infer<typeof giteaJob>;
export type ForgejoJob = Infer<typeof forgejoJob>;

/** What every server tells of a job, whatever it calls it. */
export interface JobFacts {
  readonly labels: readonly string[];
  readonly attempt: number | undefined;
  readonly runner: string | undefined;
  readonly steps: readonly Step[];
  readonly started: string | undefined;
  readonly completed: string | undefined;
  /** Whether a runner has picked it up; undefined if only `started` tells. */
  readonly isPickedUp: boolean | undefined;
  readonly url: string | undefined;
}

/** Reads a record of a job in the form of any server. */
export function readJob(record: Job): JobFacts {
  return "runs_on" in record ? readForgejoJob(record) : readGiteaJob(record);
}

function readGiteaJob(job: GiteaJob): JobFacts {
  return {
    labels: job.labels ?? [],
    attempt: job.run_attempt,
    runner: job.runner_name,
    steps: job.steps ?? [],
    started: job.started_at,
    completed: job.completed_at,
    isPickedUp: undefined,
    url: job.html_url,
  };
}

function readForgejoJob(job: ForgejoJob): JobFacts {
  return {
    labels: job.runs_on ?? [],
    attempt: job.attempt,
    runner: undefined,
    steps: [],
    started: undefined,
    completed: undefined,
    isPickedUp: job.task_id !== undefined && job.task_id !== 0,
    url: undefined,
  };
}

const listed = { envelope: "jobs", unique: "id" } as const;
const logSince = "1.24 and Forgejo 16.0";

/** Filters for a list of jobs. */
export interface JobQuery {
  readonly status?: readonly string[] | undefined;
}

/** Jobs and their logs. */
export function jobsApi(http: Http) {
  return {
    /** The jobs of all attempts, newest first, on Gitea only; oldest first before Gitea 1.27, which ignores the order. */
    list: (level: Level, query: JobQuery = {}) =>
      http.list(`${actionsPath(level)}/jobs` as Path, {
        ...{ items: giteaJob, ...listed, since: "1.25" },
        query: { ...query, sort: "id", order: "desc" },
      }),

    /** The jobs of the latest attempt. */
    ofRun: (repo: RepoName, run: number) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/actions/runs/${run}/jobs`, {
        ...{ items: job, ...listed, since: "1.25 and Forgejo 16.0" },
      }),

    ofAttempt: (repo: RepoName, run: number, attempt: number) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/actions/runs/${run}/attempts/${attempt}/jobs`, {
        ...{ items: job, ...listed, since: "1.27" },
      }),

    get: (repo: RepoName, id: number) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/actions/jobs/${id}`, { answers: json(job), since: "1.25" }),

    /** Streams the log; for a running job, the log so far. */
    log: (repo: RepoName, job: number) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/actions/jobs/${job}/logs`, {
        answers: stream,
        since: logSince,
      }),

    /** The log after the first `seen` bytes; the server answers 416 if there is nothing new. */
    logFrom: async (repo: RepoName, job: number, seen: number): Promise<Buffer> => {
      const logs = path`/repos/${repo.owner}/${repo.name}/actions/jobs/${job}/logs`;
      const headers = seen === 0 ? {} : { range: `bytes=${seen}-` };
      try {
        const { status, value } = await http.send("GET", logs, { answers: text, headers, since: logSince });
        return status === 206 ? value : value.subarray(seen);
      } catch (error) {
        if (error instanceof HttpError && error.status === 416) return Buffer.alloc(0);
        throw error;
      }
    },
  };
}
