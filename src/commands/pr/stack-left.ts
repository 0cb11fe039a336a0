import type { RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import { branchHeadGet } from "../../forge/branches.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullList } from "../../forge/pulls.ts";
import { listEvents } from "../../forge/timeline.ts";
import { ifFound } from "../../http/errors.ts";
import { headBranch } from "./pull.ts";

/** How many closed pull requests are looked at for one that an interrupted run has merged. */
export const maxClosed = 200;

/**
 * The merged pull requests that those of a path were based on until they got the base of the stack, and whose branches are
 * still there: what an interrupted run has not deleted. The server's events say which bases they had; where it has none, or
 * does not show them, it is not known.
 */
export async function leftBranches(
  path: readonly PullRequest[],
  base: string,
  context: RepositoryContext,
): Promise<readonly PullRequest[]> {
  const { http, repo } = context;
  const found = new Map<number, PullRequest>();
  const seen = new Set<number>();
  let closed: Promise<readonly PullRequest[]> | undefined;
  const below = async (pull: PullRequest): Promise<void> => {
    const events = await collect(listEvents(http, repo, pull.number, {}));
    const before = events.flatMap((event) =>
      event?.type === "change_target_branch" && event.old_ref && event.old_ref !== base ? [event.old_ref] : [],
    );
    if (before.length === 0) return;
    const listing = call(http, pullList, { repo, state: "closed", sort: "recentupdate" });
    closed ??= collect({ take: () => listing.take(maxClosed) });
    for (const one of await closed) {
      const branch = headBranch(one);
      if (!one.merged || branch === undefined || !before.includes(branch) || seen.has(one.number)) continue;
      seen.add(one.number);
      if (branch === one.base.repo?.default_branch) continue;
      if ((await ifFound(call(http, branchHeadGet, { repo, branch }))) !== undefined) found.set(one.number, one);
      await below(one);
    }
  };
  try {
    for (const pull of path) await below(pull);
  } catch (error) {
    // Nothing depends on it.
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
  }
  return [...found.values()];
}
