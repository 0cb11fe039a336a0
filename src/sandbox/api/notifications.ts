import {
  notificationGet,
  notificationList,
  notificationMark,
  notificationMarkAll,
  repoNotificationList,
  repoNotificationMarkAll,
} from "../../forge/notifications.ts";
import { listReply } from "../http/paging.ts";
import { json, notFound, type Reply, refuse } from "../http/reply.ts";
import { type Area, type Call, pathOf, route } from "../http/route.ts";
import { inPeriod, queryTime, timestamp } from "../http/time.ts";
import { watchForNotices } from "../notify/watch.ts";
import { recordOf } from "../release.ts";
import { repoJson } from "../serializers/repos.ts";
import { issueAt } from "../state/issues.ts";
import { descending } from "../state/order.ts";
import type { NotificationRecord } from "../state/records/issues.ts";

const mine = { signedIn: true } as const;
const ofRepo = { repo: "any", signedIn: true } as const;

/** Notifications about issues and pull requests. */
export const notifications: Area = {
  routes: [
    route(notificationList, mine, (call) => list(call)),
    route(notificationMarkAll, mine, (call) => markAll(call)),
    route(notificationGet, mine, (call) => json(200, serialize(call, find(call)))),
    route(notificationMark, mine, (call) => {
      const status = statusOf(call.query.get("to-status")) ?? "read";
      return json(205, serialize(call, save(call, { ...find(call), status })));
    }),
    route(repoNotificationList, ofRepo, (call) => list(call, call.repo.id)),
    route(repoNotificationMarkAll, ofRepo, (call) => markAll(call, call.repo.id)),
  ],
  started: watchForNotices,
};

type Mine = Call<typeof mine>;

function statusOf(word: string | null): NotificationRecord["status"] | undefined {
  return (["unread", "read", "pinned"] as const).find((status) => status === word);
}

/** The caller's notifications, of all repositories or of one, newest first. */
function own({ site, currentUser }: Mine, repoId?: number): NotificationRecord[] {
  return site
    .table("notifications")
    .filter((one) => one.userId === currentUser.id && (repoId === undefined || one.repoId === repoId))
    .sort(
      descending(
        ({ updated_at }) => Date.parse(updated_at),
        ({ id }) => id,
      ),
    );
}

/** The filters of lists: `status-types` (default: unread and pinned), `subject-type`, `since` and `before`. */
function list(call: Mine, repoId?: number): Promise<Reply> {
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
function markAll(call: Mine, repoId?: number): Reply {
  const until = queryTime(call.query, "last_read_at", 400) ?? Number.POSITIVE_INFINITY;
  const found = own(call, repoId).filter((one) => one.status === "unread" && Date.parse(one.updated_at) <= until);
  return json(
    205,
    found.map((one) => serialize(call, save(call, { ...one, status: "read" }))),
  );
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
  const repo = store.table("repos").get(repoId);
  const issue = issueAt(store, repoId, index);
  if (repo === undefined || issue === undefined) throw new Error(`the subject of notification ${id} was deleted`);
  const { api, web } = pathOf(call, repo);
  const kind = issue.pull === null ? "issues" : "pulls";
  const page = `${web}/${kind}/${index}`;
  const { permissions: _none, ...repository } = repoJson({ ...call, currentUser: undefined }, repo);
  const comment = commentId === null ? undefined : store.table("comments").get(commentId);
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
