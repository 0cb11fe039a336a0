import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, using } from "../shape/shape.ts";
import { issue } from "./issues.ts";

/**
 * An issue at the other end of a dependency. A hidden one has the title `HIDDEN` and no number
 * (docs/server-differences.md, "Pull requests: merging").
 */
export const relatedIssue = using(issue, "number", "title", "state", "html_url", "repository", "pull_request");

export type RelatedIssue = Infer<typeof relatedIssue>;

/** How an issue is related to others: it blocks them, or depends on them. */
export type Relation = "blocks" | "dependencies";

/** An issue of a repository in the body of a request; the names must be spelled as the server stores them. */
export interface IssueMeta {
  readonly owner: string;
  readonly repo: string;
  readonly index: number;
}

/** The related issues of an issue. */
export interface Related {
  readonly of: Relation;
  readonly repo: RepoName;
  readonly index: number;
}

/** Dependencies between issues and pull requests, also of other repositories. Scope `issue`. */
export function dependenciesApi(http: Http) {
  const all = ({ of, repo, index }: Related) =>
    of === "blocks"
      ? path`/repos/${repo.owner}/${repo.name}/issues/${index}/blocks`
      : path`/repos/${repo.owner}/${repo.name}/issues/${index}/dependencies`;
  return {
    /** The open and closed issues that it blocks, or depends on. Of blocked issues, only visible ones. */
    list: (related: Related) => http.list(all(related), { items: relatedIssue, unique: "id" }),

    /** The answer is the issue of the path. */
    add: (related: Related, other: IssueMeta) =>
      http.post(all(related), { body: other, answers: json(using(issue, "number")) }),

    /** The servers read the other issue from the body of the DELETE. */
    remove: (related: Related, other: IssueMeta) =>
      http.delete(all(related), { body: other, answers: json(using(issue, "number")) }),
  };
}
