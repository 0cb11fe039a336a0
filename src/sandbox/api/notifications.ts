import {
  notificationGet,
  notificationList,
  notificationMark,
  notificationMarkAll,
  repoNotificationList,
  repoNotificationMarkAll,
} from "../../forge/notifications.ts";
import { accessTo } from "../http/access.ts";
import { listReply } from "../http/paging.ts";
import { json, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, pathOf, route } from "../http/route.ts";
import { inPeriod, queryTime, timestamp } from "../http/time.ts";
import { reviewsOf } from "../pulls/reviews.ts";
import { recordOf } from "../release.ts";
import { repoJson } from "../serializers/repos.ts";
import type { Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import { commentsOf, issueAt } from "../state/issues.ts";
import { descending } from "../state/order.ts";
import type { CommentRecord, IssueRecord, NotificationRecord, ReviewRecord } from "../state/records/issues.ts";
import type { RecordChange } from "../state/store.ts";

const mine = { signedIn: true } as const;
const ofRepo = { repo: "any", signedIn: true } as const;

/** Notifications about issues and pull requests. */
export const notifications: Area = [
  route(notificationList, mine, (call) => list(call)),
  route(notificationMarkAll, mine, (call) => markAll(call)),
  route(notificationGet, mine, (call) => serialize(call, find(call))),
  route(notificationMark, mine, (call) => {
    const status = statusOf(call.query.get("to-status")) ?? "read";
    return json(205, serialize(call, save(call, { ...find(call), status })));
  }),
  route(repoNotificationList, ofRepo, (call) => list(call, call.repo.id)),
  route(repoNotificationMarkAll, ofRepo, (call) => markAll(call, call.repo.id)),
];

type Mine = Call<typeof mine>;

function statusOf(word: string | null): NotificationRecord["status"] | undefined {
  return (["unread", "read", "pinned"] as const).find((status) => status === word);
}

/** The caller's notifications, of all repositories or of one, newest first. */
function own({ site, currentUser }: Mine, repoId?: number): NotificationRecord[] {
  return site
    .table("notifications")
    .filter((one) => one.userId === currentUser.id && (repoId === undefined || one.repoId === repoId))
    .sort(descending(({ updated_at }) => Date.parse(updated_at), "id"));
}

/** The filters of lists: `status-types` (default: unread and pinned), `subject-type`, `since` and `before`. */
function list(call: Mine, repoId?: number) {
  const { query, site } = call;
  const asked = query.getAll("status-types").flatMap((word) => statusOf(word) ?? []);
  const states = asked.length > 0 ? asked : ["unread", "pinned"];
  const types = query.getAll("subject-type").filter((word) => ["issue", "pull", "commit", "repository"].includes(word));
  const isPull = ({ repoId: of, index }: NotificationRecord) => issueAt(site.store, of, index)?.pull != null;
  const isInPeriod = inPeriod(query);
  const found = own(call, repoId).filter(
    (one) =>
      states.includes(one.status) &&
      (types.length === 0 || types.includes(isPull(one) ? "pull" : "issue")) &&
      isInPeriod(one.updated_at),
  );
  return listReply(call, found, serialize);
}

/** Marks the unread notifications as read, up to `last_read_at`; answers with those that changed. */
function markAll(call: Mine, repoId?: number) {
  const until = queryTime(call.query, "last_read_at", 400) ?? Number.POSITIVE_INFINITY;
  const found = own(call, repoId).filter((one) => one.status === "unread" && Date.parse(one.updated_at) <= until);
  const read = found.map((one) => serialize(call, save(call, { ...one, status: "read" })));
  return json(205, read);
}

function find({ site, currentUser, number }: Mine): NotificationRecord {
  const id = number("id");
  const found = site.table("notifications").get(id);
  if (found === undefined) return notFound(`notification does not exist [id: ${id}]`);
  if (found.userId === currentUser.id || currentUser.is_admin) return found;
  return refuse(403, `only user itself and admin are allowed to read/change this thread ${id}`);
}

function save({ site }: Mine, record: NotificationRecord): NotificationRecord {
  return site.table("notifications").put({ ...record, updated_at: timestamp(site.clock()) });
}

/** `NotificationThread`. */
function serialize(call: Mine, { id, repoId, index, status, commentId, updated_at }: NotificationRecord) {
  const { store, root } = call.site;
  const repo = store.table("repos").must(repoId);
  const issue = store.table("issues").must(`${repoId}/${index}`);
  const { api, web } = pathOf(call, repo);
  const kind = issue.pull === null ? "issues" : "pulls";
  const page = `${web}/${kind}/${index}`;
  const { permissions: _none, ...repository } = repoJson({ ...call, currentUser: undefined }, repo);
  const comment = store.table("comments").get(commentId);
  return recordOf(call.site, "NotificationThread", {
    id,
    repository,
    subject: {
      title: issue.title,
      url: `${api}/issues/${index}`,
      latest_comment_url: comment === undefined ? "" : `${api}/issues/comments/${comment.id}`,
      html_url: page,
      latest_comment_html_url: comment === undefined ? "" : `${page}#issuecomment-${comment.id}`,
      type: issue.pull === null ? "Issue" : "Pull",
      state: issue.pull?.merged ? "merged" : issue.state,
    },
    unread: status === "unread",
    pinned: status === "pinned",
    updated_at,
    url: `${root}/api/v1/notifications/threads/${id}`,
  });
}

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
