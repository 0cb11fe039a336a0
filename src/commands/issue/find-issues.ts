import type { RepositoryContext, ServerContext } from "../../app/context.ts";
import { currentUser } from "../../app/shared.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Issue, issueList, issueSearch, namesQuery } from "../../forge/issues.ts";
import { filterListing, sortListing } from "../../forge/listings.ts";
import { resolveLabels, resolveMilestone, resolveUsers } from "../../forge/names.ts";
import { call, type Operation } from "../../forge/operation.ts";
import { readsParameter } from "../../forge/reads-parameter.ts";
import type { Http } from "../../http/client.ts";
import type { Listing } from "../../http/pages.ts";
import { isUnset, present } from "../../shape/shape.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";

/** The filters and the sort order of `issue list`. */
export interface IssueFilters {
  readonly state: "open" | "closed" | "all";
  readonly label: readonly string[];
  readonly milestone: string | undefined;
  readonly author: string | undefined;
  readonly assignee: string | undefined;
  readonly mentions: string | undefined;
  readonly search: string | undefined;
  readonly since: string | undefined;
  readonly sort: "newest" | "oldest" | "updated" | "least-updated" | "comments" | undefined;
  readonly owner: string | undefined;
}

/**
 * The issues of a repository. Names are looked up first, because the servers ignore unknown labels and milestones. One
 * request without filters by name.
 */
export async function listIssues(filters: IssueFilters, context: RepositoryContext): Promise<Listing<Issue>> {
  const { http, repo } = context;
  const login = (name: string | undefined) =>
    name === undefined ? undefined : resolveUsers(http, repo, [name], () => currentUser(context));
  const [labels, milestone, author, assignee, mentions] = await allSettledOrThrow([
    resolveLabels(http, repo, filters.label),
    filters.milestone === undefined ? undefined : resolveMilestone(http, repo, filters.milestone),
    login(filters.author),
    login(filters.assignee),
    login(filters.mentions),
  ]);
  const title = milestone?.title ?? "";
  const sort = await serverSort(filters, issueList, http);
  const found = call(http, issueList, {
    repo,
    sort,
    type: "issues",
    state: filters.state,
    q: filters.search,
    since: filters.since,
    labels: namesQuery(labels.map(({ name }) => name)),
    milestones: milestone === undefined ? undefined : title === "" || title.includes(",") ? `${milestone.id}` : title,
    created_by: author?.[0],
    assigned_by: assignee?.[0],
    mentioned_by: mentions?.[0],
  });
  // Names need not be unique, and titles can be numbers: the result is checked by id.
  const fits = (issue: Issue) =>
    labels.every(({ id }) => present(issue.labels).some((label) => label.id === id)) &&
    (milestone === undefined || issue.milestone?.id === milestone.id);
  const checked = labels.length > 0 || milestone !== undefined ? filterListing(found, fits) : found;
  return sort === undefined ? sorted(checked, filters) : checked;
}

/** The issues of all visible repositories, or of those of an owner. The search has filters for the caller only. */
export async function searchIssues(filters: IssueFilters, context: ServerContext): Promise<Listing<Issue>> {
  const { http } = context;
  const { author, assignee, mentions, label, milestone } = filters;
  const me = [author, assignee, mentions].some((name) => name !== undefined) ? await currentUser(context) : "";
  const isMe = (name: string | undefined) => name === "@me" || name?.toLowerCase() === me.toLowerCase();
  if (mentions !== undefined && !isMe(mentions)) {
    throw new UsageError("--mentions takes only @me with --owner or --all-repos", "Select one repository with -R.");
  }
  const [writer, worker] = [author, assignee].map((name) => (isMe(name) ? me : name));
  const sort = await serverSort(filters, issueSearch, http);
  const found = call(http, issueSearch, {
    sort,
    type: "issues",
    state: filters.state,
    q: filters.search,
    since: filters.since,
    owner: filters.owner,
    labels: namesQuery(label),
    milestones: milestone?.includes(",") ? undefined : milestone,
    created: isMe(author) || undefined,
    created_by: author === undefined || isMe(author) ? undefined : author,
    assigned: isMe(assignee) || undefined,
    mentioned: mentions === undefined ? undefined : true,
  });
  // The servers ignore unknown labels and milestones, and Forgejo the author (docs/server-differences.md, "Issues").
  const fits = (issue: Issue) =>
    label.every((name) => present(issue.labels).some((one) => same(one.name, name))) &&
    (milestone === undefined || same(issue.milestone?.title, milestone)) &&
    (writer === undefined || same(issue.user?.login, writer)) &&
    (worker === undefined || present(issue.assignees).some(({ login }) => same(login, worker)));
  const isChecked = label.length > 0 || [milestone, writer, worker].some((value) => value !== undefined);
  const checked = isChecked ? filterListing(found, fits) : found;
  return sort === undefined ? sorted(checked, filters) : checked;
}

function same(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

/** What servers call the orders. */
const serverSorts = {
  newest: undefined,
  oldest: "oldest",
  updated: "recentupdate",
  "least-updated": "leastupdate",
  comments: "mostcomment",
} as const;

/** The order to ask the server for; undefined if it returns the newest first only, or for that order. */
async function serverSort(
  { sort = "newest" }: IssueFilters,
  operation: Pick<Operation, "method" | "path">,
  http: Http,
) {
  const word = serverSorts[sort];
  return word !== undefined && (await readsParameter(http, operation, "sort")) ? word : undefined;
}

/** All issues in another order than the newest first, which is the only one of many servers. */
function sorted(listing: Listing<Issue>, { sort }: IssueFilters): Listing<Issue> {
  const compare = comparisons[sort ?? "newest"];
  return compare === undefined ? listing : sortListing(listing, compare);
}

const comparisons: Readonly<Record<string, (one: Issue, other: Issue) => number>> = {
  oldest: (one, other) => time(one.created_at) - time(other.created_at),
  updated: (one, other) => time(other.updated_at) - time(one.updated_at),
  "least-updated": (one, other) => time(one.updated_at) - time(other.updated_at),
  comments: (one, other) => (other.comments ?? 0) - (one.comments ?? 0),
};

function time(text: string | null | undefined): number {
  return isUnset(text) ? 0 : Date.parse(text ?? "");
}
