import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, nullable, record, string, time, words } from "../shape/shape.ts";

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

/** Milestones of a repository (api-facts 3.6.20). Scope `issue`. */
export const milestones = (http: Http) => ({
  /** The server's own default is `open`, so the state is always sent. */
  list: (repo: RepoName, state: "open" | "closed" | "all") =>
    http.list<Milestone>(path`/repos/${repo.owner}/${repo.name}/milestones`, { query: { state }, unique: "id" }),
});
