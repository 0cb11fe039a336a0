import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, nullable, optional, serverRecord, string, time, words } from "../shape/shape.ts";

/** A milestone of a repository. */
export const milestone = serverRecord(
  "a milestone",
  {
    id: integer,
    title: optional(string),
    description: string,
    state: optional(words("open", "closed")),
    open_issues: integer,
    closed_issues: integer,
    created_at: time,
    updated_at: nullable(time),
    closed_at: nullable(time),
    due_on: nullable(time),
  },
  ["id", "title", "state"],
);

export type Milestone = Infer<typeof milestone>;

/** Milestones of a repository. Scope `issue`. */
export const milestones = (http: Http) => ({
  /** Always sends the state, because the server's default is `open`. */
  list: (repo: RepoName, state: "open" | "closed" | "all") =>
    http.list(path`/repos/${repo.owner}/${repo.name}/milestones`, { items: milestone, query: { state }, unique: "id" }),
});
