import { type Infer, integer, record, string, time } from "./shape.ts";

/** A workflow file of the default branch (api-facts 1.6). `id` is the file's name; its times are those of the branch. */
export const workflow = record({
  id: string,
  name: string,
  path: string,
  state: string,
  created_at: time,
  updated_at: time,
  url: string,
  html_url: string,
  badge_url: string,
  deleted_at: time,
});

export type Workflow = Infer<typeof workflow>;

/** The run that a dispatch made, from servers that say so. */
export const runDetails = record({ workflow_run_id: integer, run_url: string, html_url: string });

export type RunDetails = Infer<typeof runDetails>;
