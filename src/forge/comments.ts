import { Failure } from "../failure/failure.ts";
import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { ServerError } from "../http/errors.ts";
import { path } from "../http/path.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, list, nullable, optional, serverRecord, string, time, using } from "../shape/shape.ts";
import { attachment } from "./attachments.ts";
import { collect } from "./listings.ts";
import { explainMissingIssue, orMissingIssue } from "./missing-issue.ts";
import { person } from "./users.ts";

/** A comment on an issue or a pull request. */
export const comment = serverRecord(
  "a comment",
  {
    id: integer,
    html_url: optional(string),
    pull_request_url: string,
    issue_url: string,
    user: optional(nullable(person)),
    original_author: optional(string),
    original_author_id: integer,
    body: optional(string),
    assets: optional(nullable(list(attachment))),
    created_at: optional(time),
    updated_at: optional(time),
  },
  ["id", "html_url", "user", "original_author", "body", "assets", "created_at", "updated_at"],
);

export type Comment = Infer<typeof comment>;

const newComment = using(comment, "html_url");
type NewComment = Infer<typeof newComment>;

/** Comments on issues and pull requests. Scope `issue`. */
export function commentsApi(http: Http) {
  const all = (repo: RepoName, index: number) => path`/repos/${repo.owner}/${repo.name}/issues/${index}/comments`;
  const one = (repo: RepoName, id: number) => path`/repos/${repo.owner}/${repo.name}/issues/comments/${id}`;
  return {
    /** Oldest first, without paging. */
    list: (repo: RepoName, index: number, query: { readonly since?: string | undefined } = {}) =>
      explainMissingIssue(
        http,
        { repo, index },
        http.list(all(repo, index), { items: comment, query: { ...query }, unpaged: true }),
      ),

    /**
     * Adds a comment. Development versions of Forgejo 10 add one to a pull request and then fail with 500, so the comments
     * of the last seconds are read after a failure (docs/server-differences.md, "Issues").
     */
    create: (repo: RepoName, index: number, body: string): Promise<NewComment> =>
      orMissingIssue(
        http,
        { repo, index },
        http.post(all(repo, index), { body: { body }, answers: json(newComment) }).catch(async (error: unknown) => {
          const since = error instanceof ServerError ? Date.parse(error.exchange.headers["date"] ?? "") - 10_000 : NaN;
          if (Number.isNaN(since)) throw error;
          const query = { since: new Date(since).toISOString() };
          const listed = http.list(all(repo, index), { items: comment, query, unpaged: true });
          const added = (await collect(listed).catch(() => [])).findLast((one) => one.body === body);
          if (added === undefined) throw error;
          return added;
        }),
      ),

    get: async (repo: RepoName, id: number) =>
      requireComment(await http.get(one(repo, id), { answers: json(nullable(comment)) }), repo, id),

    edit: async (repo: RepoName, id: number, body: string) =>
      requireComment(await http.patch(one(repo, id), { body: { body }, answers: json(nullable(comment)) }), repo, id),

    delete: (repo: RepoName, id: number) => http.delete(one(repo, id), { answers: nothing }),
  };
}

/** Throws if the id is that of an event: the servers answer 204 without a body (docs/server-differences.md, "Issues"). */
function requireComment(found: Comment | null, repo: RepoName, id: number): Comment {
  if (found !== null) return found;
  const message = `Comment ${id} not found in ${fullName(repo)}: the ID is that of another event or a review comment`;
  throw new Failure("not_found", message);
}
