import { userNamed } from "./accounts.ts";
import { defaultSettings, type RepoRecord, type UnitSwitch, unitSwitches } from "./records/repos.ts";
import type { Store } from "./store.ts";

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
