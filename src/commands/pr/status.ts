import pMap from "p-map";
import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { statusSheet } from "../../app/issues/status.ts";
import { currentUser } from "../../app/shared.ts";
import { pagePath } from "../../app/web.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type PullRequest, pullList, pullRequest } from "../../forge/pulls.ts";
import { reviewList } from "../../forge/reviews.ts";
import { fullName } from "../../repo/repo-name.ts";
import { list, nullable, present, record } from "../../shape/shape.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { createHint, type FindContext, findPull } from "./find.ts";
import { headName, isAgit, pullState } from "./pull.ts";

/** `tongs pr status`: GET the open pull requests that concern the caller, in three lists. */
export const status = defineCommand({
  summary: "Show the open pull requests that concern you",
  details:
    "Shows the pull request of the current branch, and the open pull requests of the repository that you created or that " +
    "request your review.",
  on: "repository",
  effect: "read",
  output: record({ current: nullable(pullRequest), created: list(pullRequest), review_requested: list(pullRequest) }),
  examples: [["Show what is waiting for you", "tongs pr status"]],
  web: { page: () => pagePath("pulls") },
  async run(context) {
    const { http, repo, out } = context;
    const me = (await currentUser(context)).toLowerCase();
    const [current, open] = await allSettledOrThrow([
      pullOfCurrentBranch(context),
      collect(call(http, pullList, { repo, state: "open" })),
    ]);
    const created = open.filter(({ user }) => user?.login.toLowerCase() === me);
    const asked = open.filter(({ requested_reviewers }) =>
      present(requested_reviewers).some(({ login }) => login.toLowerCase() === me),
    );
    // Servers list who has reviewed among the requested reviewers, too.
    const isAsked = async ({ number: index }: PullRequest) => {
      const reviews = await collect(call(http, reviewList, { repo, index }));
      const last = reviews.filter(({ user, state }) => user?.login.toLowerCase() === me && state !== "PENDING").at(-1);
      return last === undefined || last.state === "REQUEST_REVIEW" || last.dismissed === true;
    };
    const waits = await pMap(asked, isAsked, { concurrency: 4 });
    const requested = asked.filter((_, at) => waits[at]);
    await out.record({ current, created, review_requested: requested }, () =>
      statusSheet(
        fullName(repo),
        [
          ["Current branch", current === null ? [] : [line(current)], "The current branch has no pull request"],
          ["Created by you", created.map(line), "You have no open pull requests"],
          ["Requesting your review", requested.map(line), "No pull requests request your review"],
        ],
        { command: "tongs pr list --all", out },
      ),
    );
  },
});

/** The pull request of the current branch; null outside a branch, or if the branch has none. */
async function pullOfCurrentBranch(context: FindContext & Pick<BaseContext, "out">): Promise<PullRequest | null> {
  try {
    return await findPull({ by: "current" }, context);
  } catch (error) {
    if (error instanceof UsageError) return null;
    if (!(error instanceof Failure) || error.exit !== "notFound") throw error;
    if (error.code === "not_found" && error.hint !== undefined && error.hint !== createHint)
      context.out.note(error.hint);
    return null;
  }
}

function line(pull: PullRequest): string {
  const state = pullState(pull);
  const branch = isAgit(pull) ? headName(pull) : (pull.head.label ?? pull.head.ref);
  return `#${pull.number}  ${pull.title.replace(/\s+/g, " ")} [${branch}]${state === "open" ? "" : `  (${state})`}`;
}
