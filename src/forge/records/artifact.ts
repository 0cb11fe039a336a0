import { boolean, type Infer, integer, nullable, optional, record, string, time } from "./shape.ts";

/** An artifact of a run. `size_in_bytes` is that of the zip file; of its run only `id` and `head_sha` count (api-facts 3.6.8). */
export const artifact = record({
  id: integer,
  name: string,
  size_in_bytes: integer,
  url: string,
  archive_download_url: string,
  /** Set by a daily job: false for some hours after `expires_at`. */
  expired: boolean,
  workflow_run: nullable(record({ id: integer, repository_id: optional(integer), head_sha: string })),
  created_at: time,
  updated_at: time,
  expires_at: time,
});

export type Artifact = Infer<typeof artifact>;
