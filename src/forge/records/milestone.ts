import { type Infer, integer, nullable, record, string, time, words } from "./shape.ts";

/** A milestone of a repository. */
export const milestone = record({
  id: integer,
  title: string,
  description: string,
  state: words("open", "closed"),
  open_issues: integer,
  closed_issues: integer,
  created_at: time,
  updated_at: nullable(time),
  closed_at: nullable(time),
  due_on: nullable(time),
});

export type Milestone = Infer<typeof milestone>;
