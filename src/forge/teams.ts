import { exists, json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
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
import { repository } from "./repos.ts";
import { organization, user } from "./users.ts";

/** The units of a repository. Servers silently drop unknown ones (docs/server-differences.md, "Organizations and teams"). */
export const teamUnits = [
  ..."repo.code repo.issues repo.pulls repo.releases repo.wiki repo.ext_wiki repo.ext_issues".split(" "),
  ..."repo.projects repo.packages repo.actions".split(" "),
] as const;

/** What a team may do in a unit. */
export const unitAccess = ["none", "read", "write", "admin"] as const;

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
    units: optional(nullable(list(string))),
    units_map: optional(nullable(map(string))),
    can_create_org_repo: optional(boolean),
    visibility: optional(string),
  },
  [
    "id",
    "name",
    "description",
    "organization",
    "includes_all_repositories",
    "permission",
    "units_map",
    "can_create_org_repo",
    "visibility",
  ],
);

export type Team = Infer<typeof team>;

/** The body of `PATCH /teams/{id}`. `units_map` has the access to each unit. */
export interface EditTeamOption {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly permission?: string | undefined;
  readonly units_map?: Readonly<Record<string, string>> | undefined;
  readonly includes_all_repositories?: boolean | undefined;
  readonly can_create_org_repo?: boolean | undefined;
  readonly visibility?: string | undefined;
}

/** The body of `POST /orgs/{org}/teams`. */
export interface CreateTeamOption extends EditTeamOption {
  readonly name: string;
}

/** Teams of organizations (docs/server-differences.md, "Organizations and teams"). */
export function teamsApi(http: Http) {
  const ofOrg = (org: string) => http.list(path`/orgs/${org}/teams`, { items: team, unique: "id" });
  return {
    /** For members of the organization; 404 if the name is a user. */
    ofOrg,

    mine: () => http.list(path`/user/teams`, { items: team, unique: "id" }),

    /** The team with a name, ignoring case. The search, which is quick, finds only some of the teams on Forgejo. */
    async named(org: string, name: string): Promise<Team | undefined> {
      const search = http.list(path`/orgs/${org}/teams/search`, { items: team, query: { q: name }, envelope: "data" });
      for (const listing of [search, ofOrg(org)]) {
        for await (const one of listing.take(Number.POSITIVE_INFINITY)) {
          if (one.name.toLowerCase() === name.toLowerCase()) return one;
        }
      }
      return undefined;
    },

    /** With its organization, which lists leave out. */
    get: (id: number) => http.get(path`/teams/${id}`, { answers: json(team) }),

    create: (org: string, body: CreateTeamOption) => http.post(path`/orgs/${org}/teams`, { body, answers: json(team) }),

    edit: (id: number, body: EditTeamOption) => http.patch(path`/teams/${id}`, { body, answers: json(team) }),

    /** Servers also delete the team Owners, after which nobody owns the organization. */
    delete: (id: number) => http.delete(path`/teams/${id}`, { answers: nothing }),

    members: (id: number) => http.list(path`/teams/${id}/members`, { items: user, unique: "id" }),

    hasMember: (id: number, name: string) =>
      http.get(path`/teams/${id}/members/${name}`, { answers: exists(user, ({ login }) => login) }),

    addMember: (id: number, name: string) => http.put(path`/teams/${id}/members/${name}`, { answers: nothing }),

    /** 500 for the last owner. */
    removeMember: (id: number, name: string) => http.delete(path`/teams/${id}/members/${name}`, { answers: nothing }),

    repos: (id: number) => http.list(path`/teams/${id}/repos`, { items: repository, unique: "id" }),

    hasRepo: (id: number, repo: RepoName) =>
      http.get(path`/teams/${id}/repos/${repo.owner}/${repo.name}`, {
        answers: exists(repository, ({ full_name }) => full_name),
      }),

    /** 404 for a repository of another owner. */
    addRepo: (id: number, repo: RepoName) =>
      http.put(path`/teams/${id}/repos/${repo.owner}/${repo.name}`, { answers: nothing }),

    removeRepo: (id: number, repo: RepoName) =>
      http.delete(path`/teams/${id}/repos/${repo.owner}/${repo.name}`, { answers: nothing }),
  };
}

/** The teams of a repository. 405 if it is not in an organization. */
export function repoTeamsApi(http: Http) {
  const one = (repo: RepoName, name: string) => path`/repos/${repo.owner}/${repo.name}/teams/${name}`;
  return {
    list: (repo: RepoName) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/teams`, { items: team, unpaged: true, unique: "id" }),

    /** False also for an unknown team. */
    has: (repo: RepoName, name: string) => http.get(one(repo, name), { answers: exists(team, ({ name }) => name) }),

    /** 422 if the repository has the team. */
    add: (repo: RepoName, name: string) => http.put(one(repo, name), { answers: nothing }),

    /** 422 if it does not have it; 204 without effect for Owners. */
    remove: (repo: RepoName, name: string) => http.delete(one(repo, name), { answers: nothing }),
  };
}
