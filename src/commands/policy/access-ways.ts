import pMap from "p-map";
import { collaboratorList, collaboratorPermissionGet } from "../../forge/collaborators.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { orgMemberList } from "../../forge/orgs.ts";
import { ownRepoList, type Repository, repoGet } from "../../forge/repos.ts";
import { repoTeamList, type Team, teamMemberList, teamUnits } from "../../forge/teams.ts";
import { currentUserGet, sentAs, type User } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import { DeniedError, HttpError, ifVisible, isFound } from "../../http/errors.ts";
import type { Listing } from "../../http/pages.ts";
import { maxConnections } from "../../http/transport.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { present } from "../../shape/shape.ts";

/** A way by which somebody may do something in a repository. */
export interface Way {
  readonly repository: string;
  /** Null if it is everybody, or those whom the server does not list for this user. */
  readonly user: string | null;
  /** `not known` if the server does not say it to this user. */
  readonly permission: string;
  readonly by: "owner" | "team" | "member" | "collaborator" | "signed in" | "public";
  readonly team: string | null;
  /** What a team may do in each unit that it has; null if that is the same in all. */
  readonly units: Readonly<Record<string, string>> | null;
}

/** How many repositories are read at a time. */
const jobs = 8;

export const notKnown = "not known";

const levels = ["none", "read", "write", "admin", "owner"];

/**
 * The ways into repositories, by their order: two requests for each, or one if it has no teams, one for each team and private
 * organization, and one for each collaborator; of administrators, at most one list for each user who is a collaborator if that is less. What a
 * collaborator may do includes what teams give. What the user may not read is not known.
 */
export async function waysInto(repos: readonly Repository[], http: Http): Promise<Way[]> {
  const members = membersBy(
    ({ id }: Team) => id,
    (team) => call(http, teamMemberList, { id: team.id }),
  );
  const orgMembers = membersBy(String, (org) => call(http, orgMemberList, { org }));
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
  const pairs = found.flatMap(({ repo, logins }) => logins.map((login) => ({ repository: repo.full_name, login })));
  const permissionOf = await permissions(pairs, repos.length, http);
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
        const permission = permissionOf(repo.full_name, login);
        return { ...way, user: login, permission, by: "collaborator" as const };
      }),
      ...hidden,
      ...openTo(repo).map((by) => ({ ...way, user: null, permission: "read", by })),
    ];
  });
}

/**
 * The ways that are open to all and that a restricted user has, too, by themselves: servers differ in what they show such a user
 * (docs/server-differences.md, "Users: accounts"), so they are asked as the user. `not known` where that is not possible.
 */
export async function readableBy(user: User, open: readonly Way[], http: Http): Promise<ReadonlyMap<Way, Way>> {
  const isSelf = (await call(http, currentUserGet, {})).login === user.login;
  const isAsked = isSelf || (await canActAs(user.login, http));
  const found = await pMap(
    open,
    async (way) => {
      const unknown = [way, { ...way, permission: notKnown }] as const;
      if (!isAsked) return [unknown];
      const asked = call(
        http,
        repoGet,
        { repo: parseRepo(way.repository) },
        undefined,
        isSelf ? {} : sentAs(user.login),
      );
      return (await isFound(asked)) ? [[way, way] as const] : [];
    },
    { concurrency: maxConnections },
  );
  return new Map(found.flat());
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

/** The members of a team or an organization, asked for once; undefined if the server does not show them to the user. */
function membersBy<T>(
  keyOf: (of: T) => unknown,
  list: (of: T) => Listing<User>,
): (of: T) => Promise<readonly User[] | undefined> {
  const asked = new Map<unknown, Promise<readonly User[] | undefined>>();
  return (of) => {
    const before = asked.get(keyOf(of));
    if (before !== undefined) return before;
    const found = ifVisible(collect(list(of))).then((users) => users && present(users));
    asked.set(keyOf(of), found);
    return found;
  };
}

async function teamWays(
  repo: Repository,
  team: Team,
  members: (team: Team) => Promise<readonly User[] | undefined>,
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
  return ((await members(team)) ?? [null]).map((user) => ({ ...way, user: user?.login ?? null }));
}

interface Pair {
  readonly repository: string;
  readonly login: string;
}

/** What each collaborator may do, by two requests for each repository on average, or the lists of the users. */
async function permissions(pairs: readonly Pair[], repos: number, http: Http) {
  const found = new Map<string, string>();
  const key = (repository: string, login: string) => `${repository} ${login}`.toLowerCase();
  if (pairs.length > 2 * repos) {
    const logins = [...new Set(pairs.map(({ login }) => login))];
    if (await canActAs(logins[0] ?? "", http)) {
      const read = async (login: string) => {
        for (const { full_name, permissions: may } of await reposOf(login, http)) {
          const permission = may?.admin ? "admin" : may?.push ? "write" : "read";
          found.set(key(full_name, login), permission);
        }
      };
      await pMap(logins, read, { concurrency: jobs });
    }
  }
  const left = pairs.filter(({ repository, login }) => !found.has(key(repository, login)));
  const ask = async ({ repository, login }: Pair) => {
    const place = { repo: parseRepo(repository), collaborator: login };
    const answer = await ifVisible(call(http, collaboratorPermissionGet, place));
    found.set(key(repository, login), answer?.permission ?? notKnown);
  };
  await pMap(left, ask, { concurrency: maxConnections });
  return (repository: string, login: string) => found.get(key(repository, login)) ?? "none";
}

/** Whether the user is an administrator whose token can act as another user, on a server that takes the header. */
export async function canActAs(login: string, http: Http): Promise<boolean> {
  try {
    return (await call(http, currentUserGet, {}, undefined, sentAs(login))).login === login;
  } catch (error) {
    if (error instanceof DeniedError) return false;
    throw error;
  }
}

/** The repositories of a user, with what the user may do; none for a user as whom nobody can act. */
async function reposOf(login: string, http: Http): Promise<readonly Repository[]> {
  try {
    return await collect(call(http, ownRepoList, {}, undefined, sentAs(login)));
  } catch (error) {
    if (error instanceof DeniedError) return [];
    throw error;
  }
}
