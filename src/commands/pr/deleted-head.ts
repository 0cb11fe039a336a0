import { Failure } from "../../failure/failure.ts";
import { readBranchPulls } from "../../forge/branch-pulls.ts";
import { wasAt } from "../../forge/branches.ts";
import { commitGet } from "../../forge/commits.ts";
import { find } from "../../forge/operation.ts";
import { isFromFork, type PullRequest } from "../../forge/pulls.ts";
import { commandOn } from "../../profiles/server.ts";
import { joinWords } from "../../text/words.ts";
import { isAgit, isHeadDeleted, type PullContext, pullName } from "./pull.ts";

/** `; deleted its branch tides (was 140d5cf2a1)`. */
export function deletedHead(name: string, commit: string | undefined): string {
  return `; deleted its branch ${name}${wasAt(commit)}`;
}

/**
 * The commit that a pull request has, or had when it was merged or closed: its record has that of the branch, which can have been
 * pushed to since, or deleted and created anew.
 */
export async function ownHead({ number, head }: PullRequest, { http, repo }: PullContext): Promise<string> {
  const plain = { stat: false, files: false, verification: false };
  const own = await find(http, commitGet, { repo, sha: `refs/pull/${number}/head`, ...plain });
  return own?.sha ?? head.sha;
}

/** That the branch was deleted; nothing if there was none before. */
export function deletedText(before: PullRequest, { head }: PullRequest): string {
  return isAgit(before) || isHeadDeleted(before) ? "" : deletedHead(before.head.ref, head.sha);
}

/** The failure for a head branch that the server kept, though the merge was to delete it. `said` is the reason that it gave. */
export async function keptError(pull: PullRequest, said: string, context: PullContext): Promise<Failure> {
  const { head } = pull;
  const why = said || (await otherUse(pull, context));
  const name = pullName(context, pull.number);
  const of = isFromFork(pull) && head.repo != null ? ` of ${head.repo.full_name}` : "";
  const message = `Merged ${name}, but its branch ${head.ref}${of} was not deleted${why === "" ? "" : `: ${why}`}`;
  const place = head.repo == null ? [] : ["-R", head.repo.full_name];
  const line = commandOn(context.server, joinWords(["tongs", "branch", "delete", head.ref, ...place]));
  return new Failure("partly_done", message, {
    hint: `Delete it when that is possible: ${line}`,
    fields: [{ name: "delete_branch_after_merge", requested: true, actual: false }],
  });
}

/** That the branch is the head of other open pull requests: servers keep it then, and do not say why. */
async function otherUse({ base, head }: PullRequest, { http, out }: PullContext): Promise<string> {
  if (head.repo == null) return "";
  const usesOf = await readBranchPulls(http, [base.repo ?? head.repo, head.repo], out.warn);
  const { heads } = usesOf(head.repo.full_name, head.ref);
  return heads.length === 0 ? "" : `it is the head of ${heads.join(", ")}`;
}
