import type { Store } from "./store.ts";

export type AccessWord = "none" | "read" | "write" | "admin" | "owner";

/** A team of an organization. The team `Owners` has the right `owner`. */
export interface TeamRecord {
  readonly id: number;
  readonly orgId: number;
  readonly name: string;
  readonly description: string;
  readonly permission: AccessWord;
  /** Right by unit (`repo.code` …) for teams whose permission is not `admin` or `owner`. */
  readonly units: Readonly<Record<string, AccessWord>>;
  readonly includes_all_repositories: boolean;
  readonly can_create_org_repo: boolean;
  readonly visibility: string;
  readonly members: readonly number[];
  readonly repos: readonly number[];
}

/** The units of a repository, as the API names them. */
export const unitNames = [
  "repo.code",
  "repo.issues",
  "repo.pulls",
  "repo.releases",
  "repo.wiki",
  "repo.ext_wiki",
  "repo.ext_issues",
  "repo.projects",
  "repo.packages",
  "repo.actions",
] as const;

export function newTeam(
  store: Store,
  given: Partial<TeamRecord> & { readonly orgId: number; readonly name: string },
): TeamRecord {
  const id = store.nextId("teams");
  return store.table("teams").put(id, {
    id,
    description: "",
    permission: "read",
    units: {},
    includes_all_repositories: false,
    can_create_org_repo: false,
    visibility: "limited",
    members: [],
    repos: [],
    ...given,
  });
}

/** The teams of an organization that a user is in. */
export function teamsOf(store: Store, orgId: number, userId: number): TeamRecord[] {
  return store.table("teams").filter((team) => team.orgId === orgId && team.members.includes(userId));
}

export function ownsOrganization(store: Store, orgId: number, userId: number): boolean {
  return teamsOf(store, orgId, userId).some((team) => team.permission === "owner");
}
