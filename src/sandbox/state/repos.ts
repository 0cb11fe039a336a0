import { userNamed } from "./accounts.ts";
import type { JobRecord, RunRecord } from "./records/actions.ts";
import { defaultSettings, type RepoRecord, type UnitSwitch, unitSwitches } from "./records/repos.ts";
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

/** Creates a repository record. `createBare` makes its git folder. */
export function newRepo(
  { store, now }: Maker,
  given: Partial<RepoRecord> & Pick<RepoRecord, "ownerId" | "name">,
): RepoRecord {
  store.table("repoRedirects").delete(`${given.ownerId}/${given.name.toLowerCase()}`);
  return store.table("repos").add({
    description: "",
    website: "",
    private: false,
    template: false,
    archived: false,
    archived_at: null,
    empty: true,
    default_branch: "main",
    parentId: null,
    created_at: now(),
    updated_at: now(),
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

/** The key in the table of disabled workflows. */
export const disabledWorkflowKey = (repoId: number, file: string): string => `${repoId}/${file}`;
