import { accessTo } from "../http/access.ts";
import { reviewsOf } from "../pulls/reviews.ts";
import type { Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import { commentsOf, issueAt } from "../state/issues.ts";
import type { CommentRecord, IssueRecord, ReviewRecord } from "../state/records/issues.ts";
import type { RecordChange } from "../state/store.ts";

/** What happened to an issue or a pull request, and who is to be told. */
interface Notice {
  readonly issue: IssueRecord;
  readonly receivers: readonly number[];
  readonly commentId?: number;
}

/**
 * Makes notifications of what requests and background work change: for those who watch the repository, who take part, who
 * are mentioned, assigned or asked for a review, but not for the user who did it.
 */
export function watchForNotices(site: Site): void {
  site.store.watch(({ changes, actorId }) => {
    const notices = changes.flatMap((change) => noticesOf(site, change));
    const deleted = changes.filter(({ table, after }) => table === "issues" && after === undefined);
    if (notices.length + deleted.length === 0) return;
    const save = () => {
      for (const { before } of deleted) forget(site, before as IssueRecord);
      for (const notice of notices) notify(site, notice, actorId);
    };
    site.store.write(save).catch((error: unknown) => site.log(`notifications: ${error}`));
  });
}

function noticesOf(site: Site, { table, before, after }: RecordChange): Notice[] {
  if (table === "issues") return ofIssue(site, before as IssueRecord | undefined, after as IssueRecord | undefined);
  if (table === "comments") return before === undefined ? ofComment(site, after as CommentRecord) : [];
  if (table === "reviews") return ofReview(site, before as ReviewRecord | undefined, after as ReviewRecord | undefined);
  return [];
}

function ofIssue(site: Site, before: IssueRecord | undefined, after: IssueRecord | undefined): Notice[] {
  if (after === undefined) return [];
  if (before === undefined) {
    return [
      { issue: after, receivers: [...watchers(site, after), ...mentioned(site, after.body), ...after.assignees] },
    ];
  }
  const changed = before.state !== after.state || before.title !== after.title;
  const assigned = after.assignees.filter((id) => !before.assignees.includes(id));
  return [{ issue: after, receivers: changed ? everybody(site, after) : assigned }];
}

function ofComment(site: Site, { id, repoId, index, body }: CommentRecord): Notice[] {
  const issue = issueAt(site.store, repoId, index);
  if (issue === undefined) return [];
  return [{ issue, receivers: [...everybody(site, issue), ...mentioned(site, body)], commentId: id }];
}

function ofReview(site: Site, before: ReviewRecord | undefined, after: ReviewRecord | undefined): Notice[] {
  const issue = after && issueAt(site.store, after.repoId, after.index);
  if (issue === undefined || after === undefined || before?.state === after.state || after.state === "PENDING")
    return [];
  if (after.state !== "REQUEST_REVIEW") return [{ issue, receivers: everybody(site, issue) }];
  return [{ issue, receivers: after.userId === null ? [] : [after.userId] }];
}

function watchers({ store }: Site, { repoId }: IssueRecord): readonly number[] {
  return store.table("repos").get(repoId)?.watchers ?? [];
}

/** Those who watch the repository, and those who take part. */
function everybody(site: Site, issue: IssueRecord): number[] {
  const { repoId, index, posterId, assignees } = issue;
  const comments = commentsOf(site.store, repoId, index).map((comment) => comment.posterId);
  const reviewers = reviewsOf(site.store, repoId, index).flatMap(({ userId }) => userId ?? []);
  return [...watchers(site, issue), posterId, ...assignees, ...comments, ...reviewers];
}

function mentioned({ store }: Site, text: string): number[] {
  return [...text.matchAll(/(?<![\w/])@([\w.-]*\w)/g)].flatMap(([, name = ""]) => userNamed(store, name)?.id ?? []);
}

/** Makes the notification of each receiver who may read the issue, or marks the one that there is as unread. */
function notify(site: Site, { issue, receivers, commentId }: Notice, actorId: number | undefined): void {
  const { store } = site;
  const repo = store.table("repos").get(issue.repoId);
  for (const userId of new Set(receivers)) {
    const user = store.table("users").get(userId);
    if (repo === undefined || user === undefined || userId === actorId) continue;
    if (!accessTo(site, user, repo).atLeast("read", issue.pull === null ? "issues" : "pulls")) continue;
    const table = store.table("notifications");
    const known = table.find((one) => one.userId === userId && one.repoId === repo.id && one.index === issue.index);
    const fields = {
      userId,
      repoId: repo.id,
      index: issue.index,
      status: known?.status === "pinned" ? "pinned" : "unread",
      commentId: commentId ?? known?.commentId ?? null,
      updated_at: site.now(),
    } as const;
    if (known === undefined) table.add(fields);
    else table.put({ ...known, ...fields });
  }
}

function forget({ store }: Site, { repoId, index }: IssueRecord): void {
  store.table("notifications").remove((one) => one.repoId === repoId && one.index === index);
}
