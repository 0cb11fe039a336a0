import { json, stream, text } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { HttpError } from "../http/errors.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, list, nullable, optional, record, string, time } from "../shape/shape.ts";

/** A step of a job; only those of the file, counted from 0. Times are in whole seconds. */
export const step = record({
  name: string,
  number: integer,
  status: string,
  conclusion: optional(string),
  started_at: time,
  completed_at: time,
});

/** A job of a run (api-facts 1.6). `labels` is what it asks of a runner. */
export const job = record({
  id: integer,
  url: string,
  html_url: string,
  run_id: integer,
  run_url: string,
  name: string,
  labels: nullable(list(string)),
  run_attempt: integer,
  head_sha: string,
  head_branch: optional(string),
  status: string,
  conclusion: optional(string),
  runner_id: optional(integer),
  runner_name: optional(string),
  /** Null before a job started, on older servers. */
  steps: nullable(list(step)),
  created_at: time,
  started_at: time,
  completed_at: time,
});

export type Step = Infer<typeof step>;
export type Job = Infer<typeof job>;

const listed = { envelope: "jobs", unique: "id", since: "1.25" } as const;

/** Jobs of runs and their logs (api-facts 3.6.7). */
export const jobs = (http: Http) => ({
  /** Those of the latest attempt. */
  ofRun: (repo: RepoName, run: number) =>
    http.list<Job>(path`/repos/${repo.owner}/${repo.name}/actions/runs/${run}/jobs`, listed),

  ofAttempt: (repo: RepoName, run: number, attempt: number) =>
    http.list<Job>(path`/repos/${repo.owner}/${repo.name}/actions/runs/${run}/attempts/${attempt}/jobs`, {
      ...listed,
      since: "1.27",
    }),

  get: (repo: RepoName, job: number) =>
    http.get(path`/repos/${repo.owner}/${repo.name}/actions/jobs/${job}`, { answers: json<Job>(), since: "1.25" }),

  /** The whole log as it arrives; that of a running job ends where it is now. */
  log: (repo: RepoName, job: number) =>
    http.get(path`/repos/${repo.owner}/${repo.name}/actions/jobs/${job}/logs`, { answers: stream, since: "1.24" }),

  /** What the log has beyond its first `seen` bytes; nothing new is 416. */
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
});
