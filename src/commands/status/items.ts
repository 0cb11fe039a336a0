import pMap from "p-map";
import type { ServerContext } from "../../app/context.ts";
import { type CommitStatus, latestStatusList } from "../../forge/commits.ts";
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

/** The requests for one server, side by side: one promise for each kind, in the order in which they are shown. */
export function partsOf(context: ServerContext, limit: number): readonly Promise<Part>[] {
  const { http, server } = context;
  const from = { profile: server.profile ?? null, host: addressText(server.base) };

  async function search(kind: StatusItem["kind"], query: object): Promise<Part> {
    const listing = call(http, issueSearch, { type: undefined, state: "open", ...query });
    const { found, cut } = await upTo(limit, listing);
    return { items: found.map((issue) => itemOf(issue, kind, [], from)), cut };
  }

  async function failing(): Promise<Part> {
    const listing = call(http, issueSearch, { type: "pulls", state: "open", created: true });
    const { found, cut } = await upTo(limit, listing);
    const checked = await pMap(found, async (pull) => ({ pull, failed: await failedChecks(pull, context) }), {
      concurrency: 8,
    });
    const items = checked.flatMap(({ pull, failed }) => {
      const names = failed.map(({ context: name }) => name);
      return names.length === 0 ? [] : [itemOf(pull, "failing", names, from)];
    });
    return { items, cut };
  }

  async function news(): Promise<Part> {
    const listing = call(http, notificationList, { "status-types": ["unread"] });
    const { found, cut } = await upTo(limit, listing);
    return { items: found.map((one) => newsItem(one, from)), cut };
  }

  return [
    search("review_requested", { type: "pulls", review_requested: true }),
    search("assigned", { assigned: true }),
    failing(),
    news().catch(noneIfUnknown),
  ];
}

/** A server without the operation has none. */
function noneIfUnknown(error: unknown): Part {
  if (error instanceof UnknownOperationError) return { items: [], cut: false };
  throw error;
}

/** The first items of a list, and whether it has more. A total can include items that the caller cannot see. */
async function upTo<T>(limit: number, listing: Listing<T>): Promise<{ readonly found: T[]; readonly cut: boolean }> {
  const found = await collect(listing, limit);
  return { found, cut: found.length >= limit && (listing.total ?? 0) > found.length };
}

/** The failed checks of the head of a pull request. */
async function failedChecks({ repository, number }: Issue, { http }: ServerContext): Promise<CommitStatus[]> {
  const [owner, name] = repository?.full_name.split("/") ?? [];
  if (owner === undefined || name === undefined) return [];
  const repo = { owner, name };
  const pull = await http.ifReadable(call(http, pullGet, { repo, index: number }));
  if (pull === undefined) return [];
  const latest = await collect(call(http, latestStatusList, { repo, ref: pull.head.sha }));
  return latest.filter(({ status }) => status === "failure" || status === "error");
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
