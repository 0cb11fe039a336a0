import {
  issueLock,
  issuePin,
  issuePinMove,
  issuePinnedList,
  issueUnlock,
  issueUnpin,
  pinAllowedGet,
} from "../../forge/pins.ts";
import { empty, fail, json, listed, type Reply, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { issueJson } from "../serializers/issues.ts";
import { isPull, issuesOf, saveIssue } from "../state/issues.ts";
import type { IssueRecord } from "../state/records/issues.ts";
import { findIssue, hasAccess, issueNotFound, reading, writing } from "./issue-shared.ts";

const admin = { ...writing, right: "admin" } as const;
/** How many issues, and how many pull requests, of a repository can be pinned. */
const maxPins = 3;

/** Locks and pins of issues and pull requests. */
export const issuePins: Area = {
  routes: [
    route(issueLock, admin, (call) => withLock(call, true)),
    route(issueUnlock, admin, (call) => withLock(call, false)),
    route(issuePinnedList, reading, (call) => listed(call, pinned(call, false), issueJson)),
    route(pinAllowedGet, reading, (call) =>
      json(200, {
        issues: pinned(call, false).length < maxPins,
        pull_requests: pinned(call, true).length < maxPins,
      }),
    ),
    route(issuePin, admin, pin),
    route(issueUnpin, admin, unpin),
    route(issuePinMove, admin, move),
  ],
};

function withLock(call: Call<typeof admin>, is_locked: boolean): Reply {
  const issue = findIssue(call, issueNotFound(call));
  if (!hasAccess(call, issue, "write")) refuse(403, `no permission to ${is_locked ? "lock" : "unlock"} this issue`);
  saveIssue(call.site.store, { ...issue, is_locked });
  return empty(204);
}

/** The pinned issues or pull requests, in their order. */
function pinned({ site, repo }: Call<typeof reading>, pulls: boolean): IssueRecord[] {
  return issuesOf(site.store, repo.id)
    .filter((issue) => isPull(issue) === pulls && (issue.pin_order ?? 0) > 0)
    .sort((first, second) => (first.pin_order ?? 0) - (second.pin_order ?? 0));
}

/** Pins at the end; 500 when the maximum is reached, also for a pinned one. */
function pin(call: Call<typeof admin>): Reply {
  const issue = findIssue(call);
  const all = pinned(call, isPull(issue));
  if (all.length >= maxPins) fail("the max number of pinned issues has been readched");
  if ((issue.pin_order ?? 0) > 0) fail("issue is already pinned");
  saveIssue(call.site.store, { ...issue, pin_order: (all.at(-1)?.pin_order ?? 0) + 1 });
  return empty(204);
}

function unpin(call: Call<typeof admin>): Reply {
  const issue = findIssue(call);
  const at = issue.pin_order ?? 0;
  if (at === 0) return empty(204);
  saveIssue(call.site.store, { ...issue, pin_order: 0 });
  for (const other of pinned(call, isPull(issue))) {
    const order = other.pin_order ?? 0;
    if (order > at) saveIssue(call.site.store, { ...other, pin_order: order - 1 });
  }
  return empty(204);
}

/** Moves a pinned issue; those between the old and the new position close up. */
function move(call: Call<typeof admin>): Reply {
  const issue = findIssue(call);
  const [from, to] = [issue.pin_order ?? 0, call.number("position")];
  if (to < 1) fail("The Position can't be lower than 1");
  if (from === 0) fail("the issue is not pinned");
  for (const other of pinned(call, isPull(issue))) {
    const at = other.pin_order ?? 0;
    const step = at > from && at <= to ? -1 : at < from && at >= to ? 1 : 0;
    if (step !== 0) saveIssue(call.site.store, { ...other, pin_order: at + step });
  }
  saveIssue(call.site.store, { ...issue, pin_order: to });
  return empty(204);
}
