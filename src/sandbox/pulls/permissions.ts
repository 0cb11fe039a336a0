import type { MergeStyle } from "../../forge/repos.ts";
import { contextPattern } from "../../text/glob.ts";
import { countBehind } from "../git/merge.ts";
import { branchTip } from "../git/refs.ts";
import { accessTo, maintainedBranches } from "../http/access.ts";
import { notFound, refuse } from "../http/reply.ts";
import { combinedState, latestStatuses } from "../pulls/statuses.ts";
import type { RepoAt, Site } from "../site.ts";
import { isDraft } from "../state/issues.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { PullRecord } from "../state/records/issues.ts";
import type { BranchRule, RepoRecord } from "../state/records/repos.ts";
import { isListed, mayForcePush, mayMerge, mayPush, ruleFor } from "../state/rules.ts";
import { baseRepoOf } from "./mergeability.ts";
import { reviewsOf } from "./reviews.ts";

/** A requested merge. */
interface MergeAttempt {
  readonly style: MergeStyle;
  /** Bypasses the branch protection if the user may. */
  readonly force: boolean;
  /** The merge is only scheduled: the protection rules need not be met yet. */
  readonly later: boolean;
}

/**
 * Throws if a merge is not allowed, with Gitea's messages in Gitea's order
 * (docs/server-differences.md, "Pull requests: merging").
 */
export async function checkMerge(site: Site, pull: PullRecord, doer: UserRecord, attempt: MergeAttempt): Promise<void> {
  const repo = baseRepoOf(site, pull);
  const rule = ruleFor(site.store, repo.id, pull.pull.base);
  if (pull.pull.merged !== null) refuse(405, "The PR is already merged");
  if (pull.state === "closed") notFound();
  const isWriter = accessTo(site, doer, repo).atLeast("write", "code");
  if (!isWriter || (rule && !mayMerge(site.store, rule, doer))) refuse(405, "User not allowed to merge PR");
  if (attempt.style === "manually-merged") return;
  if (isDraft(pull)) refuse(405, "Work in progress PRs cannot be merged");
  if (pull.pull.check.result !== "mergeable") refuse(405, "Please try again later");
  if (rule !== undefined && !attempt.later && !(attempt.force && mayBypass({ site, repo }, rule, doer))) {
    const reason = await unmetRequirement({ site, repo }, rule, pull);
    if (reason !== undefined) refuse(405, reason);
  }
  if (rule?.settings.require_signed_commits) {
    // The sandbox has no signing key.
    const makesCommits = attempt.style === "squash" || attempt.style === "rebase";
    const unsigned = "the branch requires signed commits but not all head commits are verified";
    refuse(405, makesCommits ? "wont sign: nokey" : unsigned);
  }
}

function mayBypass({ site, repo }: RepoAt, { settings }: BranchRule, doer: UserRecord): boolean {
  if (settings.block_admin_merge_override) return false;
  const isBypasser = settings.enable_bypass_allowlist && isListed(site.store, settings, "bypass_allowlist", doer);
  return isBypasser || accessTo(site, doer, repo).atLeast("admin");
}

/** The first unmet requirement of a branch protection. */
async function unmetRequirement(
  { site, repo }: RepoAt,
  { settings }: BranchRule,
  pull: PullRecord,
): Promise<string | undefined> {
  if (settings.enable_status_check && !statusesPass(site, settings, pull))
    return "Not all required status checks successful";
  const official = reviewsOf(site.store, pull.repoId, pull.index).filter((one) => one.official && !one.dismissed);
  const approvals = official.filter(
    (one) => one.state === "APPROVED" && !(settings.ignore_stale_approvals && one.stale),
  );
  if (approvals.length < settings.required_approvals) return "Does not have enough approvals";
  const has = (state: string) => official.some((one) => one.state === state);
  if (settings.block_on_rejected_reviews && has("REQUEST_CHANGES")) return "There are requested changes";
  if (settings.block_on_official_review_requests && has("REQUEST_REVIEW")) return "There are official review requests";
  const tip = settings.block_on_outdated_branch ? await branchTip({ site, repo }, pull.pull.base) : undefined;
  if (tip !== undefined && (await countBehind({ site, repo }, tip, pull.pull.headSha)) > 0)
    return "The head branch is behind the base branch";
  return pull.pull.check.protectedFiles.length > 0 ? "Changed protected files" : undefined;
}

/** Whether each required context (a name or a pattern) has statuses and all of them succeeded. */
function statusesPass(site: Site, settings: BranchRule["settings"], { repoId, pull }: PullRecord): boolean {
  const statuses = latestStatuses(site, repoId, pull.headSha);
  const contexts = settings.status_check_contexts ?? [];
  if (contexts.length === 0) return combinedState(statuses) === "success";
  return contexts.every((wanted) => {
    const isWanted = contextPattern(wanted);
    return combinedState(statuses.filter(({ context }) => isWanted(context))) === "success";
  });
}

/** Whether a user may update the head branch by merge or rebase. A rebase requires the right to force-push. */
export function mayUpdate(
  site: Site,
  pull: PullRecord,
  head: RepoRecord,
  user: UserRecord,
  style: "merge" | "rebase",
): boolean {
  const { settings } = baseRepoOf(site, pull);
  if (!(style === "rebase" ? settings.allow_rebase_update : settings.allow_merge_update)) return false;
  const rule = ruleFor(site.store, head.id, pull.pull.head);
  if (rule && !(style === "rebase" ? mayForcePush : mayPush)(site.store, rule, user)) return false;
  return (
    accessTo(site, user, head).atLeast("write", "code") || maintainedBranches(site, head, user).includes(pull.pull.head)
  );
}
