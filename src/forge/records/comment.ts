import { anything, type Infer, integer, list, nullable, optional, record, string, time } from "./shape.ts";
import { user } from "./user.ts";

/** A comment on an issue or a pull request. */
export const comment = record({
  id: integer,
  html_url: string,
  pull_request_url: string,
  issue_url: string,
  user: nullable(user),
  original_author: string,
  original_author_id: integer,
  body: string,
  assets: optional(nullable(list(anything))),
  created_at: time,
  updated_at: time,
});

export type Comment = Infer<typeof comment>;
