import { branchTip } from "../git/refs.ts";
import type { RefsChanged, RepoAt, Site } from "../site.ts";
import { closeIssue, isPull, newIssue, openPulls, openPullsFrom, openPullsInto, saveIssue } from "../state/issues.ts";
import type { IssueRecord, PullRecord } from "../state/records/issues.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { baseRepoOf, checkNow, mergeBaseOrTip } from "./mergeability.ts";
import { type Head, markReviewsStale, storeHead } from "./reviews.ts";

/** A pull request to open. */
interface NewPull {
  readonly head: Head;
  readonly base: string;
  readonly allowsMaintainers?: boolean | undefined;
  readonly issue: Partial<IssueRecord> & Pick<IssueRecord, "posterId" | "title">;
}

/** Opens a pull request between existing branches and checks its mergeability. */
export async function openPull({ site, repo }: RepoAt, proposal: NewPull): Promise<PullRecord> {
  const { head, base } = proposal;
  const headSha = await branchTip({ site, repo: head.repo }, head.branch);
  if (headSha === undefined) throw new Error(`no branch ${head.branch}`);
  const issue = newIssue(site, { ...proposal.issue, repoId: repo.id });
  await storeHead(site, repo, issue.index, head.repo, headSha);
  const baseSha = (await branchTip({ site, repo }, base)) ?? headSha;
  return checkNow(site, {
    ...issue,
    pull: {
      id: site.store.nextId("pulls"),
      base,
      headRepoId: head.repo.id,
      head: head.branch,
      headSha,
      mergeBase: await mergeBaseOrTip({ site, repo }, baseSha, headSha),
      check: { result: "mergeable", protectedFiles: [], range: "" },
      allowsMaintainers: proposal.allowsMaintainers ?? repo.default_allow_maintainer_edit,
      merged: null,
      schedule: null,
    },
  });
}

/** Updates pull requests after branches changed, by a push or through the API. */
export async function updatePulls(site: Site, { repo, changes, renamed }: RefsChanged): Promise<void> {
  if (renamed !== undefined) return followRename(site, repo, renamed);
  for (const { ref, to } of changes) {
    if (!ref.startsWith("refs/heads/")) continue;
    const branch = ref.slice("refs/heads/".length);
    const [from, into] = [openPullsFrom(site.store, repo.id, branch), openPullsInto(site.store, repo.id, branch)];
    if (to === undefined) for (const pull of [...from, ...into]) closeIssue(site, pull);
    else {
      for (const pull of from) await moveHead(site, pull, repo, to);
      await Promise.all(openPullsInto(site.store, repo.id, branch).map((pull) => checkNow(site, pull)));
    }
  }
}

/** Gives pull requests that are not merged, closed ones too, the new name of a branch. */
function followRename({ store }: Site, repo: RepoRecord, { from, to }: NonNullable<RefsChanged["renamed"]>): void {
  for (const one of store.table("issues").all().filter(isPull)) {
    const { pull } = one;
    if (pull.merged !== null) continue;
    const head = pull.headRepoId === repo.id && pull.head === from ? to : pull.head;
    const base = one.repoId === repo.id && pull.base === from ? to : pull.base;
    if (head !== pull.head || base !== pull.base) saveIssue(store, { ...one, pull: { ...pull, head, base } });
  }
}

/** Records pushes that reached git but not the store before a crash. Must run in a write. */
export async function syncHeads(site: Site): Promise<void> {
  for (const pull of openPulls(site.store)) await followHead(site, pull);
}

/** The pull request with the tip of its branch, if that exists, as its head. */
async function followHead(site: Site, pull: PullRecord): Promise<PullRecord> {
  const { headRepoId, head, headSha } = pull.pull;
  const repo = site.table("repos").get(headRepoId ?? 0);
  const tip = repo && (await branchTip({ site, repo }, head));
  return repo && tip && tip !== headSha ? moveHead(site, pull, repo, tip) : pull;
}

/** Updates the head commit. */
async function moveHead(site: Site, pull: PullRecord, from: RepoRecord, sha: string): Promise<PullRecord> {
  const base = baseRepoOf(site, pull);
  await storeHead(site, base, pull.index, from, sha);
  const next = await checkNow(site, { ...pull, updated_at: site.now(), pull: { ...pull.pull, headSha: sha } });
  markReviewsStale(site, next);
  return next;
}

/** Reopens a closed pull request with the current head, even if the branch was deleted. */
export async function reopenPull(site: Site, pull: PullRecord): Promise<PullRecord> {
  return checkNow(site, await followHead(site, { ...pull, state: "open", closed_at: null, updated_at: site.now() }));
}

/** Closes and detaches the pull requests that have their head in a repository, before it is deleted. */
export function detachRepo({ site, repo }: RepoAt): void {
  for (const pull of site.table("issues").all().filter(isPull)) {
    if (pull.pull.headRepoId !== repo.id) continue;
    const detached = { ...pull, pull: { ...pull.pull, headRepoId: null } };
    closeIssue(site, saveIssue(site.store, detached));
  }
}
