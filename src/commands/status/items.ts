import pMap from "p-map";
import type { ServerContext } from "../../app/context.ts";
import { latestStatusList } from "../../forge/commits.ts";
import { type Issue, issueSearch } from "../../forge/issues.ts";
import { collect } from "../../forge/listings.ts";
import { type Notification, notificationList } from "../../forge/notifications.ts";
import { call } from "../../forge/operation.ts";
import { pullGet } from "../../forge/pulls.ts";
import { UnknownOperationError } from "../../http/errors.ts";
import type { Listing } from "../../http/pages.ts";
import { addressText } from "../../profiles/server.ts";
import { anything, type Infer, integer, list, nullable, record, string, time, words } from "../../shape/shape.ts";

/** Something that waits for the user on a server. */
export const statusItem = record({
  kind: words("review_requested", "assigned", "failing", "notification"),
  profile: nullable(string),
  host: string,
  repository: nullable(string),
  number: nullable(integer),
  title: string,
  html_url: nullable(string),
  updated_at: nullable(time),
  /** The contexts of the failed checks of a pull request. */
  checks: list(string),
  /** The issue, pull request or notification as the server returned it. */
  record: anything,
});

export type StatusItem = Infer<typeof statusItem>;

/** The items of one kind. */
export interface Part {
  readonly items: readonly StatusItem[];
  /** Whether the server has more that were not looked at, because of the limit. */
  readonly cut: boolean;
}

type Items = StatusItem | readonly StatusItem[];

/** The requests for one server, side by side: one promise for each kind, in the order in which they are shown. */
export function partsOf(context: ServerContext, limit: number): readonly Promise<Part>[] {
  const { http, server } = context;
  const from = { profile: server.profile ?? null, host: addressText(server.base) };

  /** The first items of a list, and whether it has more. A total can include items that the caller cannot see. */
  async function part<T>(listing: Listing<T>, itemsOf: (one: T) => Items | Promise<Items>): Promise<Part> {
    const found = await collect(listing, limit);
    const items = await pMap(found, itemsOf, { concurrency: 8 });
    return { items: items.flat(), cut: found.length >= limit && (listing.total ?? 0) > found.length };
  }
  const search = (query: object) => call(http, issueSearch, { type: undefined, state: "open", ...query });

  return [
    part(search({ type: "pulls", review_requested: true }), (pull) => itemOf(pull, "review_requested", [], from)),
    part(search({ assigned: true }), (issue) => itemOf(issue, "assigned", [], from)),
    part(search({ type: "pulls", created: true }), async (pull) => {
      const failed = await failedChecks(pull, context);
      return failed.length === 0 ? [] : itemOf(pull, "failing", failed, from);
    }),
    part(call(http, notificationList, { "status-types": ["unread"] }), (one) => newsItem(one, from)).catch(
      noneIfUnknown,
    ),
  ];
}

/** A server without the operation has none. */
function noneIfUnknown(error: unknown): Part {
  if (error instanceof UnknownOperationError) return { items: [], cut: false };
  throw error;
}

/** The names of the failed checks of the head of a pull request. */
async function failedChecks({ repository, number }: Issue, { http }: ServerContext): Promise<string[]> {
  const [owner, name] = repository?.full_name.split("/") ?? [];
  if (owner === undefined || name === undefined) return [];
  const repo = { owner, name };
  const pull = await http.ifReadable(call(http, pullGet, { repo, index: number }));
  if (pull === undefined) return [];
  const latest = await collect(call(http, latestStatusList, { repo, ref: pull.head.sha }));
  const failed = latest.filter(({ status }) => status === "failure" || status === "error");
  return failed.map(({ context }) => context);
}

type From = Pick<StatusItem, "profile" | "host">;

function itemOf(issue: Issue, kind: StatusItem["kind"], checks: readonly string[], from: From): StatusItem {
  const { repository, number, title, html_url, updated_at } = issue;
  return {
    kind,
    ...from,
    repository: repository?.full_name ?? null,
    number,
    title,
    html_url: html_url ?? null,
    updated_at: updated_at ?? null,
    checks,
    record: issue,
  };
}

function newsItem(one: Notification, from: From): StatusItem {
  const page = one.subject?.html_url ?? "";
  const number = /\/(?:issues|pulls)\/(\d+)$/.exec(page)?.[1];
  return {
    kind: "notification",
    ...from,
    repository: one.repository?.full_name ?? null,
    number: number === undefined ? null : Number(number),
    title: one.subject?.title ?? "",
    html_url: page === "" ? null : page,
    updated_at: one.updated_at ?? null,
    checks: [],
    record: one,
  };
}
