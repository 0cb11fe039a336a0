import { filePatterns } from "../../text/glob.ts";
import { isAncestor, readCommit } from "../git/commits.ts";
import { changedFiles } from "../git/diff.ts";
import { mergeBaseOf, mergeTrees, mergingCommit } from "../git/merge.ts";
import { branchTip } from "../git/refs.ts";
import type { RepoAt, Site } from "../site.ts";
import { isDraft, saveIssue } from "../state/issues.ts";
import type { Check, PullRecord } from "../state/records/issues.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { ruleFor } from "../state/rules.ts";

/** The field `mergeable`. It is true for a head without changes, although that cannot be merged. */
export function isMergeable(pull: PullRecord): boolean {
  return pull.pull.check.result !== "conflict" && !isDraft(pull);
}

/**
 * Checks a pull request and stores the result, which may be that it was merged manually. Must run in a write. A server does it
 * in the background, some time after a branch changed (docs/server-differences.md, "Pull requests: mergeability").
 */
export async function checkNow(site: Site, pull: PullRecord): Promise<PullRecord> {
  return saveIssue(site.store, await checkPull(site, pull));
}

async function checkPull(site: Site, pull: PullRecord): Promise<PullRecord> {
  const repo = baseRepoOf(site, pull);
  const tip = await branchTip({ site, repo }, pull.pull.base);
  if (tip === undefined) return { ...pull, pull: { ...pull.pull, check: { ...pull.pull.check, result: "conflict" } } };
  const { headSha } = pull.pull;
  const isEmpty = await isAncestor({ site, repo }, headSha, tip);
  if (isEmpty && repo.autodetect_manual_merge && pull.pull.mergeBase !== headSha) {
    return mergedByPush({ site, repo }, pull, tip);
  }
  const mergeBase = await mergeBaseOrTip({ site, repo }, tip, headSha);
  const result = isEmpty ? "empty" : await resultOf({ site, repo }, tip, headSha);
  const range = `${mergeBase}..${headSha}`;
  // Gitea checks protected files once per head: later changes of the rule have no effect.
  const protectedFiles =
    range === pull.pull.check.range
      ? pull.pull.check.protectedFiles
      : await changedProtectedFiles({ site, repo }, pull, mergeBase);
  return { ...pull, pull: { ...pull.pull, mergeBase, check: { result, protectedFiles, range } } };
}

/** The merge base, or the tip of the base branch for unrelated histories. */
export async function mergeBaseOrTip(at: RepoAt, tip: string, head: string): Promise<string> {
  return (await mergeBaseOf(at, tip, head)) || tip;
}

/** The base repository of a pull request. */
export const baseRepoOf = ({ store }: Site, { repoId }: PullRecord): RepoRecord => store.table("repos").must(repoId);

/** Unrelated histories count as mergeable; the merge itself fails. */
async function resultOf(at: RepoAt, tip: string, head: string): Promise<Check["result"]> {
  const merged = await mergeTrees(at, tip, head);
  return "conflict" in merged && merged.conflict.stdout !== "" ? "conflict" : "mergeable";
}

async function changedProtectedFiles({ site, repo }: RepoAt, { pull }: PullRecord, from: string): Promise<string[]> {
  const patterns = ruleFor(site.store, repo.id, pull.base)?.settings.protected_file_patterns ?? "";
  if (patterns === "") return [];
  const files = await changedFiles({ site, repo }, from, pull.headSha);
  return files.map(({ path }) => path).filter(filePatterns(patterns));
}

async function mergedByPush({ site, repo }: RepoAt, pull: PullRecord, tip: string): Promise<PullRecord> {
  const commit = await mergingCommit({ site, repo }, tip, pull.pull.headSha);
  const { author } = await readCommit({ site, repo }, commit);
  const by = site.table("users").find((user) => user.email.toLowerCase() === author.email.toLowerCase());
  return withMerge(site, pull, commit, by?.id ?? repo.ownerId);
}

/** The record of a merged pull request. */
export function withMerge(site: Site, pull: PullRecord, commit: string, byId: number): PullRecord {
  const at = site.now();
  const merged = { at, commit, byId };
  return {
    ...pull,
    state: "closed",
    closed_at: at,
    updated_at: at,
    pull: { ...pull.pull, merged, schedule: null },
  };
}
