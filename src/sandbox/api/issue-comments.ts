import {
  commentCreate,
  commentDelete,
  commentEdit,
  commentGet,
  commentList,
  repoCommentList,
} from "../../forge/comments.ts";
import type { CreateIssueCommentOption } from "../../forge/generated/operations.ts";
import { refuseBlocked } from "../http/access.ts";
import { collection } from "../http/collection.ts";
import { listReply } from "../http/paging.ts";
import { json, notFound, Refusal, type Reply, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { inPeriod } from "../http/time.ts";
import { attachmentsOf, commentJson } from "../serializers/issues.ts";
import { commentsOf, issueAt, newComment, saveIssue } from "../state/issues.ts";
import type { CommentRecord } from "../state/records/issues.ts";
import { findIssue, hasAccess, issueNotFound, reading, writing } from "./issue-shared.ts";

const creation = { ...writing, unarchived: true } as const;

/** Comments on issues and pull requests. */
export const issueComments: Area = {
  routes: [
    route(commentList, reading, (call) => {
      const { repoId, index } = findIssue(call, issueNotFound(call));
      const comments = between(call, commentsOf(call.site.store, repoId, index));
      // Not paged, as in Gitea.
      return json(
        200,
        comments.map((one) => withFiles(call, one)),
        { "X-Total-Count": String(comments.length), "Access-Control-Expose-Headers": "X-Total-Count" },
      );
    }),
    route(commentCreate, creation, create),
    route(repoCommentList, reading, (call) => {
      const all = call.table("comments").filter(({ repoId }) => repoId === call.repo.id);
      return listReply(call, between(call, all), commentJson, "total");
    }),
    collection(
      "comments",
      { read: reading, write: writing },
      {
        get: commentGet,
        find: findComment,
        edit: [
          commentEdit,
          (call, comment, { body }) =>
            call.table("comments").put({ ...mine(call, comment), body, updated_at: call.site.now() }),
        ],
        remove: [commentDelete, mine],
        // Gitea has the files in lists only.
        serialize: (call, comment) =>
          call.site.release.product === "gitea" ? commentJson(call, comment) : withFiles(call, comment),
      },
    ),
  ],
};

function withFiles(call: Call, comment: CommentRecord): Record<string, unknown> {
  return commentJson(call, comment, attachmentsOf(call, { ...comment, commentId: comment.id }));
}

function between({ query }: Call, comments: readonly CommentRecord[]): CommentRecord[] {
  const isInPeriod = inPeriod(query);
  return comments.filter(({ updated_at }) => isInPeriod(updated_at));
}

function create(call: Call<typeof creation, CreateIssueCommentOption>): Reply {
  const { site, currentUser, body } = call;
  const issue = findIssue(call, issueNotFound(call));
  refuseBlocked(call, issue.posterId, call.repo.ownerId);
  if (issue.is_locked && !hasAccess(call, issue, "write")) refuse(403, "You cannot comment on a locked issue.");
  const { repoId, index } = issue;
  const made = newComment(site.store, site.now(), { repoId, index, posterId: currentUser.id, body: body.body });
  saveIssue(site.store, { ...issue, updated_at: site.now() });
  return json(201, commentJson(call, made));
}

/** The comment of a path. Throws 404. */
export function findComment(call: Call<typeof reading>): CommentRecord {
  const id = call.number("id");
  const found = call.table("comments").get(id);
  return found?.repoId === call.repo.id ? found : notFound(`comment does not exist [id: ${id}, issue_id: 0]`);
}

/** A comment that the caller may edit: the caller's own or, with write access, any. Throws 403 otherwise. */
function mine(call: Call<typeof writing>, comment: CommentRecord): CommentRecord {
  const issue = issueAt(call.site.store, comment.repoId, comment.index);
  if (comment.posterId === call.currentUser.id || (issue && hasAccess(call, issue, "write"))) return comment;
  throw new Refusal(403, "", "none");
}
