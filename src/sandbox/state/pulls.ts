import { type IssueRecord, issueAt, issuesOf } from "./issues.ts";
import type { Store } from "./store.ts";

/** What makes an issue a pull request. Branches are short names; the base lies in the issue's repository. */
export interface PullPart {
  readonly id: number;
  readonly base: string;
  /** Nothing once the head repository is gone. */
  readonly headRepoId: number | null;
  readonly head: string;
  /** The head's commit at the last push: what `refs/pull/N/head` names. */
  readonly headSha: string;
  /** Where they parted; the base's commit for histories that have nothing in common. */
  readonly mergeBase: string;
  readonly check: Check;
  readonly allowsMaintainers: boolean;
  readonly merged: { readonly at: string; readonly commit: string; readonly byId: number } | null;
  readonly schedule: Schedule | null;
}

export type PullRecord = IssueRecord & { readonly pull: PullPart };

/** What the last check of mergeability found, and whether another one is due. */
export interface Check {
  readonly result: "mergeable" | "conflict" | "empty";
  /** Changed files that the base's rule protects. */
  readonly protectedFiles: readonly string[];
  /** The commits that those files were looked for in. */
  readonly range: string;
  /** When something happened that the check does not know of yet, in milliseconds. */
  readonly dueSince: number | null;
}

/** A merge that waits for the checks. */
export interface Schedule {
  readonly byId: number;
  readonly style: MergeStyle;
  readonly message: string;
  readonly deleteBranch: boolean;
}

export const mergeStyles = [
  "merge",
  "rebase",
  "rebase-merge",
  "squash",
  "fast-forward-only",
  "manually-merged",
] as const;
export type MergeStyle = (typeof mergeStyles)[number];

export function isPull(issue: IssueRecord | undefined): issue is PullRecord {
  return issue !== undefined && issue.pull !== null;
}

export function pullAt(store: Store, repoId: number, index: number): PullRecord | undefined {
  const issue = issueAt(store, repoId, index);
  return isPull(issue) ? issue : undefined;
}

export function pullsOf(store: Store, repoId: number): PullRecord[] {
  return issuesOf(store, repoId).filter(isPull);
}

/** Open pull requests, wherever, that a branch of a repository is the head of. */
export function openPullsFrom(store: Store, headRepoId: number, head: string): PullRecord[] {
  return openPulls(store).filter(({ pull }) => pull.headRepoId === headRepoId && pull.head === head);
}

/** Open pull requests into a branch of a repository. */
export function openPullsInto(store: Store, repoId: number, base: string): PullRecord[] {
  return openPulls(store).filter((one) => one.repoId === repoId && one.pull.base === base);
}

export function openPulls(store: Store): PullRecord[] {
  return store
    .table("issues")
    .filter((one) => one.state === "open")
    .filter(isPull);
}

/** Prefixes of a title that make a draft, in any case of letters. */
const draftPrefixes = ["wip:", "[wip]"];

export function isDraft({ title }: Pick<IssueRecord, "title">): boolean {
  return draftPrefixes.some((prefix) => title.toLowerCase().startsWith(prefix));
}
