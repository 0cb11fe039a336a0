import type { RepositoryContext, ServerContext } from "../../app/context.ts";
import { hasLabels, isSame, nameTests, resolveFilters, serverSorts, sorted } from "../../app/issues/filters.ts";
import { currentUser } from "../../app/shared.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Issue, issueList, issueSearch, namesQuery } from "../../forge/issues.ts";
import { filterByAll } from "../../forge/listings.ts";
import { call, type Operation } from "../../forge/operation.ts";
import { readsParameter } from "../../forge/server-has.ts";
import type { Http } from "../../http/client.ts";
import type { Listing } from "../../http/pages.ts";

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
  const { labels, milestone, author, assignee, mentions } = await resolveFilters(filters, context);
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
    created_by: author,
    assigned_by: assignee,
    mentioned_by: mentions,
  });
  // Names need not be unique, and titles can be numbers: the result is checked by id.
  const tests: ((issue: Issue) => boolean)[] = labels.length > 0 ? [hasLabels(labels)] : [];
  if (milestone !== undefined) tests.push((issue) => issue.milestone?.id === milestone.id);
  const checked = filterByAll(found, tests);
  return sort === undefined ? sorted(checked, filters.sort) : checked;
}

/** The issues of all visible repositories, or of those of an owner. The search has filters for the caller only. */
export async function searchIssues(filters: IssueFilters, context: ServerContext): Promise<Listing<Issue>> {
  const { http } = context;
  const { author, assignee, mentions, label, milestone } = filters;
  const me = [author, assignee, mentions].some((name) => name !== undefined) ? await currentUser(context) : "";
  const isMe = (name: string | undefined) => name === "@me" || isSame(name, me);
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
  const tests = [...nameTests({ label, milestone, author: writer, assignee: worker })];
  const checked = filterByAll(found, tests);
  return sort === undefined ? sorted(checked, filters.sort) : checked;
}

/** The order to ask the server for; undefined if it returns the newest first only, or for that order. */
async function serverSort(
  { sort = "newest" }: IssueFilters,
  operation: Pick<Operation, "method" | "path">,
  http: Http,
) {
  const word = serverSorts[sort];
  return word !== undefined && (await readsParameter(http, operation, "sort")) ? word : undefined;
}
