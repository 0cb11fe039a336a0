import { branchTip } from "../git/refs.ts";
import type { RefsChanged, Site } from "../site.ts";
import { isPull, newIssue, openPulls, openPullsFrom, openPullsInto, saveIssue } from "../state/issues.ts";
import type { IssueRecord, PullPart, PullRecord } from "../state/records/issues.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { baseRepoOf, checkNow, mergeBaseOrTip, recheck } from "./mergeability.ts";
import { type Head, markReviewsStale, storeHead } from "./reviews.ts";

/** A pull request to open. */
export interface NewPull {
  readonly head: Head;
  readonly base: string;
  readonly allowsMaintainers?: boolean | undefined;
  readonly issue: Partial<IssueRecord> & Pick<IssueRecord, "posterId" | "title">;
}

/** Opens a pull request between existing branches and checks its mergeability. */
export async function openPull(site: Site, repo: RepoRecord, proposal: NewPull): Promise<PullRecord> {
  const { head } = proposal;
  const headSha = await branchTip(site, head.repo, head.branch);
  if (headSha === undefined) throw new Error(`no branch ${head.branch}`);
  return open(site, repo, proposal, { headRepoId: head.repo.id, head: head.branch, headSha }, head.repo);
}

/** Opens a pull request whose commits are in the repository, and no branch is (AGit). */
export function openAgit(
  site: Site,
  repo: RepoRecord,
  { head, headSha, ...proposal }: Omit<NewPull, "head"> & { readonly head: string; readonly headSha: string },
): Promise<PullRecord> {
  return open(site, repo, proposal, { headRepoId: repo.id, head, headSha, isAgit: true }, repo);
}

/** Updates the head of such a pull request. */
export async function updateAgit(site: Site, pull: PullRecord, sha: string): Promise<PullRecord> {
  return checkNow(site, await moveHead(site, pull, baseRepoOf(site, pull), sha));
}

async function open(
  site: Site,
  repo: RepoRecord,
  proposal: Omit<NewPull, "head">,
  head: Pick<PullPart, "headRepoId" | "head" | "headSha" | "isAgit">,
  from: RepoRecord,
): Promise<PullRecord> {
  const { base } = proposal;
  const { headSha } = head;
  const issue = newIssue(site.store, site.now(), { ...proposal.issue, repoId: repo.id });
  await storeHead(site, repo, issue.index, from, headSha);
  const baseSha = (await branchTip(site, repo, base)) ?? headSha;
  return checkNow(site, {
    ...issue,
    pull: {
      id: site.store.nextId("pulls"),
      base,
      ...head,
      mergeBase: await mergeBaseOrTip(site, repo, baseSha, headSha),
      check: { result: "mergeable", protectedFiles: [], range: "", dueSince: null },
      allowsMaintainers: proposal.allowsMaintainers ?? repo.settings.default_allow_maintainer_edit,
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
    if (to === undefined) for (const pull of [...from, ...into]) closePull(site, pull);
    else {
      for (const pull of from) await moveHead(site, pull, repo, to);
      recheck(site, openPullsInto(site.store, repo.id, branch));
    }
  }
}

/** Gives pull requests that are not merged, closed ones too, the new name of a branch. */
function followRename({ store }: Site, repo: RepoRecord, { from, to }: NonNullable<RefsChanged["renamed"]>): void {
  for (const one of store.table("issues").all().filter(isPull)) {
    const { pull } = one;
    if (pull.merged !== null || pull.isAgit) continue;
    const head = pull.headRepoId === repo.id && pull.head === from ? to : pull.head;
    const base = one.repoId === repo.id && pull.base === from ? to : pull.base;
    if (head !== pull.head || base !== pull.base) saveIssue(store, { ...one, pull: { ...pull, head, base } });
  }
}

/** Records pushes that reached git but not the store before a crash. Must run in a write. */
export async function syncHeads(site: Site): Promise<void> {
  for (const pull of openPulls(site.store)) {
    const { headRepoId, head, headSha } = pull.pull;
    const repo = headRepoId === null ? undefined : site.table("repos").get(headRepoId);
    const tip = repo && !pull.pull.isAgit && (await branchTip(site, repo, head));
    if (repo && tip && tip !== headSha) await moveHead(site, pull, repo, tip);
  }
}

/** Updates the head commit. The mergeability check follows later. */
async function moveHead(site: Site, pull: PullRecord, from: RepoRecord, sha: string): Promise<PullRecord> {
  const base = baseRepoOf(site, pull);
  await storeHead(site, base, pull.index, from, sha);
  const tip = await branchTip(site, base, pull.pull.base);
  const mergeBase = tip === undefined ? pull.pull.mergeBase : await mergeBaseOrTip(site, base, tip, sha);
  const check = { ...pull.pull.check, dueSince: site.clock() };
  const part = { ...pull.pull, headSha: sha, mergeBase, check };
  const next = saveIssue(site.store, { ...pull, updated_at: site.now(), pull: part });
  markReviewsStale(site, next);
  return next;
}

/** Closes a pull request. */
export function closePull(site: Site, pull: PullRecord): void {
  const at = site.now();
  saveIssue(site.store, { ...pull, state: "closed", closed_at: at, updated_at: at });
}

/** Reopens a closed pull request with the current head, even if the branch was deleted. */
export async function reopenPull(site: Site, pull: PullRecord): Promise<PullRecord> {
  const { headRepoId, head, headSha } = pull.pull;
  const repo = headRepoId === null ? undefined : site.table("repos").get(headRepoId);
  const tip = repo && !pull.pull.isAgit && (await branchTip(site, repo, head));
  const open: PullRecord = { ...pull, state: "open", closed_at: null, updated_at: site.now() };
  const moved = repo && tip && tip !== headSha ? await moveHead(site, open, repo, tip) : open;
  return checkNow(site, moved);
}

/** Closes and detaches the pull requests that have their head in a repository, before it is deleted. */
export function detachRepo(site: Site, repo: RepoRecord): void {
  const { store } = site;
  const at = site.now();
  for (const issue of store.table("issues").filter(({ pull }) => pull?.headRepoId === repo.id)) {
    if (issue.pull === null) continue;
    const closed = issue.state === "open" ? { state: "closed" as const, closed_at: at, updated_at: at } : {};
    saveIssue(store, { ...issue, ...closed, pull: { ...issue.pull, headRepoId: null } });
  }
}
