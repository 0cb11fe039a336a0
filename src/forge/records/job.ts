import { type Infer, integer, list, nullable, optional, record, string, time } from "./shape.ts";

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
