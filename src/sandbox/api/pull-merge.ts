import { pullMerge, pullMergeCancel, pullUpdate } from "../../forge/pulls.ts";
import { type MergeStyle, mergeStyles } from "../../forge/repos.ts";
import { isAncestor, signatureOf } from "../git/commits.ts";
import { countBehind, mergeCommits, rebaseCommits } from "../git/merge.ts";
import { branchTip, changeRefs, commitOf } from "../git/refs.ts";
import { oneOf } from "../http/form.ts";
import { empty, fail, found, Refusal, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { withMerge } from "../pulls/mergeability.ts";
import {
  checkMerge,
  checkMergeStyle,
  deleteHead,
  mayUpdate,
  mergeMessage,
  mergePull,
  mergeSoon,
} from "../pulls/merging.ts";
import { copyCommit } from "../pulls/reviews.ts";
import type { Site } from "../site.ts";
import { saveIssue } from "../state/issues.ts";
import type { PullRecord } from "../state/records/issues.ts";
import { findPull, pullNotFound, writing } from "./pulls.ts";

/** Field names are case-insensitive, so the former capitalized names are accepted, too. */
const option = { Do: [oneOf(...mergeStyles)] } as const;
const guarded = { ...writing, unarchived: true } as const;
const needs = { ...guarded, body: option } as const;

/** Merging pull requests, now or when the checks succeed, and updating their head branches. */
export const pullMerging: Area = [
  route(pullMerge, needs, merge),
  route(pullMergeCancel, guarded, cancel),
  route(pullUpdate, writing, update),
];

async function merge(call: Call<typeof needs, typeof pullMerge>) {
  const { site, repo, currentUser, body } = call;
  // `oneOf` has validated the style.
  const style = body.Do as MergeStyle;
  const pull = findPull(call, pullNotFound(repo.id));
  const later = body.merge_when_checks_succeed ?? false;
  await checkMerge(site, pull, currentUser, { style, force: body.force_merge ?? false, later });
  if (style === "manually-merged") return markMerged(call, pull);
  const title = body.merge_title_field ?? body.MergeTitleField;
  const message = mergeMessage(pull, style, title, body.merge_message_field ?? body.MergeMessageField);
  const deleteBranch = body.delete_branch_after_merge ?? repo.default_delete_branch_after_merge;
  if (later) return schedule(site, pull, { byId: currentUser.id, style, message, deleteBranch });
  const merged = await mergePull(site, pull, currentUser, { style, message, expected: body.head_commit_id });
  if (deleteBranch) await deleteHead(site, merged, currentUser);
  return empty(200);
}

/** Marks a pull request as merged manually. The commit must be in the base branch. */
async function markMerged({ site, repo, currentUser, body }: Call<typeof needs, typeof pullMerge>, pull: PullRecord) {
  checkMergeStyle(repo, "manually-merged");
  const id = body.merge_commit_id ?? body.MergeCommitID ?? "";
  const tip = await branchTip({ site, repo }, pull.pull.base);
  const commit = /^[0-9a-f]{40}$/.test(id) ? await commitOf({ site, repo }, id) : undefined;
  if (commit === undefined || tip === undefined || !(await isAncestor({ site, repo }, commit, tip))) {
    refuse(409, "Wrong commit ID");
  }
  saveIssue(site.store, withMerge(site, pull, commit, currentUser.id));
  return empty(200);
}

function schedule(site: Site, pull: PullRecord, plan: NonNullable<PullRecord["pull"]["schedule"]>) {
  if (pull.pull.schedule !== null) {
    const id = `[pull_id: ${pull.pull.id}]`;
    refuse(409, `pull request is already scheduled to auto merge when checks succeed ${id}`);
  }
  mergeSoon(site, saveIssue(site.store, { ...pull, pull: { ...pull.pull, schedule: plan } }));
  return empty(201);
}

/** Cancels a scheduled merge, allowed for the user who scheduled it and for repository administrators. */
function cancel(call: Call<typeof guarded>) {
  const { site, currentUser, access } = call;
  const pull = findPull(call);
  const plan = found(pull.pull.schedule ?? undefined);
  if (plan.byId !== currentUser.id && !access.atLeast("admin")) {
    refuse(403, "user has no permission to cancel the scheduled auto merge");
  }
  saveIssue(site.store, { ...pull, pull: { ...pull.pull, schedule: null } });
}

/**
 * Updates the head branch with the base by merge, or by rebase for `style=rebase`. As in Gitea, an up-to-date head is
 * 500.
 */
async function update(call: Call<typeof writing>) {
  const { site, repo, currentUser, query } = call;
  const issue = findPull(call);
  const { pull } = issue;
  if (pull.merged !== null) refuse(422, "pull request is already merged");
  if (issue.state === "closed") refuse(422, "pull request is already closed");
  const style = query.get("style") === "rebase" ? "rebase" : "merge";
  const head = site.table("repos").get(pull.headRepoId);
  if (head && !mayUpdate(site, issue, head, currentUser, style)) throw new Refusal(403, "", "none");
  const base = await branchTip(call, pull.base);
  const tip = head && (await branchTip({ site, repo: head }, pull.head));
  if (!head || !tip || !base) fail(`branch does not exist [repo_id: ${head?.id ?? 0} name: ${pull.head}]`);
  const at = { site, repo: head };
  await copyCommit(site, repo, head, base);
  if ((await countBehind(at, base, tip)) === 0) fail(`HeadBranch of PR ${issue.index} is up to date`);
  const doer = signatureOf(site, currentUser);
  const made =
    style === "rebase"
      ? await rebaseCommits(at, [base, tip], doer)
      : await mergeCommits(at, [tip, base], `Merge branch '${pull.base}' into ${pull.head}`, doer);
  if ("conflict" in made) refuse(409, `${style} failed because of conflict`);
  await changeRefs(at, currentUser, [{ ref: `refs/heads/${pull.head}`, from: tip, to: made.made }]);
  return empty(200);
}
