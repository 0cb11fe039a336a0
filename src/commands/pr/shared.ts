import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import type { Review } from "../../forge/reviews.ts";
import { DeniedError } from "../../http/errors.ts";
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

/** One word for a pull request's state: what a person wants to know first. */
export function pullState(pull: PullRequest): "merged" | "closed" | "draft" | "open" {
  if (pull.merged) return "merged";
  if (pull.state === "closed") return "closed";
  return pull.draft ? "draft" : "open";
}

/** The prefixes that make a draft, in any case: the servers' default; a server may be set to others (api-facts 3.5.3). */
const prefixes = /^(?:WIP:|\[WIP\])\s*/i;

/** Whether a title marks a draft. */
function isDraftTitle(title: string): boolean {
  return prefixes.test(title);
}

/** The title of a draft. */
export function asDraft(title: string): string {
  return isDraftTitle(title) ? title : `WIP: ${title}`;
}

/** The title without its draft prefixes. */
export function asReady(title: string): string {
  let ready = title;
  while (isDraftTitle(ready)) ready = ready.replace(prefixes, "");
  return ready;
}

/** A review's state in plain words; a dismissed one no longer counts, whatever it said. */
export function reviewState(review: Review): string {
  const known = Object.hasOwn(stateWords, review.state) ? stateWords[review.state] : undefined;
  return `${known ?? review.state.toLowerCase()}${review.dismissed ? " (dismissed)" : ""}`;
}

const stateWords: Readonly<Record<string, string>> = {
  APPROVED: "approved",
  REQUEST_CHANGES: "changes requested",
  COMMENT: "commented",
  PENDING: "pending",
  REQUEST_REVIEW: "requested",
};

/** Says what the servers leave out: they refuse a stranger's edit with a 403 that has no body. */
export function explainEditDenied(error: unknown, name: string): unknown {
  if (!(error instanceof DeniedError) || error.status !== 403 || error.said !== "") return error;
  const { code, exit, status, method, path } = error;
  const message = `You may not edit ${name}: only its author and those with write access may`;
  return new Failure(code, exit, message, { status, method, path, cause: error });
}
