import type { EditStep } from "../../app/edit-steps.ts";
import type { EditFlags } from "../../app/issues/edit.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { editPullRequest, type PullRequest } from "../../forge/pulls.ts";
import { reviewerRemove, reviewerRequest } from "../../forge/reviews.ts";
import { HttpError } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";
import { allSettledOrThrow } from "../../system/concurrency.ts";
import { type PullContext, pullName } from "./pull.ts";
import { requestedReviewers, resolveReviewers } from "./reviewers.ts";

/** The flags of `pr edit`, as typed. */
export interface PullEditFlags extends EditFlags {
  readonly base?: string | undefined;
  readonly addReviewer: readonly string[];
  readonly removeReviewer: readonly string[];
  readonly maintainerEdit?: boolean | undefined;
}

/**
 * The requests for what issues do not have: the base and the edits of maintainers, which are most likely to be refused, are changed
 * first, and the reviewers last. Review requests are sent as they are: servers ignore those that were made before.
 */
export async function pullSteps(
  context: PullContext,
  pull: PullRequest,
  { base, maintainerEdit, addReviewer, removeReviewer }: PullEditFlags,
): Promise<readonly [before: EditStep[], after: EditStep[]]> {
  const { http, repo } = context;
  const index = pull.number;
  const [added, removed] = await allSettledOrThrow([
    resolveReviewers(addReviewer, async () => pull.user?.login ?? "", context),
    requestedReviewers(removeReviewer, pull, context),
  ]);
  return [
    [
      {
        isWanted: base !== undefined && base !== pull.base?.ref,
        what: ["base"],
        run: () => changeBase(context, pull, base ?? ""),
      },
      {
        isWanted: maintainerEdit !== undefined && maintainerEdit !== pull.allow_maintainer_edit,
        what: ["maintainer edit"],
        run: () => editPullRequest(http, repo, index, { allow_maintainer_edit: maintainerEdit === true }),
      },
    ],
    [
      {
        isWanted: added.reviewers.length + added.team_reviewers.length > 0,
        what: ["reviewers"],
        run: () => call(http, reviewerRequest, { repo, index }, added),
      },
      {
        isWanted: removed.reviewers.length + removed.team_reviewers.length > 0,
        what: ["removed reviewers"],
        run: () => call(http, reviewerRemove, { repo, index }, removed),
      },
    ],
  ];
}

async function changeBase(context: PullContext, pull: PullRequest, base: string): Promise<void> {
  const { http, repo } = context;
  const answer = await editPullRequest(http, repo, pull.number, { base }).catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    const { status, method, path, serverMessage } = error;
    if (status === 404 && /new base/.test(serverMessage)) {
      const details = { status, method, path, cause: error };
      throw new Failure("not_found", `Branch ${base} not found in ${fullName(repo)}`, details);
    }
    const other = /issue_id: (\d+)/.exec(serverMessage)?.[1];
    if (status !== 409 || other === undefined) throw error;
    const name = pullName(context, Number(other));
    throw new Failure("exists", `A pull request from this branch into ${base} already exists: ${name}`);
  });
  if (answer.base?.ref !== base && answer.merged) {
    const name = pullName(context, pull.number);
    throw new Failure("already_merged", `Cannot change the base of ${name}: it is merged`);
  }
}
