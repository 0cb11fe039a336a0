import type { Store } from "./store.ts";
import type { AccessWord } from "./teams.ts";
import { userNamed } from "./users.ts";

/** A repository. What git knows (branches, commits) is not repeated here. Times are RFC 3339. */
export interface RepoRecord {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  readonly description: string;
  readonly website: string;
  readonly private: boolean;
  readonly template: boolean;
  readonly archived: boolean;
  readonly archived_at: string | null;
  /** True until the first commit arrives. */
  readonly empty: boolean;
  readonly default_branch: string;
  readonly parentId: number | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** How many branches there are, so that a record can be shown without asking git. */
  readonly branches: number;
  /** KiB of objects. */
  readonly size: number;
  /** The licence that it was made with, by its usual short name. */
  readonly license: string;
  readonly topics: readonly string[];
  readonly watchers: readonly number[];
  readonly units: Readonly<Record<UnitSwitch, boolean>>;
  readonly settings: RepoSettings;
  /** An external tracker and wiki, as they were given. */
  readonly tracker: Readonly<Record<string, unknown>> | null;
  readonly wiki: Readonly<Record<string, unknown>> | null;
}

export const unitSwitches = [
  "has_code",
  "has_issues",
  "has_wiki",
  "has_pull_requests",
  "has_projects",
  "has_releases",
  "has_packages",
  "has_actions",
] as const;
export type UnitSwitch = (typeof unitSwitches)[number];

/** The pull request settings, by their wire names. */
export const defaultSettings = {
  projects_mode: "all",
  ignore_whitespace_conflicts: false,
  allow_merge_commits: true,
  allow_rebase: true,
  allow_rebase_explicit: true,
  allow_squash_merge: true,
  allow_fast_forward_only_merge: true,
  allow_merge_update: true,
  allow_rebase_update: true,
  allow_manual_merge: false,
  autodetect_manual_merge: false,
  default_delete_branch_after_merge: false,
  default_merge_style: "merge",
  default_update_style: "merge",
  default_allow_maintainer_edit: true,
};
export type RepoSettings = Readonly<typeof defaultSettings>;

export interface Collaboration {
  readonly repoId: number;
  readonly userId: number;
  readonly access: AccessWord;
}

/** A repository by its owner's number and its name, in any case of letters. */
export function repoNamed(store: Store, ownerId: number, name: string): RepoRecord | undefined {
  const wanted = name.toLowerCase();
  return store.table("repos").find((repo) => repo.ownerId === ownerId && repo.name.toLowerCase() === wanted);
}

/** A repository by `owner/name`. */
export function repoAt(store: Store, owner: string, name: string): RepoRecord | undefined {
  const user = userNamed(store, owner);
  return user && repoNamed(store, user.id, name);
}

/** Records a new repository; its git folder is made by `git/create.ts`. */
export function newRepo(
  store: Store,
  now: string,
  given: Partial<RepoRecord> & { readonly ownerId: number; readonly name: string },
): RepoRecord {
  const id = store.nextId("repos");
  store.table("repoRedirects").delete(`${given.ownerId}/${given.name.toLowerCase()}`);
  return store.table("repos").put(id, {
    id,
    description: "",
    website: "",
    private: false,
    template: false,
    archived: false,
    archived_at: null,
    empty: true,
    default_branch: "main",
    parentId: null,
    created_at: now,
    updated_at: now,
    branches: 0,
    size: 0,
    license: "",
    topics: [],
    watchers: [],
    units: Object.fromEntries(unitSwitches.map((unit) => [unit, true])) as Record<UnitSwitch, boolean>,
    settings: defaultSettings,
    tracker: null,
    wiki: null,
    ...given,
  });
}
