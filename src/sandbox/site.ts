import type { Release } from "./release.ts";
import type { UserRecord } from "./state/records/accounts.ts";
import type { RepoRecord } from "./state/records/repos.ts";
import type { Store } from "./state/store.ts";

/** A running sandbox. Every handler receives it. */
export interface Site {
  /** The release that it behaves like. */
  readonly release: Release;
  /** The configured root URL without a trailing slash, used in `Link` headers and API URLs. */
  readonly root: string;
  readonly store: Store;
  /** A table of the store. */
  readonly table: Store["table"];
  /** The folders of all data, of the bare repositories, and of the git hooks run for pushes. */
  readonly folder: string;
  readonly repositories: string;
  readonly hooks: string;
  /** The environment of git processes. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly callbacks: readonly Callbacks[];
  /** The current time in the format of the API. */
  readonly now: () => string;
  /** The current time in milliseconds since the epoch. */
  readonly clock: () => number;
  readonly delays: Delays;
  /** Runs work after a delay in milliseconds, unless the sandbox is closed first. */
  readonly later: (after: number, work: () => Promise<unknown>) => void;
  readonly log: (line: string) => void;
}

/** A repository of a sandbox. The calls of its routes are one. */
export interface RepoAt {
  readonly site: Site;
  readonly repo: RepoRecord;
}

/** How long a server takes for background work, in milliseconds. */
export interface Delays {
  /** From the last event a scheduled merge waited for to the merge. */
  readonly autoMerge: number;
  /** How long a job waits for a runner. With 0 every job starts immediately. */
  readonly jobQueued: number;
  /** How long a step of a job takes, in addition to its sleep commands. */
  readonly jobStep: number;
  /** How long the signed URL of an artifact is valid. */
  readonly signedFor: number;
  /** How often the state is written to the folder, if it changed. */
  readonly save: number;
}

/** The ref changes of a push or an API request. */
export interface RefsChanged {
  readonly repo: RepoRecord;
  readonly doer: UserRecord;
  readonly changes: readonly RefChange[];
  /** The branch that the changes rename. This is no push: its pull requests follow, and no run starts. */
  readonly renamed?: { readonly from: string; readonly to: string } | undefined;
}

/** What is done at events. */
export interface Callbacks {
  /** Called after refs changed, by a push or through the API, within the same write. */
  readonly refsChanged?: (site: Site, event: RefsChanged) => Promise<void> | void;
  /** Called when the sandbox has started and its demo data exists: resumes pending work. */
  readonly started?: (site: Site) => void;
}

/** A ref that was created (`from` is undefined), updated or deleted (`to` is undefined). */
export interface RefChange {
  readonly ref: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}
