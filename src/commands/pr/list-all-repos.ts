import type { ServerContext } from "../../app/context.ts";
import { currentUser } from "../../app/shared.ts";
import { UsageError } from "../../failure/failure.ts";
import { issueSearch } from "../../forge/issues.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullGet } from "../../forge/pulls.ts";
import type { Listing } from "../../http/pages.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { present } from "../../shape/shape.ts";
import { applyFilters, fetchPulls, localFilters, type PullFilters } from "./list-filters.ts";

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
  const found = call(http, issueSearch, {
    type: "pulls",
    state,
    q: filters.search,
    created: filters.author === "@me" || undefined,
    assigned: filters.assignee === "@me" || undefined,
  });
  const predicates = [...localFilters(filters)];
  if (author !== undefined) predicates.push(({ user }) => same(user?.login, author));
  if (assignee !== undefined) {
    predicates.push(({ assignees }) => present(assignees).some(({ login }) => same(login, assignee)));
  }
  for (const name of filters.label)
    predicates.push(({ labels }) => present(labels).some((one) => same(one.name, name)));
  const { milestone } = filters;
  if (milestone !== undefined) predicates.push((pull) => same(pull.milestone?.title, milestone));

  const pulls = fetchPulls(http, found, ({ repository, number }) =>
    call(http, pullGet, { repo: parseRepo(repository?.full_name ?? ""), index: number }),
  );
  return applyFilters(pulls, predicates);
}

function same(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
