import pMap, { pMapSkip } from "p-map";
import { Failure } from "../failure/failure.ts";
import { collaboratorPermissionGet } from "../forge/collaborators.ts";
import { collect } from "../forge/listings.ts";
import { call } from "../forge/operation.ts";
import { reviewerList } from "../forge/repos.ts";
import type { Settings } from "../forge/setting.ts";
import { repoTeamList, type Team, teamMemberList } from "../forge/teams.ts";
import type { Http } from "../http/client.ts";
import { ifVisible, RefusedError } from "../http/errors.ts";
import { commandIn, commandOn } from "../profiles/server.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { once } from "../system/concurrency.ts";
import { joinWords } from "../text/words.ts";
import type { RepositoryContext } from "./context.ts";

type Place = Pick<RepositoryContext, "http" | "repo" | "server">;
type Fields = Readonly<Record<string, unknown>>;

/** A user or a team, and the access that a list needs. */
interface Listed {
  readonly what: string;
  readonly name: string;
  readonly access: "read" | "write";
}

/**
 * Throws for users and teams in the lists of a body whom a server would leave out (docs/server-differences.md, "Branches and
 * tags"): an edit has replaced the list by then. Who is on a list of `before` already is not looked at.
 */
export async function requireWriters(settings: Settings, body: Fields, before: Fields, place: Place): Promise<void> {
  const { http, repo } = place;
  const has = accessIn(http);
  const added = Object.entries(settings).flatMap(([field, { names: what, onlyWithAccess: access }]): Listed[] => {
    const names = lower(body[field]).filter((name) => !lower(before[field]).includes(name));
    return what === undefined || access === undefined ? [] : names.map((name) => ({ what, name, access }));
  });
  const found = await pMap(added, async (one) => ((await has(repo, one)) ? pMapSkip : one));
  const named = (what: string) => [...new Set(found.flatMap((one) => (one.what === what ? one.name : [])))];
  const [users, teams] = [named("user"), named("team")];
  const where = fullName(repo);
  const needed = found.some(({ access }) => access === "write") ? "who can write to" : "with access to";
  if (users.length > 0)
    throw new Failure("invalid", `Not users ${needed} ${where}: ${users.join(", ")}`, {
      hint: `The server would ignore them. To give access, run: ${commandIn(place, `tongs repo collaborator add ${joinWords(users)}`)}`,
    });
  if (teams.length > 0)
    throw new Failure("invalid", `Not teams that have ${where}: ${teams.join(", ")}`, {
      hint: `The server would ignore them. To give access, run: ${commandOn(place.server, joinWords(["tongs", "team", "repo", "add", `${repo.owner}/${teams[0]}`, repo.name]))}`,
    });
}

/**
 * Says whether a user or a team has the access to a repository that a list needs; teams that are hidden have it. Administrators of
 * the server can write anywhere. Each read is made once.
 */
function accessIn(http: Http): (repo: RepoName, one: Listed) => Promise<boolean> {
  // Repositories of users have no teams.
  const teamsOf = once(fullName, (repo) =>
    ifVisible(collect(call(http, repoTeamList, { repo }))).catch((error: unknown) => {
      if (error instanceof RefusedError && error.status === 405) return [];
      throw error;
    }),
  );
  const membersOf = once(String, (id: number) => logins(collect(call(http, teamMemberList, { id }))));
  const readersOf = once(fullName, (repo) => logins(collect(call(http, reviewerList, { repo }))));
  const permissionOf = once(
    (repo: RepoName, user: string) => `${fullName(repo)} ${user}`,
    (repo, collaborator) => ifVisible(call(http, collaboratorPermissionGet, { repo, collaborator })),
  );
  return async (repo, { what, name: typed, access }) => {
    const name = typed.toLowerCase();
    if (what === "team")
      return (await teamsOf(repo))?.some((one) => one.name.toLowerCase() === name && canRead(one)) ?? true;
    // The permission of a user does not have what teams give in single units, and that of a public repository is read.
    const writers = access === "read" ? [] : ((await teamsOf(repo)) ?? []).filter(canPush);
    const lists = await Promise.all(access === "read" ? [readersOf(repo)] : writers.map(({ id }) => membersOf(id)));
    if (lists.flat().includes(name)) return true;
    const { permission = "none" } = (await permissionOf(repo, name)) ?? {};
    // Administrators of the server who are not readers themselves may not list them.
    return permission === "read" ? lists.includes(undefined) : permission !== "none";
  };
}

const canPush = (team: Team) => !["none", "read"].includes(accessOf(team, "repo.code"));
const canRead = (team: Team) => ["repo.code", "repo.pulls"].some((unit) => accessOf(team, unit) !== "none");

/** What a team may do in a unit. */
function accessOf({ permission, units_map }: Team, unit: string): string {
  return (units_map ? units_map[unit] : permission) ?? "none";
}

async function logins(found: Promise<readonly { readonly login: string }[]>): Promise<string[] | undefined> {
  return (await ifVisible(found))?.map(({ login }) => login.toLowerCase());
}

/** The names of a list in lower case. */
function lower(list: unknown): string[] {
  return Array.isArray(list) ? list.map((name) => String(name).toLowerCase()) : [];
}
