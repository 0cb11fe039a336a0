import { type Infer, integer, record, string, time } from "./shape.ts";

/**
 * A job that a runner took, with what its run is (api-facts 1.6, ActionTask): all that Forgejo tells of runs. `id` is the
 * task's, `name` the job's; `status` is the servers' inner word.
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
