import { sortListing } from "../../forge/listings.ts";
import type { Listing } from "../../http/pages.ts";
import { isUnset, present } from "../../shape/shape.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import type { RepositoryContext } from "../context.ts";
import { currentUser } from "../shared.ts";

/** The orders of lists of issues and pull requests, as servers call them; the newest first is that of every list. */
export const serverSorts = {
  newest: undefined,
  oldest: "oldest",
  updated: "recentupdate",
  "least-updated": "leastupdate",
  comments: "mostcomment",
  priority: "priority",
} as const;

/** What filters and orders read of an issue or a pull request. */
interface Item {
  readonly user?: { readonly login: string } | null | undefined;
  readonly assignees?: readonly ({ readonly login: string } | null)[] | null | undefined;
  readonly labels?: readonly ({ readonly id: number; readonly name: string } | null)[] | null | undefined;
  readonly milestone?: { readonly id: number; readonly title?: string | undefined } | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly comments?: number | null | undefined;
}

const comparisons: Readonly<Record<string, (one: Item, other: Item) => number>> = {
  oldest: (one, other) => time(one.created_at) - time(other.created_at),
  updated: (one, other) => time(other.updated_at) - time(one.updated_at),
  "least-updated": (one, other) => time(one.updated_at) - time(other.updated_at),
  comments: (one, other) => (other.comments ?? 0) - (one.comments ?? 0),
};

function time(text: string | null | undefined): number {
  return isUnset(text) ? 0 : Date.parse(text ?? "");
}

/** A list in another order than the newest first, which is the only one of many servers: reads all of it. */
export function sorted<T extends Item>(listing: Listing<T>, sort: keyof typeof serverSorts = "newest"): Listing<T> {
  const compare = comparisons[sort];
  return compare === undefined ? listing : sortListing(listing, compare);
}

/** The filters by names. */
interface NameFilters {
  readonly label: readonly string[];
  readonly milestone: string | undefined;
  readonly author: string | undefined;
  readonly assignee: string | undefined;
  readonly mentions?: string | undefined;
}

/** What filters name in a repository, looked up because servers ignore unknown labels and milestones. */
export async function resolveFilters(filters: NameFilters, context: RepositoryContext) {
  const { label, milestone, author, assignee, mentions } = filters;
  const people = [author, assignee, mentions];
  if (label.length === 0 && [milestone, ...people].every((name) => name === undefined)) return { labels: [] };
  const { resolveLabels, resolveMilestone, resolveUsers } = await import("../../forge/names.ts");
  const { http, repo } = context;
  const [labels, found, ...logins] = await allSettledOrThrow([
    resolveLabels(http, repo, label),
    milestone === undefined ? undefined : resolveMilestone(http, repo, milestone),
    ...people.map((name) => name && resolveUsers(http, repo, [name], () => currentUser(context))),
  ] as const);
  const [by, to, of] = logins.map((one) => one?.[0]);
  return { labels, milestone: found, author: by, assignee: to, mentions: of };
}

/** Tests by names, for what a search finds in several repositories: it ignores unknown names, and some servers the author. */
export function* nameTests({ label, milestone, author, assignee }: NameFilters): Generator<(item: Item) => boolean> {
  if (author !== undefined) yield ({ user }) => isSame(user?.login, author);
  if (assignee !== undefined) yield ({ assignees }) => present(assignees).some(({ login }) => isSame(login, assignee));
  for (const name of label) yield ({ labels }) => present(labels).some((one) => isSame(one.name, name));
  if (milestone !== undefined) yield (item) => isSame(item.milestone?.title, milestone);
}

/** Tests that an item has labels. */
export function hasLabels(labels: readonly { readonly id: number }[]) {
  return (item: Item) => labels.every(({ id }) => present(item.labels).some((one) => one.id === id));
}

/** Whether a name is another, in any case. */
export function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
