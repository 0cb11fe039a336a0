import pMap from "p-map";
import { collaboratorList, collaboratorPermissionGet } from "../../forge/collaborators.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { orgMemberList } from "../../forge/orgs.ts";
import type { Repository } from "../../forge/repos.ts";
import { repoTeamList, type Team, teamMemberList, teamUnits } from "../../forge/teams.ts";
import type { User } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import { HttpError, ifVisible } from "../../http/errors.ts";
import type { Listing } from "../../http/pages.ts";
import { maxConnections } from "../../http/transport.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { type Infer, map, nullable, present, record, string, words } from "../../shape/shape.ts";
import { once } from "../../system/concurrency.ts";

/** A way by which somebody may do something in a repository. */
export const way = record({
  repository: string,
  /** Null if it is everybody, or those whom the server does not list for this user. */
  user: nullable(string),
  /** `not known` if the server does not say it to this user. */
  permission: string,
  by: words("owner", "team", "member", "collaborator", "signed in", "public"),
  team: nullable(string),
  /** What a team may do in each unit that it has; null if that is the same in all. */
  units: nullable(map(string)),
});

export type Way = Infer<typeof way>;

/** How many repositories are read at a time. */
const jobs = 8;

export const notKnown = "not known";

const levels = ["none", "read", "write", "admin", "owner"];

/**
 * The ways into repositories, by their order: two requests for each, or one if it has no teams, one for each team and private
 * organization, and one for each collaborator. What a collaborator may do includes what teams give. What the user may not read is not known.
 */
export async function waysInto(repos: readonly Repository[], http: Http): Promise<Way[]> {
  // Undefined if the server does not show them to the user.
  const listed = async (users: Listing<User>) => {
    const found = await ifVisible(collect(users));
    return found && present(found);
  };
  const members = once(String, (id: number) => listed(call(http, teamMemberList, { id })));
  const orgMembers = once(String, (org: string) => listed(call(http, orgMemberList, { org })));
  const found = await pMap(
    repos,
    async (repo) => {
      const place = { repo: parseRepo(repo.full_name) };
      const [teams, collaborators] = await Promise.all([
        ifVisible(collect(call(http, repoTeamList, place)).catch(noTeams)),
        ifVisible(collect(call(http, collaboratorList, place))),
      ]);
      const known = teams === undefined || teams === "none" ? [] : present(teams);
      const byTeam = await Promise.all(known.map((team) => teamWays(repo, team, members)));
      const way = { repository: repo.full_name, user: null, permission: notKnown, team: null, units: null };
      return {
        repo,
        isOwned: teams === "none",
        byTeam: teams === undefined ? [{ ...way, by: "team" as const }] : byTeam.flat(),
        byMembership: teams !== "none" && isOpenToMembers(repo) ? await orgMembers(place.repo.owner) : [],
        hidden: collaborators === undefined ? [{ ...way, by: "collaborator" as const }] : [],
        logins: present(collaborators).map(({ login }) => login),
      };
    },
    { concurrency: jobs },
  );
  const pairs = found.flatMap(({ repo, logins }) => logins.map((login) => ({ repo: repo.full_name, login })));
  const answers = await pMap(
    pairs,
    async ({ repo, login }) => {
      const place = { repo: parseRepo(repo), collaborator: login };
      return (await ifVisible(call(http, collaboratorPermissionGet, place)))?.permission ?? notKnown;
    },
    { concurrency: maxConnections },
  );
  const permissions = new Map(pairs.map(({ repo, login }, index) => [`${repo} ${login}`, answers[index] ?? notKnown]));
  return found.flatMap(({ repo, isOwned, byTeam, byMembership = [null], hidden, logins }) => {
    const way = { repository: repo.full_name, team: null, units: null };
    const owner = repo.owner?.login;
    return [
      ...(isOwned && owner !== undefined ? [{ ...way, user: owner, permission: "owner", by: "owner" as const }] : []),
      ...byTeam,
      ...byMembership
        .filter((user) => user?.restricted !== true)
        .map((user) => ({ ...way, user: user?.login ?? null, permission: "read", by: "member" as const })),
      ...logins.map((login) => {
        const permission = permissions.get(`${repo.full_name} ${login}`) ?? notKnown;
        return { ...way, user: login, permission, by: "collaborator" as const };
      }),
      ...hidden,
      ...openTo(repo).map((by) => ({ ...way, user: null, permission: "read", by })),
    ];
  });
}

/** Only repositories of organizations have teams (405). */
function noTeams(error: unknown): "none" {
  if (error instanceof HttpError && error.exchange.status === 405) return "none";
  throw error;
}

function openTo({ private: isPrivate, internal, owner }: Repository): ("public" | "signed in")[] {
  if (isPrivate === true || owner?.visibility === "private") return [];
  return [internal === true || owner?.visibility === "limited" ? "signed in" : "public"];
}

/**
 * In a private organization, the members of any team who are not restricted can read what is not private (docs/server-differences.md, "Organizations
 * and teams").
 */
function isOpenToMembers({ private: isPrivate, owner }: Repository): boolean {
  return isPrivate !== true && owner?.visibility === "private";
}

async function teamWays(
  repo: Repository,
  team: Team,
  members: (id: number) => Promise<readonly User[] | undefined>,
): Promise<Way[]> {
  const { name, permission = "none", units_map } = team;
  const access = Object.values(units_map ?? {});
  const most = levels[Math.max(levels.indexOf(permission), ...access.map((one) => levels.indexOf(one)))] ?? permission;
  const isAdmin = permission === "owner" || permission === "admin";
  // External trackers and wikis can only be read.
  const others = teamUnits.filter((unit) => !unit.startsWith("repo.ext_"));
  const differs = !isAdmin && access.length > 0 && others.some((unit) => units_map?.[unit] !== most);
  const units = Object.entries(units_map ?? {}).filter(([, one]) => one !== "none");
  const way = {
    repository: repo.full_name,
    permission: most,
    by: "team" as const,
    team: name,
    units: differs ? Object.fromEntries(units) : null,
  };
  return ((await members(team.id)) ?? [null]).map((user) => ({ ...way, user: user?.login ?? null }));
}
