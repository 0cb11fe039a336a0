import { stream, text } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { HttpError } from "../http/errors.ts";
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
import { operation, pagesOf, respond } from "./operation.ts";

/** A step of the workflow file, numbered from 0. Times are in whole seconds. */
export const step = serverRecord(
  "a step",
  {
    name: string,
    status: string,
    conclusion: optional(string),
    started_at: optional(time),
    completed_at: optional(time),
  },
  { number: integer },
);

/** A job of a run of Gitea. `labels` is its runs-on. */
const giteaJob = serverRecord(
  "a job",
  {
    id: integer,
    html_url: optional(string),
    run_id: integer,
    name: string,
    labels: optional(nullable(list(string))),
    run_attempt: optional(integer),
    head_sha: string,
    status: string,
    conclusion: optional(string),
    runner_name: optional(string),
    /** Null before the job starts, on older servers. */
    steps: optional(nullable(list(step))),
    created_at: time,
    started_at: optional(time),
    completed_at: optional(time),
  },
  { url: string, run_url: string, head_branch: optional(string), runner_id: optional(integer) },
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
    name: string,
    runs_on: nullable(list(string)),
    task_id: optional(integer),
    status: string,
  },
  {
    handle: optional(string),
    repo_id: optional(integer),
    owner_id: optional(integer),
    needs: optional(nullable(list(string))),
  },
);

/** A job of a run, as the server has it; `readJob` reads both forms. */
export const job = either(giteaJob, forgejoJob, (value) => hasKey(value, "runs_on"));

export type Step = Infer<typeof step>;
export type Job = GiteaJob | ForgejoJob;
export type GiteaJob = Infer<typeof giteaJob>;
export type ForgejoJob = Infer<typeof forgejoJob>;

const levels = ["repository", "organization", "user", "server"] as const;
const listed = pagesOf(job, { envelope: "jobs" });

/** The jobs of all attempts, on Gitea only; oldest first before Gitea 1.27, which ignores the order. */
export const jobList = operation("GET", "{level}/actions/jobs", {
  levels,
  answers: pagesOf(giteaJob, { envelope: "jobs" }),
});

/** The jobs of the latest attempt. */
export const runJobList = operation("GET", "/repos/{owner}/{repo}/actions/runs/{run}/jobs", { answers: listed });

export const attemptJobList = operation("GET", "/repos/{owner}/{repo}/actions/runs/{run}/attempts/{attempt}/jobs", {
  answers: listed,
});

export const jobGet = operation("GET", "/repos/{owner}/{repo}/actions/jobs/{job_id}", { answers: job });

/** Streams the log; for a running job, the log so far. */
export const jobLogs = operation("GET", "/repos/{owner}/{repo}/actions/jobs/{job_id}/logs", { answers: stream });

export const jobLogPart = operation("GET", "/repos/{owner}/{repo}/actions/jobs/{job_id}/logs", { answers: text });

/** The log after the first `seen` bytes; the server answers 416 if there is nothing new. */
export async function jobLogFrom(http: Http, repo: RepoName, job: number, seen: number): Promise<Buffer> {
  const headers = seen === 0 ? {} : { range: `bytes=${seen}-` };
  try {
    const { status, value } = await respond(http, jobLogPart, { repo, job_id: job }, undefined, { headers });
    return status === 206 ? value : value.subarray(seen);
  } catch (error) {
    if (error instanceof HttpError && error.status === 416) return Buffer.alloc(0);
    throw error;
  }
}
