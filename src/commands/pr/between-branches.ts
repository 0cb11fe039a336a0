import type { RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import { narrow } from "../../forge/narrow.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { HttpError } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";
import { comesFrom, type Head } from "./head.ts";

/**
 * The pull request from one branch into another: the open one, else the newest. One request when an open one exists;
 * the servers answer with any of several, in any state (api-facts 0.1 row 30), and take branches named `files` or
 * `merge` for something else, so otherwise the list is read.
 */
export async function betweenBranches(
  base: string,
  head: string,
  { forge, repo }: RepositoryContext,
): Promise<PullRequest> {
  const answered = await forge.pulls.byBranches(repo, base, head).catch(missing);
  if (answered?.state === "open") return answered;

  const [, owner, branch = head] = /^([^:/]+)(?:\/[^:]+)?:(.+)$/.exec(head) ?? [];
  const from: Head = { branch, owner: owner ?? repo.owner };
  const fits = (pull: PullRequest) => pull.base?.ref === base && comesFrom(pull, from);
  let newest: PullRequest | undefined;
  const all = narrow(forge.pulls.list(repo, { state: "all", base_branch: base }), fits);
  for await (const pull of all.take(Number.POSITIVE_INFINITY)) {
    if (pull.state === "open") return pull;
    newest ??= pull;
  }
  const found = newest ?? answered;
  if (found !== undefined) return found;
  const message = `${fullName(repo)} has no pull request from ${head} into ${base}`;
  throw new Failure("not_found", "notFound", message, { hint: "See what there is: tongs pr list --state all" });
}

/** The route of another operation may answer (405), too: then the list decides. */
function missing(error: unknown): undefined {
  if (error instanceof HttpError && (error.exit === "notFound" || error.exchange.status === 405)) return undefined;
  throw error;
}
