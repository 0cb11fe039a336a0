import { Failure, type IgnoredField } from "../failure/failure.ts";
import { exists } from "../http/answers.ts";
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
  present,
  string,
  using,
  words,
} from "../shape/shape.ts";
import { collect } from "./listings.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { repository } from "./repos.ts";
import { type Settings, shapesOf } from "./setting.ts";
import { loses, undoCreate, undoEdit, undoToggle } from "./undo.ts";
import { organization, type User, user, visibilities } from "./users.ts";

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

/** What a team has besides its name and what it may do in each unit. */
export const teamSettings = {
  description: { shape: string, flag: "description" },
  includes_all_repositories: { shape: boolean, flag: "give access to all repositories of the organization" },
  can_create_org_repo: { shape: boolean, flag: "allow members to create repositories in the organization" },
  visibility: { shape: words(...visibilities), flag: "who can see the team" },
} as const satisfies Settings;

/** A team of an organization; `units` have no fixed order. */
export const team = listedRecord(
  "a team",
  {
    id: integer,
    name: string,
    ...shapesOf(teamSettings),
    organization: optional(nullable(using(organization, "name"))),
    permission: optional(words("none", "read", "write", "admin", "owner")),
    units_map: optional(nullable(map(string))),
  },
  { units: optional(nullable(list(string))) },
);

export type Team = Infer<typeof team>;

/** For members of the organization; 404 if the name is a user. */
export const teamList = operation("GET", "/orgs/{org}/teams", { answers: pagesOf(team) });

export const ownTeamList = operation("GET", "/user/teams", { answers: pagesOf(team) });

/** Quick, but finds only some of the teams on Forgejo. */
export const teamSearch = operation("GET", "/orgs/{org}/teams/search", {
  answers: pagesOf(team, { envelope: "data" }),
});

/** With its organization, which lists leave out. */
export const teamGet = operation("GET", "/teams/{id}", { answers: team });

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

/** Throws for a team that has all repositories: servers answer that one was taken from it, but it keeps it. */
export function requireOneByOne(org: string, { name, includes_all_repositories: hasAll }: TeamAccess): void {
  if (!hasAll) return;
  const hint = "To choose them one by one, edit the team with --no-includes-all-repositories.";
  throw new Failure("refused", `Team ${org}/${name} has access to all repositories of its organization`, { hint });
}

type TeamAccess = Pick<Team, "name" | "includes_all_repositories">;

export const teamCreate = operation("POST", "/orgs/{org}/teams", {
  answers: team,
  undo: undoCreate({
    at: "/teams/{key}",
    isUsed: async ({ id }, read, at) => (await read.list(at("/teams/{id}/members", { id: String(id) }))).length > 0,
  }),
  applied,
});

/** The permission alone does not restore the access to each unit, which `units_map` has. */
export const teamEdit = operation("PATCH", "/teams/{id}", {
  answers: team,
  undo: undoEdit({
    along: { permission: ["units_map"], units: ["permission", "units_map"], units_map: ["permission"] },
    adjust: ({ old, now, isChanged }) =>
      isChanged("includes_all_repositories") && old["includes_all_repositories"] === false
        ? { remaining: [`undo leaves ${now["name"]} with the repositories that it was given`] }
        : {},
  }),
  applied,
});

/** Servers also delete the team Owners, after which nobody owns the organization. */
export const teamDelete = operation("DELETE", "/teams/{id}");

export const teamMemberList = operation("GET", "/teams/{id}/members", { answers: pagesOf(user) });

export const teamMemberCheck = operation("GET", "/teams/{id}/members/{username}", {
  answers: exists(user, ({ login }) => login),
});

export const teamMemberAdd = operation("PUT", "/teams/{id}/members/{username}");

/** 500 for the last owner. */
export const teamMemberRemove = operation("DELETE", "/teams/{id}/members/{username}", {
  undo: undoToggle({ loses: loses.access }),
});

export const teamRepoList = operation("GET", "/teams/{id}/repos", { answers: pagesOf(repository) });

export const teamRepoCheck = operation("GET", "/teams/{id}/repos/{org}/{repo}", {
  answers: exists(repository, ({ full_name }) => full_name),
});

/** 404 for a repository of another owner. */
export const teamRepoAdd = operation("PUT", "/teams/{id}/repos/{org}/{repo}");

export const teamRepoRemove = operation("DELETE", "/teams/{id}/repos/{org}/{repo}", {
  undo: undoToggle({ loses: loses.watches }),
});

/** 405, as for the next three, if the repository is not in an organization. */
export const repoTeamList = operation("GET", "/repos/{owner}/{repo}/teams", {
  answers: pagesOf(team, { unpaged: true }),
});

/** False also for an unknown team. */
export const repoTeamCheck = operation("GET", "/repos/{owner}/{repo}/teams/{team}", {
  answers: exists(team, ({ name }) => name),
});

/** 422 if the repository has the team. */
export const repoTeamAdd = operation("PUT", "/repos/{owner}/{repo}/teams/{team}");

/** 422 if it does not have it; 204 without effect for Owners. */
export const repoTeamRemove = operation("DELETE", "/repos/{owner}/{repo}/teams/{team}", {
  undo: undoToggle({ loses: loses.watches }),
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

/** The owners of an organization; none if its teams are not listed. */
export async function ownersOf(http: Http, org: string): Promise<readonly User[]> {
  const team = await findTeam(http, org, "Owners");
  return team === undefined ? [] : present(await collect(call(http, teamMemberList, { id: team.id })));
}
