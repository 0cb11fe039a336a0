import type { ServerContext } from "../../app/context.ts";
import { currentUser } from "../../app/shared.ts";
import { UsageError } from "../../failure/failure.ts";
import { issuesApi } from "../../forge/issues.ts";
import { filterListing } from "../../forge/listings.ts";
import { type PullRequest, pullsApi } from "../../forge/pulls.ts";
import type { Listing } from "../../http/pages.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { inOrder } from "../../system/concurrency.ts";
import { localFilters, type PullFilters } from "./list-filters.ts";

/** How many search results are fetched at the same time. */
const concurrency = 8;

/**
 * The pull requests of every repository that the caller can see, newest first: the search finds them, and each is fetched.
 * Filters are tested here, because the search ignores unknown names (docs/server-differences.md, "Issues").
 */
export async function searchPulls(filters: PullFilters, context: ServerContext): Promise<Listing<PullRequest>> {
  const { http } = context;
  if (filters.sort !== undefined && filters.sort !== "newest") {
    throw new UsageError("--sort cannot be used with --all-repos or --everywhere", "They list the newest first.");
  }
  const named = [filters.author, filters.assignee];
  const me = named.includes("@me") ? await currentUser(context) : "";
  const [author, assignee] = named.map((name) => (name === "@me" ? me : name));
  const state = filters.state === "merged" ? "closed" : filters.state;
  const found = issuesApi(http).search({
    ...{ type: "pulls", state, q: filters.search },
    created: filters.author === "@me" || undefined,
    assigned: filters.assignee === "@me" || undefined,
  });
  const predicates = [...localFilters(filters)];
  if (author !== undefined) predicates.push(({ user }) => same(user?.login, author));
  if (assignee !== undefined) {
    predicates.push(({ assignees }) => (assignees ?? []).some(({ login }) => same(login, assignee)));
  }
  for (const name of filters.label) predicates.push(({ labels }) => (labels ?? []).some((one) => same(one.name, name)));
  const { milestone } = filters;
  if (milestone !== undefined) predicates.push((pull) => same(pull.milestone?.title, milestone));

  const pulls: Listing<PullRequest> = {
    take: (limit) =>
      inOrder(found.take(limit), concurrency, ({ repository, number }) =>
        pullsApi(http).get(parseRepo(repository?.full_name ?? ""), number),
      ),
    get total() {
      return found.total;
    },
  };
  return predicates.length === 0 ? pulls : filterListing(pulls, (pull) => predicates.every((fits) => fits(pull)));
}

function same(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
