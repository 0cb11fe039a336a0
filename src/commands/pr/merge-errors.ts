import { unlessFailed } from "../../failure/failure.ts";
import type { MergePullRequestOption } from "../../forge/generated/operations.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { mergeStyles, styleSettings } from "../../forge/repos.ts";
import type { HttpError } from "../../http/errors.ts";
import { commandIn, type Place } from "../../profiles/server.ts";
import { type PullContext, pullName } from "./pull.ts";
import { headChanged, headReasons, isAny, type Refused, refusal, shortList } from "./refusal.ts";
import type { Mergeability } from "./why-mergeability.ts";
import { findConflict } from "./why-mergeability.ts";
import { conflictReason, conflictReasons, dependencyReasons, explainPull } from "./why-reasons.ts";

/** The merge that was requested. */
export interface MergeRequest {
  readonly number: number;
  readonly body: MergePullRequestOption;
}

/**
 * Explains why an open pull request was not merged: by git's report of a conflict, by what `pr why` finds, and by what was asked
 * for. The server's own words are said where the facts show nothing, or some of them cannot be read. Returns the error itself if
 * the server failed, and nothing explains it.
 */
export async function explainRefusal(
  context: PullContext,
  { number, body }: MergeRequest,
  { pull, error, settled }: { readonly pull: PullRequest; readonly error: HttpError; readonly settled?: Mergeability },
): Promise<unknown> {
  const name = pullName(context, number);
  if (/merge push out of date/.test(error.serverMessage)) {
    const message = "Its base branch changed during the merge";
    return refusal(name, [{ code: "base_changed", message, clear: "Nothing was merged. Try again" }], { cause: error });
  }
  const asked = [...askedReasons(pull, body, error, context)];
  if (error.status === 500) {
    // Without the words of a reason (docs/server-differences.md, "Pull requests: merging").
    const blocking = (await unlessFailed(dependencyReasons(context, number))) ?? [];
    const reasons = [...asked, ...headReasons(pull, context), ...blocking];
    return isAny(reasons) ? refusal(name, reasons, { cause: error }) : error;
  }
  // A merge that is only recorded is not held against the rules of the branch.
  const explained =
    body.Do === "manually-merged"
      ? undefined
      : await unlessFailed(explainPull(context, pull, { patience: 0, settled }));
  const reasons = [...asked, ...(explained?.reasons ?? [])];
  // A conflict found during the merge may come without a body (seen on Gitea).
  if (error.status === 409 && !isAny(reasons))
    reasons.push(...conflictReasons(pull, await findConflict(context, pull), context));
  // Forgejo wraps the reason of a branch protection (docs/server-differences.md, "Pull requests: merging").
  const said = /\[reason: (.*)\]$/.exec(error.serverMessage)?.[1] ?? error.serverMessage;
  if (isAny(reasons)) {
    const isWhole = asked.length > 0 || explained?.unchecked.length === 0;
    return refusal(name, reasons, { cause: error, said: isWhole ? undefined : said });
  }
  const message = said || "The server gave no reason";
  return refusal(name, [{ code: "not_mergeable", message, clear: "" }], { cause: error });
}

/** What cannot be done as it was asked for. */
function* askedReasons(
  pull: PullRequest,
  body: MergePullRequestOption,
  error: HttpError,
  at: Place,
): Generator<Refused> {
  const { status } = error;
  const { Do, MergeCommitID, head_commit_id } = body;
  const withSetting = (is: boolean) => mergeStyles.filter((style) => pull.base.repo?.[styleSettings[style]] === is);
  if (status === 405 && withSetting(false).some((style) => style === Do)) {
    const allowed = withSetting(true);
    const clear = allowed.length === 0 ? "No merge style is allowed" : `Allowed: ${allowed.join(", ")}`;
    yield { code: "style_not_allowed", message: `Merge style "${Do}" is not allowed in this repository`, clear };
  }
  if (head_commit_id !== undefined && head_commit_id !== pull.head.sha)
    yield headChanged(pull.head.sha, head_commit_id);
  if (Do === "manually-merged" && status === 409) {
    const clear = "Pass the merge commit on the base branch: --merge-commit SHA";
    yield { code: "wrong_commit", message: `Commit ${MergeCommitID} is not a merge of it on its base branch`, clear };
  }
  if (Do === "fast-forward-only" && ![undefined, pull.base.sha].includes(pull.merge_base)) {
    const message = "It cannot be fast-forwarded: its base branch has new commits";
    const clear = `Rebase it: ${commandIn(at, `tongs pr update ${pull.number} --style rebase`)}   (or choose another --style)`;
    yield { code: "diverged", message, clear };
  }
}

/** What git reported of a merge that failed, which a 409 carries (docs/server-differences.md, "Errors and statuses"). */
export function reportedReason(
  context: PullContext,
  { number, body: { Do } }: MergeRequest,
  { exchange: { body } }: HttpError,
): Refused | undefined {
  const report = typeof body === "object" && body !== null && "Style" in body ? body : {};
  const text = (key: string) => String(new Map<string, unknown>(Object.entries(report)).get(key) ?? "");
  const [StdOut, StdErr, commit] = [text("StdOut"), text("StdErr"), text("CommitSHA").slice(0, 10)];
  const files = filesInReport(StdOut);
  if (files.length > 0) {
    const where = commit === "" ? "" : ` (commit ${commit} does not apply)`;
    return conflictReason(context, number, `Conflicts with its base branch in ${shortList(files)}${where}`, files);
  }
  if (StdOut + StdErr === "") return undefined;
  const words = /^fatal: (.*)$/m.exec(StdErr)?.[1] ?? StdErr.trim().split("\n").pop() ?? "";
  return { code: "conflict", message: `git failed with style "${Do}": ${words}`, clear: "" };
}

function filesInReport(report: string): string[] {
  const files = [
    ...report.matchAll(/^CONFLICT \([^)]*\): (?:Merge conflict in (.+)|(\S+) (?:deleted|renamed|added) .*)$/gm),
  ];
  return [...new Set(files.flatMap(([, merged, moved]) => merged ?? moved ?? []))];
}
