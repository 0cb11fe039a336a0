import { Failure } from "../failure/failure.ts";
import { collect } from "../forge/listings.ts";
import { call } from "../forge/operation.ts";
import { assigneeList } from "../forge/repos.ts";
import { ifVisible } from "../http/errors.ts";
import { fullName } from "../repo/repo-name.ts";
import type { RepositoryContext } from "./context.ts";

/** The lists of a protection, by the fields of the API. */
export type Lists = Readonly<Record<string, unknown>>;

/**
 * Throws for users in the named lists of a body who cannot write to the repository: servers leave them out, and an edit has
 * replaced the list by then (docs/server-differences.md, "Branches and tags"). Who is on a list of `before` already is not
 * looked at.
 */
export async function requireWriters(
  names: readonly string[],
  body: Lists,
  before: Lists,
  { http, repo }: Pick<RepositoryContext, "http" | "repo">,
): Promise<void> {
  const added = names.flatMap((name) => lower(body[name]).filter((user) => !lower(before[name]).includes(user)));
  if (added.length === 0) return;
  // Who can be assigned: owners, collaborators who can write, and the teams that can write something.
  const assignable = await ifVisible(collect(call(http, assigneeList, { repo })));
  const writers = new Set(assignable?.map(({ login }) => login.toLowerCase()));
  const others = [...new Set(added)].filter((user) => !writers.has(user));
  if (assignable === undefined || others.length === 0) return;
  throw new Failure("invalid", `Not users who can write to ${fullName(repo)}: ${others.join(", ")}`, {
    hint: `The server would ignore them. To give access, run: tongs repo collaborator add ${others.join(" ")}`,
  });
}

/** The names of a list in lower case. */
export function lower(list: unknown): string[] {
  return Array.isArray(list) ? list.map((name) => String(name).toLowerCase()) : [];
}
