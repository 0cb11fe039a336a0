import { Failure } from "../failure/failure.ts";
import type { ListsOfWriters } from "../forge/branch-protections.ts";
import { collaboratorPermissionGet } from "../forge/collaborators.ts";
import { collect } from "../forge/listings.ts";
import { call } from "../forge/operation.ts";
import { assigneeList } from "../forge/repos.ts";
import { repoTeamList } from "../forge/teams.ts";
import { ifVisible, RefusedError } from "../http/errors.ts";
import { fullName } from "../repo/repo-name.ts";
import type { RepositoryContext } from "./context.ts";

/** The lists of a protection, by the fields of the API. */
export type Lists = Readonly<Record<string, unknown>>;

type Place = Pick<RepositoryContext, "http" | "repo">;

/** A name that a server would leave out of a list, in lower case. */
export interface LeftOut {
  readonly field: string;
  readonly of: keyof ListsOfWriters;
  readonly name: string;
}

/** Reads once, when it is needed, who can write to a repository and which teams have it; undefined is what is hidden. */
export function accessIn({ http, repo }: Place) {
  let writers: Promise<ReadonlySet<string> | undefined> | undefined;
  let teams: Promise<ReadonlySet<string> | undefined> | undefined;
  return {
    // Who can be assigned: owners, collaborators who can write, and the teams that can write something.
    users: () =>
      (writers ??= ifVisible(collect(call(http, assigneeList, { repo }))).then((all) =>
        namesIn(all?.map(({ login }) => login)),
      )),
    teams: () => (teams ??= teamsOf({ http, repo }).then((all) => namesIn(all?.map(({ name }) => name)))),
    /** Whether one who cannot be assigned can write, as administrators of the server can; false if it is hidden. */
    async canWrite(collaborator: string): Promise<boolean> {
      const found = await ifVisible(call(http, collaboratorPermissionGet, { repo, collaborator }));
      return !["read", "none"].includes(found?.permission ?? "none");
    },
  };
}

function namesIn(all: readonly string[] | undefined) {
  return all && new Set(all.map((name) => name.toLowerCase()));
}

/** Repositories of users have no teams. */
function teamsOf({ http, repo }: Place) {
  return ifVisible(collect(call(http, repoTeamList, { repo }))).catch((error: unknown) => {
    if (error instanceof RefusedError && error.status === 405) return [];
    throw error;
  });
}

/**
 * The users and teams in the lists of a body whom a server would leave out (docs/server-differences.md, "Branches and tags").
 * Who is on a list of `before` already is not looked at.
 */
export async function leftOut(
  lists: ListsOfWriters,
  body: Lists,
  before: Lists,
  access: ReturnType<typeof accessIn>,
): Promise<LeftOut[]> {
  const added = (["users", "teams"] as const).flatMap((of) =>
    lists[of].flatMap((field) =>
      lower(body[field])
        .filter((name) => !lower(before[field]).includes(name))
        .map((name) => ({ field, of, name })),
    ),
  );
  const found = await Promise.all(
    added.map(async (one) => {
      const known = await access[one.of]();
      if (known === undefined || known.has(one.name)) return [];
      return one.of === "users" && (await access.canWrite(one.name)) ? [] : [one];
    }),
  );
  return found.flat();
}

/** Throws for users and teams of whom `leftOut` tells: an edit has replaced the list by then. */
export async function requireWriters(lists: ListsOfWriters, body: Lists, before: Lists, place: Place): Promise<void> {
  const others = await leftOut(lists, body, before, accessIn(place));
  const named = (of: LeftOut["of"]) => [...new Set(others.filter((one) => one.of === of).map(({ name }) => name))];
  const [users, teams] = [named("users"), named("teams")];
  const { owner, name } = place.repo;
  const where = fullName(place.repo);
  if (users.length > 0)
    throw new Failure("invalid", `Not users who can write to ${where}: ${users.join(", ")}`, {
      hint: `The server would ignore them. To give access, run: tongs repo collaborator add ${users.join(" ")}`,
    });
  if (teams.length > 0)
    throw new Failure("invalid", `Not teams that have ${where}: ${teams.join(", ")}`, {
      hint: `The server would ignore them. To give access, run: tongs team repo add ${owner}/${teams[0]} ${name}`,
    });
}

/** The names of a list in lower case. */
export function lower(list: unknown): string[] {
  return Array.isArray(list) ? list.map((name) => String(name).toLowerCase()) : [];
}
