import type { PullRequest } from "../../forge/pulls.ts";
import { isFromBranch } from "./find.ts";
import { isDraft } from "./shared.ts";

/** The filters and sort order of `pr list`. */
export interface PullFilters {
  readonly state: "open" | "closed" | "merged" | "all";
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
  if (head === undefined) return;
  const [, owner, branch = head] = /^([^:/]+):(.+)$/.exec(head) ?? [];
  yield (pull) => isFromBranch(pull, { branch, owner });
}
