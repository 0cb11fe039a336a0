import { anything, type Infer, integer, list, nullable, optional, record, string, time } from "./shape.ts";
import { user } from "./user.ts";

/** A workflow run (api-facts 1.6). It has no name; `path` is `file@ref`; times are the epoch until they happened. */
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
  /** Only when completed. */
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

/** What narrows a list of runs; `status` repeats, `branch` is a short name, `head_sha` a whole hash (api-facts 3.6.6). */
export interface RunQuery {
  readonly event?: string | undefined;
  readonly branch?: string | undefined;
  readonly status?: readonly string[] | undefined;
  readonly actor?: string | undefined;
  readonly head_sha?: string | undefined;
}
