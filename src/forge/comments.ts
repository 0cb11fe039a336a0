import { Failure, unlessFailed } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { ServerError } from "../http/errors.ts";
import { isUnsureStatus } from "../http/no-answer-error.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, list, nullable, optional, serverRecord, string, time, using } from "../shape/shape.ts";
import { attachment } from "./attachments.ts";
import { collect } from "./listings.ts";
import { explainMissingIssue, orMissingIssue } from "./missing-issue.ts";
import { call, operation, pagesOf, type QueryOf } from "./operation.ts";
import { sentAt } from "./sent-at.ts";
import { undoCreate } from "./undo.ts";
import { currentUserGet, person } from "./users.ts";

/** A comment on an issue or a pull request. */
export const comment = serverRecord(
  "a comment",
  {
    id: integer,
    html_url: optional(string),
    user: optional(nullable(person)),
    original_author: optional(string),
    body: optional(string),
    assets: optional(nullable(list(attachment))),
    created_at: optional(time),
    updated_at: optional(time),
  },
  { pull_request_url: string, issue_url: string, original_author_id: integer },
);

export type Comment = Infer<typeof comment>;

const newComment = using(comment, "id", "html_url");
type NewComment = Infer<typeof newComment>;

/** Oldest first, without paging. */
export const commentList = operation("GET", "/repos/{owner}/{repo}/issues/{index}/comments", {
  answers: pagesOf(comment, { unpaged: true }),
});

/** Those of all issues and pull requests of a repository, as far as the caller may read both. */
export const repoCommentList = operation("GET", "/repos/{owner}/{repo}/issues/comments", { answers: pagesOf(comment) });

export const commentCreate = operation("POST", "/repos/{owner}/{repo}/issues/{index}/comments", {
  answers: newComment,
  undo: undoCreate({ at: "/repos/{owner}/{repo}/issues/comments/{key}" }),
});

/** 204 without a body if the id is that of another event (docs/server-differences.md, "Issues"). */
export const commentGet = operation("GET", "/repos/{owner}/{repo}/issues/comments/{id}", {
  answers: nullable(comment),
});

/** 204 without a body if the id is that of another event (docs/server-differences.md, "Issues"). */
export const commentEdit = operation("PATCH", "/repos/{owner}/{repo}/issues/comments/{id}", {
  answers: nullable(comment),
});

export const commentDelete = operation("DELETE", "/repos/{owner}/{repo}/issues/comments/{id}");

/** The comments of an issue or a pull request. */
export function listComments(http: Http, repo: RepoName, index: number, query: QueryOf<typeof commentList> = {}) {
  return explainMissingIssue(http, { repo, index }, call(http, commentList, { repo, index, ...query }));
}

/**
 * Adds a comment. Development versions of Forgejo 10 add one to a pull request and then fail with 500, so the user's comments
 * since then are read after a failure (docs/server-differences.md, "Issues"). Not after a 502, 503 or 504 of a proxy: nothing
 * tells one that arrived from an equal one of the same second.
 */
export function createComment(http: Http, repo: RepoName, index: number, body: string): Promise<NewComment> {
  const start = performance.now();
  const made = call(http, commentCreate, { repo, index }, { body }).catch(async (error: unknown) => {
    if (!(error instanceof ServerError) || isUnsureStatus(error.status)) throw error;
    const sent = sentAt(error.exchange.headers["date"], performance.now() - start);
    if (Number.isNaN(sent)) throw error;
    const listed = call(http, commentList, { repo, index, since: new Date(sent).toISOString() });
    const login = (await unlessFailed(call(http, currentUserGet, {})))?.login;
    const isIt = ({ user, created_at, body: text }: Comment) =>
      text === body && user?.login === login && Date.parse(created_at ?? "") >= sent;
    const added = login && (await unlessFailed(collect(listed)))?.findLast(isIt);
    if (!added) throw error;
    return added;
  });
  return orMissingIssue(http, { repo, index }, made);
}

/** A comment by its id. Throws if the id is that of another event. */
export async function getComment(http: Http, repo: RepoName, id: number): Promise<Comment> {
  return requireComment(await call(http, commentGet, { repo, id }), repo, id);
}

/** Edits a comment. Throws if the id is that of another event. */
export async function editComment(http: Http, repo: RepoName, id: number, body: string): Promise<Comment> {
  return requireComment(await call(http, commentEdit, { repo, id }, { body }), repo, id);
}

function requireComment(found: Comment | null, repo: RepoName, id: number): Comment {
  if (found !== null) return found;
  const message = `Comment ${id} not found in ${fullName(repo)}: the ID is that of another event or a review comment`;
  throw new Failure("not_found", message);
}
