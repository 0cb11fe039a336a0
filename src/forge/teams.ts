import { Failure, type IgnoredField } from "../failure/failure.ts";
import { exists, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import {
  boolean,
  type Infer,
  integer,
  list,
  listedRecord,
  map,
  nullable,
  optional,
  string,
  using,
  words,
} from "../shape/shape.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { repository } from "./repos.ts";
import { loses } from "./undo.ts";
import { organization, user } from "./users.ts";

/** The units of a repository. Servers silently drop unknown ones (docs/server-differences.md, "Organizations and teams"). */
export const teamUnits = [
  ..."repo.code repo.issues repo.pulls repo.releases repo.wiki repo.ext_wiki repo.ext_issues".split(" "),
  ..."repo.projects repo.packages repo.actions".split(" "),
] as const;

/** What a team may do in a unit. */
export const unitAccess = ["none", "read", "write", "admin"] as const;

/** External trackers and wikis can only be read. */
export function unitAccessFor(unit: string, permission: string): string {
  return unit.startsWith("repo.ext_") ? "read" : permission;
}

/** The same access to these units, by default to all. */
export function unitsAt(permission: string, units: readonly string[] = teamUnits): Record<string, string> {
  return Object.fromEntries(units.map((unit) => [unit, unitAccessFor(unit, permission)]));
}

/** A team of an organization; `units` have no fixed order. */
export const team = listedRecord(
  "a team",
  {
    id: integer,
    name: string,
    description: optional(string),
    organization: optional(nullable(using(organization, "name"))),
    includes_all_repositories: optional(boolean),
    permission: optional(words("none", "read", "write", "admin", "owner")),
    units_map: optional(nullable(map(string))),
    can_create_org_repo: optional(boolean),
    visibility: optional(string),
  },
  { units: optional(nullable(list(string))) },
);

export type Team = Infer<typeof team>;

const missing = "Team {id}";
const inRepo = "Team {team}";

/** For members of the organization; 404 if the name is a user. */
export const teamList = operation("GET", "/orgs/{org}/teams", { answers: pagesOf(team, { unique: "id" }) });

export const ownTeamList = operation("GET", "/user/teams", { answers: pagesOf(team, { unique: "id" }) });

/** Quick, but finds only some of the teams on Forgejo. */
export const teamSearch = operation("GET", "/orgs/{org}/teams/search", {
  answers: pagesOf(team, { envelope: "data" }),
});

/** With its organization, which lists leave out. */
export const teamGet = operation("GET", "/teams/{id}", { answers: team, missing });

/** The team Owners keeps what it has, and Forgejo has no visibility (docs/server-differences.md, "Organizations and teams"). */
const applied = {
  reads: { units_map: ({ units_map: is }: Team, asked: unknown) => (hasOnly(is, asked) ? asked : is) },
  except: { permission: '"none" if the units differ' },
  answered: ["visibility"],
  hint(ignored: readonly IgnoredField[], stored: Team) {
    if (isOwners(stored)) return "The Owners team always has full access.";
    return ignored.some(({ name }) => name === "units_map")
      ? "If no unit has less than admin access, the server makes the team an administrator of all units."
      : "The server does not support it.";
  },
} as const;

/** Forgejo makes a team that has only units with admin access an administrator of all units. */
function hasOnly(is: Team["units_map"], asked: unknown): boolean {
  const wanted = new Map(Object.entries(asked ?? {}));
  return Object.entries(is ?? {}).every(
    ([unit, access]) => access === "none" || (wanted.get(unit) ?? "none") === access,
  );
}

/** The team that owns the organization. */
export function isOwners({ permission, name }: Team): boolean {
  return permission === "owner" || name.toLowerCase() === "owners";
}

/** The refusal to take a repository from a team that has all of them. */
export function hasAllRepositories(name: string): Failure {
  const hint = `To choose them one by one: tongs team edit ${name} --no-includes-all-repositories`;
  return new Failure("refused", `Team ${name} has access to all repositories of its organization`, { hint });
}

export const teamCreate = operation("POST", "/orgs/{org}/teams", {
  answers: team,
  undo: { by: "delete", key: "id", at: "/teams/{key}", usedBy: { at: "/teams/{key}/members" } },
  applied,
});

/** The permission alone does not restore the access to each unit, which `units_map` has. */
export const teamEdit = operation("PATCH", "/teams/{id}", {
  answers: team,
  missing,
  undo: {
    by: "restore",
    together: [
      { of: ["permission", "units", "units_map", "includes_all_repositories"], sends: ["permission", "units_map"] },
    ],
    leaves: {
      includes_all_repositories: {
        has: "name",
        from: false,
        shows: "name",
        what: "with the repositories that it was given",
      },
    },
  },
  applied,
});

/** Servers also delete the team Owners, after which nobody owns the organization. */
export const teamDelete = operation("DELETE", "/teams/{id}", { answers: nothing, missing });

export const teamMemberList = operation("GET", "/teams/{id}/members", {
  answers: pagesOf(user, { unique: "id" }),
  missing,
});

export const teamMemberCheck = operation("GET", "/teams/{id}/members/{username}", {
  answers: exists(user, ({ login }) => login),
  missing,
});

export const teamMemberAdd = operation("PUT", "/teams/{id}/members/{username}", {
  answers: nothing,
  missing,
});

/** 500 for the last owner. */
export const teamMemberRemove = operation("DELETE", "/teams/{id}/members/{username}", {
  answers: nothing,
  missing,
  undo: { by: "opposite", loses: loses.access },
});

export const teamRepoList = operation("GET", "/teams/{id}/repos", {
  answers: pagesOf(repository, { unique: "id" }),
  missing,
});

export const teamRepoCheck = operation("GET", "/teams/{id}/repos/{org}/{repo}", {
  answers: exists(repository, ({ full_name }) => full_name),
  missing,
});

/** 404 for a repository of another owner. */
export const teamRepoAdd = operation("PUT", "/teams/{id}/repos/{org}/{repo}", {
  answers: nothing,
  missing,
});

export const teamRepoRemove = operation("DELETE", "/teams/{id}/repos/{org}/{repo}", {
  answers: nothing,
  missing,
  undo: { by: "opposite", loses: loses.watches },
});

/** 405, as for the next three, if the repository is not in an organization. */
export const repoTeamList = operation("GET", "/repos/{owner}/{repo}/teams", {
  answers: pagesOf(team, { unpaged: true, unique: "id" }),
});

/** False also for an unknown team. */
export const repoTeamCheck = operation("GET", "/repos/{owner}/{repo}/teams/{team}", {
  answers: exists(team, ({ name }) => name),
  missing: inRepo,
});

/** 422 if the repository has the team. */
export const repoTeamAdd = operation("PUT", "/repos/{owner}/{repo}/teams/{team}", {
  answers: nothing,
  missing: inRepo,
});

/** 422 if it does not have it; 204 without effect for Owners. */
export const repoTeamRemove = operation("DELETE", "/repos/{owner}/{repo}/teams/{team}", {
  answers: nothing,
  missing: inRepo,
  undo: { by: "opposite", loses: loses.watches },
});

/** The team with a name, ignoring case. The search, which is quick, finds only some of the teams on Forgejo. */
export async function findTeam(http: Http, org: string, name: string): Promise<Team | undefined> {
  for (const listing of [call(http, teamSearch, { org, q: name }), call(http, teamList, { org })]) {
    for await (const one of listing.take(Number.POSITIVE_INFINITY)) {
      if (one.name.toLowerCase() === name.toLowerCase()) return one;
    }
  }
  return undefined;
}
