import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { fullName } from "../../repo/repo-name.ts";

/** What writing to a pull request works with. */
export type PullContext = RepositoryContext & Pick<BaseContext, "system" | "out" | "git">;

/** `mara/harbor#12`. */
export function pullName(context: Pick<RepositoryContext, "repo">, number: number): string {
  return `${fullName(context.repo)}#${number}`;
}

/** A failure because of the state that a pull request is in. */
export function refused(code: string, message: string, hint?: string, cause?: unknown): Failure {
  return new Failure(code, "refused", message, { hint, cause });
}

/** Refuses what only an open pull request can undergo. */
export function refuseEnded(pull: PullRequest, name: string): void {
  if (pull.merged) {
    const by = pull.merged_by == null ? "" : `by ${pull.merged_by.login}`;
    const as = pull.merge_commit_sha ? `as ${pull.merge_commit_sha.slice(0, 10)}` : "";
    const how = [by, as].filter((part) => part !== "").join(" ");
    throw refused("already_merged", `${name} is merged already${how === "" ? "" : ` (${how})`}`);
  }
  if (pull.state === "closed") {
    throw refused("closed", `${name} is closed`, `Open it again with: tongs pr reopen ${pull.number}`);
  }
}

/** Whether the head is in another repository than the base, or in one that is gone. */
export function isFromFork(pull: PullRequest): boolean {
  return pull.head?.repo_id !== pull.base?.repo_id;
}

/** Whether the head branch was deleted: its ref is then the server's own copy (api-facts 1.4). */
export function headIsGone(pull: PullRequest): boolean {
  return pull.head?.repo == null || pull.head.ref === `refs/pull/${pull.number}/head`;
}
