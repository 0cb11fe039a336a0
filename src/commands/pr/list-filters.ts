import { names, text, yesNo } from "../../command/flags.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import type { Http } from "../../http/client.ts";
import type { Listing } from "../../http/pages.ts";
import { inOrder } from "../../system/concurrency.ts";
import { isFromBranch } from "./find.ts";
import { isDraft } from "./pull.ts";

/** The states of `pr list`. */
export const pullStates = ["open", "closed", "merged", "all"] as const;

/** The flags that filter pull requests, besides their state, base branch and milestone, which can also be edited. */
export const pullFilterFlags = {
  head: text("filter by head branch", { short: "H", placeholder: "[OWNER:]BRANCH", source: "branch", filters: true }),
  author: text("filter by author", { short: "A", placeholder: "USER", source: "user", filters: true }),
  assignee: text("filter by assignee", { short: "a", placeholder: "USER", source: "user", filters: true }),
  label: names("filter by labels", { short: "l", placeholder: "LABEL", source: "label", filters: true }),
  draft: yesNo("show only drafts, or no drafts", { filters: true }),
  search: text("search for words in title, body and comments", { short: "S", filters: true }),
};

/** The options of the flags for the base branch and the milestone. */
export const baseOptions = { placeholder: "BRANCH", source: "branch", filters: true } as const;
export const milestoneOptions = { placeholder: "TITLE", source: "milestone", filters: true } as const;

/** The filters and sort order of `pr list`. */
export interface PullFilters {
  readonly state: (typeof pullStates)[number];
  readonly base: string | undefined;
  readonly head: string | undefined;
  readonly author: string | undefined;
  readonly assignee: string | undefined;
  readonly label: readonly string[];
  readonly milestone: string | undefined;
  readonly draft: boolean | undefined;
  readonly search: string | undefined;
  readonly sort: "newest" | "oldest" | "updated" | "least-updated" | "comments" | "priority" | undefined;
}

/** A test of a pull request. */
export type Predicate = (pull: PullRequest) => boolean;

/** The filters that the servers do not have, or not all of them. */
export function* localFilters({ state, base, head, draft }: PullFilters): Generator<Predicate> {
  if (state === "merged") yield (pull) => pull.merged;
  // Forgejo ignores base_branch (docs/server-differences.md, "Pull requests: listing").
  if (base !== undefined) yield (pull) => pull.base?.ref === base || pull.base?.label === base;
  if (draft !== undefined) yield (pull) => isDraft(pull) === draft;
  const from = headOf({ head });
  if (from !== undefined) yield (pull) => isFromBranch(pull, from);
}

/** The head branch of `[OWNER:]BRANCH`. */
export function headOf({ head }: Pick<PullFilters, "head">) {
  if (head === undefined) return undefined;
  const [, owner, branch = head] = /^([^:/]+):(.+)$/.exec(head) ?? [];
  return { branch, owner };
}

/** How many search results are fetched at the same time. */
const concurrency = 8;

/** The pull requests of search results, fetched one by one, in the same order. */
export function fetchPulls<T>(
  http: Http,
  found: Listing<T>,
  get: (one: T) => Promise<PullRequest>,
): Listing<PullRequest> {
  return {
    async *take(limit) {
      for await (const pull of inOrder(found.take(limit), concurrency, (one) => http.ifReadable(get(one)))) {
        if (pull !== undefined) yield pull;
      }
    },
    get total() {
      return found.total;
    },
  };
}
