import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import type { ChangedFile } from "../../forge/commits.ts";
import { isFromFork, type PullRequest } from "../../forge/pulls.ts";
import type { Review } from "../../forge/reviews.ts";
import { NotFoundError } from "../../http/errors.ts";
import { commandIn, commandOn, type Place } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { capitalized } from "../../text/format.ts";
import { joinWords } from "../../text/words.ts";

/** The context of commands that change a pull request. */
export type PullContext = RepositoryContext & Pick<BaseContext, "system" | "out" | "git">;

/** `mara/harbor#12`. */
export function pullName(context: Pick<RepositoryContext, "repo">, number: number): string {
  return `${fullName(context.repo)}#${number}`;
}

/** Throws if a pull request is merged or closed. */
export function requireOpen(pull: PullRequest, place: Place): void {
  const name = pullName(place, pull.number);
  if (pull.merged) {
    const how = mergedHow(pull).trim();
    throw new Failure("already_merged", `Pull request ${name} is already merged${how && ` (${how})`}`);
  }
  if (pull.state === "closed") {
    throw new Failure("closed", `Pull request ${name} is closed`, {
      hint: reopening(pull, place),
    });
  }
}

/** ` by mara as 140d5cf2a1`, as far as the server says it. */
export function mergedHow({ merged_by, merge_commit_sha: sha }: PullRequest): string {
  return `${merged_by == null ? "" : ` by ${merged_by.login}`}${sha ? ` as ${sha.slice(0, 10)}` : ""}`;
}

/** What to do about a closed pull request: reopening one whose head repository was deleted leads nowhere. */
export function reopening(pull: PullRequest, place: Place): string {
  const missing = headMissing(pull, place);
  return missing !== undefined && pull.head?.repo == null
    ? `${capitalized(missing.message)}. ${missing.clear}`
    : `Reopen it: ${commandIn(place, `tongs pr reopen ${pull.number}`)}`;
}

/**
 * Whether the head branch was deleted: `ref` is then `refs/pull/N/head`
 * (docs/server-differences.md, "Pull requests: listing").
 */
export function isHeadDeleted(pull: PullRequest): boolean {
  return !isAgit(pull) && (pull.head?.repo == null || hasPullRef(pull));
}

function hasPullRef({ head, number }: PullRequest): boolean {
  return head?.ref === `refs/pull/${number}/head`;
}

/**
 * Whether it was made by a push to `refs/for/BASE` (AGit), and never had a branch: Forgejo 11 and newer say it in `flow`; to
 * others its head has no name (docs/server-differences.md, "Pull requests without a branch").
 */
export function isAgit(pull: PullRequest): boolean {
  return pull.flow === 1 || (pull.head?.repo != null && hasPullRef(pull) && pull.head.label === "");
}

/** The head in tables: the branch, with its owner if it is in a fork; of one without a branch, its topic, if the server says it. */
export function headName(pull: PullRequest): string {
  const { head, base } = pull;
  const { label = "", ref, repo } = head;
  if (isAgit(pull)) return `${label || (pull.user?.login ?? "")} (AGit)`;
  const owner = repo && head.repo_id !== base.repo_id ? repo.owner?.login : undefined;
  return owner === undefined ? label : `${owner}:${ref}`;
}

/**
 * Why a pull request whose fork or head branch was deleted cannot be merged, if that is so: the server answers as if it could
 * be, and then with 500.
 */
export function headMissing(
  pull: PullRequest,
  place: Place,
): { readonly message: string; readonly clear: string } | undefined {
  if (!isHeadDeleted(pull)) return undefined;
  if (pull.head?.repo != null) {
    const { label = "", sha = "", repo } = pull.head;
    const again = joinWords(["tongs", "branch", "create", label, sha, "-R", repo.full_name]);
    const clear = `Create it again: ${commandOn(place.server, again)}`;
    return { message: "its head branch was deleted", clear };
  }
  return {
    message: "the repository of its head was deleted",
    clear: `Push the commits to another repository and create a new pull request: ${commandIn(place, `tongs pr checkout ${pull.number}`)}`,
  };
}

/** The head branch if it is in the repository of the base; undefined if it is in a fork, was deleted, or never was (AGit). */
export function headBranch(pull: PullRequest): string | undefined {
  return isFromFork(pull) || isHeadDeleted(pull) || isAgit(pull) ? undefined : pull.head?.ref;
}

/** The state of a pull request in one word, for tables. */
export function pullState(pull: PullRequest): "merged" | "closed" | "draft" | "open" {
  if (pull.merged) return "merged";
  if (pull.state === "closed") return "closed";
  return isDraft(pull) ? "draft" : "open";
}

/**
 * The default draft prefixes, in any case; a server can be configured otherwise
 * (docs/server-differences.md, "Pull requests: editing").
 */
const prefixes = /^(?:WIP:|\[WIP\])\s*/i;

/** Whether a pull request is a draft. Forgejo 7.0 does not say it: only the title tells. */
export function isDraft({ draft, title }: Pick<PullRequest, "draft" | "title">): boolean {
  return draft ?? isDraftTitle(title);
}

/** Whether a title marks a draft. */
function isDraftTitle(title: string): boolean {
  return prefixes.test(title);
}

/** The title of a draft. */
export function draftTitle(title: string): string {
  return isDraftTitle(title) ? title : `WIP: ${title}`;
}

/** The title without its draft prefixes. */
export function readyTitle(title: string): string {
  let ready = title;
  while (isDraftTitle(ready)) ready = ready.replace(prefixes, "");
  return ready;
}

/** A review's state in words; dismissed reviews are marked. */
export function reviewState(review: Review): string {
  const sent = review.state ?? "";
  const known = Object.hasOwn(stateWords, sent) ? stateWords[sent] : undefined;
  return `${known ?? sent.toLowerCase()}${review.dismissed ? " (dismissed)" : ""}`;
}

const stateWords: Readonly<Record<string, string>> = {
  APPROVED: "approved",
  REQUEST_CHANGES: "changes requested",
  COMMENT: "commented",
  PENDING: "pending",
  REQUEST_REVIEW: "requested",
};

/** The result of an operation that pull requests share with issues: a 404 names the pull request. */
export function orMissingPull<T>(request: Promise<T>): Promise<T> {
  return request.catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    throw new NotFoundError(error.exchange, error.message.replace(/^Issue (?=#\d+ not found)/, "Pull request "));
  });
}

/** `old → new` for a renamed file. */
export function fileName(file: ChangedFile): string {
  const { filename, previous_filename: before } = file;
  return before === undefined || before === "" || before === filename ? filename : `${before} → ${filename}`;
}
