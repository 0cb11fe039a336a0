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

/** Milestones of a repository. Scope `issue`. */
export const milestones = (http: Http) => ({
  /** Always sends the state, because the server's default is `open`. */
  list: (repo: RepoName, state: "open" | "closed" | "all") =>
    http.list<Milestone>(path`/repos/${repo.owner}/${repo.name}/milestones`, { query: { state }, unique: "id" }),
});
