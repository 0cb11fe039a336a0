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
  readonly receivers: readonly (number | null)[];
  readonly commentId?: number;
}

/**
 * Makes notifications of what requests and background work change: for those who watch the repository, who take part, who
 * are mentioned, assigned or asked for a review, but not for the user who did it.
 */
export function watchForNotices(site: Site): void {
  site.store.watch(({ changes, actorId }) => {
    const notices = changes.flatMap((change) => noticeOf(site, change) ?? []);
    const deleted = changes.flatMap(({ table, before, after }) =>
      table === "issues" && after === undefined ? [before as IssueRecord] : [],
    );
    if (notices.length + deleted.length === 0) return;
    const isOf = (one: { readonly repoId: number; readonly index: number }) =>
      deleted.some(({ repoId, index }) => one.repoId === repoId && one.index === index);
    const save = () => {
      site.table("notifications").remove(isOf);
      for (const notice of notices) notify(site, notice, actorId);
    };
    site.store.write(save).catch((error: unknown) => site.log(`notifications: ${error}`));
  });
}

function noticeOf(site: Site, { table, before, after }: RecordChange): Notice | undefined {
  if (after === undefined) return undefined;
  if (table === "issues") return ofIssue(site, before as IssueRecord | undefined, after as IssueRecord);
  const { repoId, index } = after as CommentRecord | ReviewRecord;
  const issue = table === "comments" || table === "reviews" ? issueAt(site.store, repoId, index) : undefined;
  if (issue === undefined) return undefined;
  if (table === "comments") {
    const { id: commentId, body } = after as CommentRecord;
    const receivers = [...everybody(site, issue), ...mentioned(site, body)];
    return before === undefined ? { issue, receivers, commentId } : undefined;
  }
  const { state, userId } = after as ReviewRecord;
  if ((before as ReviewRecord | undefined)?.state === state || state === "PENDING") return undefined;
  return { issue, receivers: state === "REQUEST_REVIEW" ? [userId] : everybody(site, issue) };
}

function ofIssue(site: Site, before: IssueRecord | undefined, issue: IssueRecord): Notice {
  if (before === undefined) return { issue, receivers: [...everybody(site, issue), ...mentioned(site, issue.body)] };
  const isChanged = before.state !== issue.state || before.title !== issue.title;
  const assigned = issue.assignees.filter((id) => !before.assignees.includes(id));
  return { issue, receivers: isChanged ? everybody(site, issue) : assigned };
}

/** Those who watch the repository, and those who take part. */
function everybody({ store }: Site, { repoId, index, posterId, assignees }: IssueRecord): (number | null)[] {
  const watchers = store.table("repos").get(repoId)?.watchers ?? [];
  const comments = commentsOf(store, repoId, index).map((comment) => comment.posterId);
  const reviewers = reviewsOf(store, repoId, index).map(({ userId }) => userId);
  return [...watchers, posterId, ...assignees, ...comments, ...reviewers];
}

function mentioned({ store }: Site, text: string): number[] {
  return [...text.matchAll(/(?<![\w/])@([\w.-]*\w)/g)].flatMap(([, name = ""]) => userNamed(store, name)?.id ?? []);
}

/** Makes the notification of each receiver who may read the issue, or marks the one that there is as unread. */
function notify(site: Site, { issue, receivers, commentId }: Notice, actorId: number | undefined): void {
  const { repoId, index } = issue;
  const repo = site.table("repos").get(repoId);
  const table = site.table("notifications");
  for (const userId of new Set(receivers)) {
    const user = site.table("users").get(userId ?? 0);
    if (repo === undefined || user === undefined || user.id === actorId) continue;
    if (!accessTo(site, user, repo).atLeast("read", issue.pull === null ? "issues" : "pulls")) continue;
    const known = table.find((one) => one.userId === user.id && one.repoId === repoId && one.index === index);
    const status = known?.status === "pinned" ? "pinned" : "unread";
    const about = { userId: user.id, repoId, index, commentId: commentId ?? known?.commentId ?? null };
    const fields = { ...about, status, updated_at: site.now() } as const;
    if (known === undefined) table.add(fields);
    else table.put({ ...known, ...fields });
  }
}
