import { type MergeStyle, styleSettings } from "../../forge/repos.ts";
import { contextPattern } from "../../text/glob.ts";
import { isAncestor, signatureOf } from "../git/commits.ts";
import { countBehind, type Merged, mergeCommits, rebaseCommits } from "../git/merge.ts";
import { branchTip, changeRefs } from "../git/refs.ts";
import { accessTo, maintainedBranches } from "../http/access.ts";
import { fail, notFound, Refusal, refuse } from "../http/reply.ts";
import { combinedState, latestStatuses } from "../pulls/statuses.ts";
import type { RepoAt, Site } from "../site.ts";
import { isDraft, openPulls, openPullsFrom, openPullsInto, pullAt, saveIssue } from "../state/issues.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { PullRecord } from "../state/records/issues.ts";
import type { BranchRule, RepoRecord } from "../state/records/repos.ts";
import { isListed, mayForcePush, mayMerge, mayPush, ruleFor } from "../state/rules.ts";
import { baseRepoOf, checkNow, withMerge } from "./mergeability.ts";
import { reviewsOf } from "./reviews.ts";

/** Throws 405 if the repository does not allow a merge style. */
export function checkMergeStyle(repo: RepoRecord, style: MergeStyle): void {
  if (repo[styleSettings[style]]) return;
  refuse(405, `${style} is not allowed an allowed merge style for this repository`);
}

/** The message of a merge or squash commit. A title replaces the default one. */
export function mergeMessage(pull: PullRecord, style: MergeStyle, title = "", text = ""): string {
  const { base, head } = pull.pull;
  const defaultTitle =
    style === "squash"
      ? `${pull.title} (#${pull.index})`
      : `Merge pull request '${pull.title}' (#${pull.index}) from ${head} into ${base}`;
  return [title.trim() || defaultTitle, text.trim()].filter((part) => part !== "").join("\n\n");
}

/** How to merge. */
interface MergePlan {
  readonly style: MergeStyle;
  readonly message: string;
  /** The expected head commit. */
  readonly expected?: string | undefined;
}

/**
 * Merges a pull request, after `checkMerge`, and updates the base branch. Throws 409 for a conflict or an outdated
 * head, and 500 when a fast-forward is not possible. Returns the merged record.
 */
export async function mergePull(site: Site, pull: PullRecord, doer: UserRecord, plan: MergePlan): Promise<PullRecord> {
  const repo = baseRepoOf(site, pull);
  checkMergeStyle(repo, plan.style);
  const { base, headSha } = pull.pull;
  if (plan.expected && plan.expected !== headSha) refuse(409, "head out of date");
  const tip = await branchTip({ site, repo }, base);
  if (tip === undefined) fail(`branch does not exist [repo_id: ${repo.id} name: ${base}]`);
  const made = await newTip({ site, repo }, pull, doer, tip, plan);
  if ("conflict" in made) {
    const { stdout, stderr, commit } = made.conflict;
    const at = commit === undefined ? {} : { CommitSHA: commit };
    throw new Refusal(409, "conflict", { Style: plan.style, ...at, StdOut: stdout, StdErr: stderr, Err: {} });
  }
  const merged = saveIssue(site.store, withMerge(site, pull, made.made, doer.id));
  await changeRefs({ site, repo }, doer, [{ ref: `refs/heads/${base}`, from: tip, to: made.made }]);
  return merged;
}

async function newTip(
  { site, repo }: RepoAt,
  pull: PullRecord,
  doer: UserRecord,
  tip: string,
  { style, message }: MergePlan,
): Promise<Merged> {
  const head = pull.pull.headSha;
  const committer = signatureOf(site, doer);
  switch (style) {
    case "squash": {
      const poster = site.table("users").get(pull.posterId) ?? doer;
      const author = signatureOf(site, poster);
      const trailer = poster.id === doer.id ? "" : `\n\nCo-authored-by: ${author.name} <${author.email}>`;
      return mergeCommits({ site, repo }, [tip, head], message + trailer, committer, { author, parents: [tip] });
    }
    case "rebase":
      return rebaseCommits({ site, repo }, [tip, head], committer);
    case "rebase-merge": {
      const rebased = await rebaseCommits({ site, repo }, [tip, head], committer);
      return "conflict" in rebased ? rebased : mergeCommits({ site, repo }, [tip, rebased.made], message, committer);
    }
    case "fast-forward-only": {
      const words = "fatal: Not possible to fast-forward, aborting.";
      if (await isAncestor({ site, repo }, tip, head)) return { made: head };
      return fail(`Merge DivergingFastForwardOnly Error: exit status 128 - ${words}: ${words}\n\n`);
    }
    default:
      return mergeCommits({ site, repo }, [tip, head], message, committer);
  }
}

/**
 * Deletes the head branch of a merged pull request, unless it is protected, a default branch, in use or not writable.
 */
export async function deleteHead(site: Site, pull: PullRecord, doer: UserRecord): Promise<void> {
  const { headRepoId, head, base } = pull.pull;
  const repo = site.table("repos").get(headRepoId ?? 0);
  if (repo === undefined || head === repo.default_branch || ruleFor(site.store, repo.id, head)) return;
  if (!accessTo(site, doer, repo).atLeast("write", "code") || openPullsFrom(site.store, repo.id, head).length > 0)
    return;
  const tip = await branchTip({ site, repo }, head);
  if (tip === undefined) return;
  // Retarget pull requests into the branch to its base.
  const children = openPullsInto(site.store, repo.id, head).filter((one) => one.repoId === pull.repoId);
  await Promise.all(children.map((child) => checkNow(site, { ...child, pull: { ...child.pull, base } })));
  await changeRefs({ site, repo }, doer, [{ ref: `refs/heads/${head}`, from: tip, to: undefined }]);
}

/** Tries a scheduled merge again, after a delay. Called for events the merge may have waited for. */
export function mergeSoon(site: Site, { repoId, index, pull }: PullRecord): void {
  if (pull.schedule === null) return;
  site.later(site.delays.autoMerge, () => site.store.write(() => mergeScheduled(site, repoId, index)));
}

/** Resumes the scheduled merges of the last session. */
export function resumeSchedules(site: Site): void {
  for (const pull of openPulls(site.store)) mergeSoon(site, pull);
}

async function mergeScheduled(site: Site, repoId: number, index: number): Promise<void> {
  const known = pullAt(site.store, repoId, index);
  if (known === undefined || known.state === "closed" || known.pull.schedule === null) return;
  const { byId, style, message, deleteBranch } = known.pull.schedule;
  const doer = site.table("users").get(byId);
  if (doer === undefined) return;
  try {
    await checkMerge(site, known, doer, { style, force: false, later: false });
    const merged = await mergePull(site, known, doer, { style, message });
    if (deleteBranch) await deleteHead(site, merged, doer);
  } catch (error) {
    // Not ready yet: the next status or review tries again.
    if (!(error instanceof Refusal)) throw error;
    site.log(`scheduled merge of ${repoId}/${index}: ${error.message}`);
  }
}

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
  if (!baseRepoOf(site, pull)[`allow_${style}_update`]) return false;
  const rule = ruleFor(site.store, head.id, pull.pull.head);
  if (rule && !(style === "rebase" ? mayForcePush : mayPush)(site.store, rule, user)) return false;
  return (
    accessTo(site, user, head).atLeast("write", "code") || maintainedBranches(site, head, user).includes(pull.pull.head)
  );
}
