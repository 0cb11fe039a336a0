import type { UserRecord } from "./state/records/accounts.ts";
import type { PullRecord } from "./state/records/issues.ts";
import type { LabelRecord, MilestoneRecord, RepoRecord } from "./state/records/repos.ts";
import type { Store } from "./state/store.ts";

/** The sandbox while it runs; every handler gets it. */
export interface Site {
  /** The configured address, without a slash at the end: what `Link` headers and API addresses are built from. */
  readonly root: string;
  readonly store: Store;
  /** Where everything is kept. */
  readonly folder: string;
  /** The folder of the bare repositories. */
  readonly repositories: string;
  /** The folder of the hooks that pushes go through. */
  readonly hooks: string;
  /** Environment of the git programs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly areas: readonly AreaCallbacks[];
  /** The present time as the API writes it. */
  readonly now: () => string;
  /** The same in milliseconds. */
  readonly clock: () => number;
  readonly delays: Delays;
  /** Does something a while later, in milliseconds, unless the sandbox ends before. */
  readonly later: (after: number, work: () => Promise<unknown>) => void;
  readonly log: (line: string) => void;
}

/** How long the servers take, in milliseconds, for what they do after they have answered. */
export interface Delays {
  /** Until a pull request whose branches changed counts as unchecked. */
  readonly checkStarts: number;
  /** Until its check is done. */
  readonly checkTakes: number;
  /** From the last thing that a scheduled merge waited for to the merge. */
  readonly autoMerge: number;
  /** How often a runner asks for a job; it takes one each time. With 0 every job begins at once. */
  readonly jobQueued: number;
  /** How long a step of a job takes besides its sleeps. */
  readonly jobStep: number;
  /** How long the signed address of an artifact holds. */
  readonly signedFor: number;
}

export interface Push {
  readonly repo: RepoRecord;
  readonly currentUser: UserRecord;
  readonly command: RefChange;
}

export interface RefsChanged {
  readonly repo: RepoRecord;
  readonly doer: UserRecord;
  readonly changes: readonly RefChange[];
}

/** What an area of the API contributes besides its routes: called when something happens in another area. */
export interface AreaCallbacks {
  /** After refs of a repository changed, by a push or by the API, still inside the write. */
  readonly refsChanged?: (site: Site, event: RefsChanged) => Promise<void> | void;
  /** When the sandbox starts, after the demonstration is in place: take up what was left. */
  readonly started?: (site: Site) => void;
  /** After a protection rule was made, changed or removed, still inside the write. */
  readonly rulesChanged?: (site: Site, repo: RepoRecord) => void;
  /** Before a repository's own record goes: remove what belongs to it. */
  readonly repoDeleted?: (site: Site, repo: RepoRecord) => void;
  /** After a public repository was made private. */
  readonly repoHidden?: (site: Site, repo: RepoRecord) => void;
  /** Before an account's own record goes: remove what belongs to it. */
  readonly userDeleted?: (site: Site, user: UserRecord) => void;
  /** Whether a push may change a ref: a refusal for the pusher, or "no force", or nothing against it. */
  readonly checkPush?: (site: Site, push: Push) => { readonly refuse: string } | "no force" | undefined;
  /** Branches that somebody without the right to write may push to nevertheless. */
  readonly pushableBranches?: (site: Site, repo: RepoRecord, user: UserRecord) => readonly string[];
  /** The number of the open pull request of a branch into the default branch, if there is one. */
  readonly openPull?: (site: Site, repo: RepoRecord, branch: string) => number | undefined;
  /** Whether a branch may not be deleted (the target of an open pull request). */
  readonly isBranchInUse?: (site: Site, repo: RepoRecord, branch: string) => boolean;
  /** Counters of a repository's record that this area keeps (`open_pr_counter` …). */
  readonly repoCounts?: (site: Site, repo: RepoRecord) => Readonly<Record<string, number>>;
  /** Issues and pull requests of a milestone that this area keeps. */
  readonly milestoneCounts?: (
    site: Site,
    milestone: MilestoneRecord,
  ) => { readonly open: number; readonly closed: number };
  /** Before a label or a milestone goes: take it off what carries it. */
  readonly labelDeleted?: (site: Site, label: LabelRecord) => void;
  readonly milestoneDeleted?: (site: Site, milestone: MilestoneRecord) => void;
  /** Counters of a user's record (`followers_count` …). */
  readonly userCounts?: (site: Site, user: UserRecord) => Readonly<Record<string, number>>;
  /** After a pull request was opened, or opened again, by somebody, still inside the write. */
  readonly pullOpened?: (
    site: Site,
    pull: PullRecord,
    doer: UserRecord,
    action: "opened" | "reopened",
  ) => Promise<void>;
  /** Adds to the demonstration project; runs once, inside a write, in the order of the areas. */
  readonly demo?: (site: Site) => Promise<void> | void;
}

/** A ref that was made (`from` undefined), moved, or deleted (`to` undefined). */
export interface RefChange {
  readonly ref: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}
