import { repoSettings } from "../../forge/repos.ts";
import type { SettingValues } from "../../forge/setting.ts";
import { userNamed } from "./accounts.ts";
import type { JobRecord, RunRecord } from "./records/actions.ts";
import type { RepoRecord } from "./records/repos.ts";
import type { Maker, Store } from "./store.ts";

/** The repository of an owner with a name, ignoring case. */
export function repoNamed(store: Store, ownerId: number, name: string): RepoRecord | undefined {
  const wanted = name.toLowerCase();
  return store.table("repos").find((repo) => repo.ownerId === ownerId && repo.name.toLowerCase() === wanted);
}

/** The repository at `owner/name`. */
export function repoAt(store: Store, owner: string, name: string): RepoRecord | undefined {
  const user = userNamed(store, owner);
  return user && repoNamed(store, user.id, name);
}

/** What a new repository has: all units, and all ways to merge. */
const isOnAtFirst = (name: string) => /^has_|^allow_(?!manual)|^default_allow/.test(name);

const firstSettings = {
  ...Object.fromEntries(Object.keys(repoSettings).map((name) => [name, isOnAtFirst(name)])),
  description: "",
  website: "",
  default_branch: "main",
  projects_mode: "all",
  default_merge_style: "merge",
  default_update_style: "merge",
} as SettingValues<typeof repoSettings>;

/** The settings of a repository in a body. */
export function settingsIn(body: object): Partial<typeof firstSettings> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in repoSettings));
}

/** Creates a repository record. `createBare` makes its git folder. */
export function newRepo(
  { store, now }: Maker,
  given: Partial<RepoRecord> & Pick<RepoRecord, "ownerId" | "name">,
): RepoRecord {
  store.table("repoRedirects").delete(`${given.ownerId}/${given.name.toLowerCase()}`);
  return store.table("repos").add({
    ...firstSettings,
    archived_at: null,
    empty: true,
    parentId: null,
    created_at: now(),
    updated_at: now(),
    branches: 0,
    size: 0,
    license: "",
    topics: [],
    watchers: [],
    tracker: null,
    wiki: null,
    ...given,
  });
}

/** A run of a repository by id. */
export function runOf(store: Store, repoId: number, id: number): RunRecord | undefined {
  const run = store.table("runs").get(id);
  return run?.repoId === repoId ? run : undefined;
}

/** The jobs of an attempt (default: the latest) in creation order. */
export function jobsOf(store: Store, run: RunRecord, attempt = run.starters.length): JobRecord[] {
  return store.table("jobs").filter((job) => job.runId === run.id && job.attempt === attempt);
}

/** Deletes a run with its jobs and artifacts. */
export function deleteRun(store: Store, run: RunRecord): void {
  for (const name of ["jobs", "artifacts"] as const)
    store.table(name).remove((one: { runId: number }) => one.runId === run.id);
  store.table("runs").delete(run.id);
}

/** Whether a workflow is disabled. */
export const isDisabled = (store: Store, repoId: number, file: string): boolean =>
  store.table("disabledWorkflows").get(`${repoId}/${file}`) !== undefined;
