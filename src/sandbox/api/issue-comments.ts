import {
  commentCreate,
  commentDelete,
  commentEdit,
  commentGet,
  commentList,
  repoCommentList,
} from "../../forge/comments.ts";
import { issueList, issueSearch } from "../../forge/issues.ts";
import { collection } from "../http/collection.ts";
import { listReply } from "../http/paging.ts";
import { json, notFound, Refusal, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { inPeriod } from "../http/time.ts";
import { reviewsOf } from "../pulls/reviews.ts";
import { attachmentsOf, commentJson, issueJson } from "../serializers/issues.ts";
import { userNamed } from "../state/accounts.ts";
import { commentsOf, issueAt, issuesOf, saveIssue } from "../state/issues.ts";
import { descending } from "../state/order.ts";
import type { CommentRecord, IssueRecord } from "../state/records/issues.ts";
import { canSee, findIssue, hasAccess, issueNotFound, reading, writing } from "./issues.ts";

const creation = { ...writing, unarchived: true } as const;

/** Comments on issues and pull requests. */
export const issueComments: Area = [
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
  collection({
    table: "comments",
    needs: { read: reading, write: writing },
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
  }),
  // Lists of issues and pull requests, of one repository and of all visible ones.
  route(issueList, reading, (call) => answer(call, issuesOf(call.site.store, call.repo.id), inRepo(call))),
  route(issueSearch, {}, (call) => answer(call, call.table("issues").all(), everywhere(call))),
];

function withFiles(call: Call, comment: CommentRecord): Record<string, unknown> {
  return commentJson(call, comment, attachmentsOf(call, { ...comment, commentId: comment.id }));
}

function between({ query }: Call, comments: readonly CommentRecord[]): CommentRecord[] {
  const isInPeriod = inPeriod(query);
  return comments.filter(({ updated_at }) => isInPeriod(updated_at));
}

function create(call: Call<typeof creation, typeof commentCreate>) {
  const { site, currentUser, body } = call;
  const issue = findIssue(call, issueNotFound(call));
  if (issue.is_locked && !hasAccess(call, issue, "write")) refuse(403, "You cannot comment on a locked issue.");
  const { repoId, index } = issue;
  const times = { created_at: site.now(), updated_at: site.now() };
  const made = site.table("comments").add({ repoId, index, posterId: currentUser.id, body: body.body, ...times });
  saveIssue(site.store, { ...issue, updated_at: site.now() });
  return commentJson(call, made);
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

type Test = (issue: IssueRecord) => boolean;

function answer(call: Call, all: readonly IssueRecord[], more: readonly Test[]) {
  const tests = [(issue: IssueRecord) => canSee(call, issue), ...common(call), ...more];
  const fitting = all.filter((issue) => tests.every((test) => test(issue)));
  fitting.sort(descending(({ created_at }) => Date.parse(created_at), "id"));
  return listReply(call, fitting, issueJson);
}

/**
 * The filters of both lists: `state` (default: open), `type`, `q`, `labels` (names, all must match), `milestones`
 * (titles), `since` and `before`.
 */
function common({ site, query }: Call): Test[] {
  const { store } = site;
  const state = query.get("state") ?? "";
  const type = query.get("type") ?? "";
  const words = (query.get("q") ?? "").toLowerCase();
  const names = (name: string) => (query.get(name) ?? "").split(",").filter((part) => part !== "");
  const labels = names("labels").map((name) => store.table("labels").filter((label) => label.name === name));
  const wanted = labels.filter((found) => found.length > 0).map((found) => found.map(({ id }) => id));
  const milestones = names("milestones").flatMap((title) =>
    store
      .table("milestones")
      .filter((one) => one.title.toLowerCase() === title.toLowerCase() || String(one.id) === title),
  );
  const isInPeriod = inPeriod(query);
  const matchesText = (issue: IssueRecord) => {
    const comments = commentsOf(store, issue.repoId, issue.index).map(({ body }) => body);
    return [issue.title, issue.body, ...comments].some((text) => text.toLowerCase().includes(words));
  };
  return [
    (issue) => state === "all" || issue.state === (state === "closed" ? "closed" : "open"),
    (issue) => (type !== "pulls" || issue.pull !== null) && (type !== "issues" || issue.pull === null),
    (issue) => words === "" || matchesText(issue),
    (issue) => wanted.every((ids) => ids.some((id) => issue.labels.includes(id))),
    (issue) => milestones.length === 0 || milestones.some(({ id }) => id === issue.milestoneId),
    (issue) => isInPeriod(issue.updated_at),
  ];
}

function inRepo({ site, query }: Call): Test[] {
  const person = (name: string): number | undefined => {
    const login = query.get(name) ?? "";
    if (login === "") return undefined;
    return userNamed(site.store, login)?.id ?? notFound(`user does not exist [uid: 0, name: ${login}]`);
  };
  const [creator, assignee, mentioned] = [person("created_by"), person("assigned_by"), person("mentioned_by")];
  const name = mentioned === undefined ? "" : `@${query.get("mentioned_by")}`;
  return [
    (issue) => creator === undefined || issue.posterId === creator,
    (issue) => assignee === undefined || issue.assignees.includes(assignee),
    (issue) => name === "" || issue.body.includes(name),
  ];
}

/**
 * The filters of the search: `owner` and the caller's involvement (`created`, `assigned`, `mentioned`,
 * `review_requested`, `reviewed`).
 */
function everywhere(call: Call): Test[] {
  const { site, query, currentUser } = call;
  const owner = query.get("owner") ?? "";
  const ownerId = owner === "" ? undefined : (userNamed(site.store, owner)?.id ?? notFound());
  const reviews = (issue: IssueRecord) => reviewsOf(site.store, issue.repoId, issue.index);
  const mine: Readonly<Record<string, Test>> = {
    created: (issue) => issue.posterId === currentUser?.id,
    assigned: (issue) => issue.assignees.includes(currentUser?.id ?? 0),
    mentioned: (issue) => issue.body.includes(`@${currentUser?.name}`),
    review_requested: (issue) =>
      reviews(issue).some((one) => one.userId === currentUser?.id && one.state === "REQUEST_REVIEW"),
    reviewed: (issue) => reviews(issue).some((one) => one.userId === currentUser?.id && one.state !== "REQUEST_REVIEW"),
  };
  const asked = Object.entries(mine).flatMap(([name, test]) => (call.flag(name) ? [test] : []));
  return [(issue) => ownerId === undefined || site.table("repos").get(issue.repoId)?.ownerId === ownerId, ...asked];
}
