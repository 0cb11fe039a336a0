import { Failure } from "../failure/failure.ts";
import { DeniedError, NotFoundError } from "../http/errors.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { allSettledOrThrow } from "../system/concurrency.ts";
import { nearest } from "../text/nearest.ts";
import type { Forge } from "./index.ts";
import type { Label } from "./labels.ts";
import { everything } from "./listings.ts";
import type { Milestone } from "./milestones.ts";

const shown = 20;

/** A name that the server does not know, said before anything is written: the server itself may drop it silently. */
export function unknownName(kind: string, typed: readonly string[], known: readonly string[], where: string): Failure {
  const quoted = typed.map((name) => `'${name}'`).join(", ");
  const message = `There is no ${kind}${typed.length > 1 ? "s" : ""} ${quoted} ${where}`;
  return new Failure("unknown_name", "invalid", message, { hint: hintFor(typed, known) });
}

function hintFor(typed: readonly string[], known: readonly string[]): string | undefined {
  const small = new Map(known.map((name) => [name.toLowerCase(), name]));
  const near = typed.flatMap((name) =>
    nearest(name.toLowerCase(), [...small.keys()]).map((key) => small.get(key) ?? key),
  );
  if (near.length > 0) return `Did you mean: ${[...new Set(near)].join(", ")}?`;
  if (known.length === 0) return undefined;
  return `Known: ${known.slice(0, shown).join(", ")}${known.length > shown ? `, and ${known.length - shown} more` : ""}`;
}

/** The item with this name: in the very spelling, else in any case; the first of equal ones. */
export function byName<T>(items: readonly T[], typed: string, nameOf: (item: T) => string): T | undefined {
  const small = typed.toLowerCase();
  return items.find((item) => nameOf(item) === typed) ?? items.find((item) => nameOf(item).toLowerCase() === small);
}

/**
 * The labels with these names, the repository's own or its organization's. Throws when one does not exist: the servers
 * drop unknown ones silently (api-facts 3.5.3). Nothing is asked for an empty list.
 */
export async function labelsNamed(forge: Forge, repo: RepoName, typed: readonly string[]): Promise<Label[]> {
  if (typed.length === 0) return [];
  const own = await everything(forge.labels.ofRepo(repo));
  const missing = typed.filter((name) => byName(own, name, nameOf) === undefined);
  const known = missing.length === 0 ? own : [...own, ...(await ofOwner(forge, repo.owner))];
  const unknown = typed.filter((name) => byName(known, name, nameOf) === undefined);
  if (unknown.length > 0) throw unknownName("label", unknown, known.map(nameOf), `in ${fullName(repo)}`);
  return typed.flatMap((name) => byName(known, name, nameOf) ?? []);
}

/** The labels of the owner, if that is an organization. */
async function ofOwner(forge: Forge, owner: string): Promise<Label[]> {
  try {
    return await everything(forge.labels.ofOrg(owner));
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

function nameOf(label: Label): string {
  return label.name;
}

/** The milestone with this title, an open one first, or with this number (its id, which its address ends in). */
export async function milestoneNamed(forge: Forge, repo: RepoName, typed: string): Promise<Milestone> {
  const all = await everything(forge.milestones.list(repo, "all"));
  const ordered = [...all.filter(({ state }) => state === "open"), ...all.filter(({ state }) => state !== "open")];
  const found =
    byName(ordered, typed, ({ title }) => title) ?? all.find(({ id }) => `${id}` === typed.replace(/^#/, ""));
  if (found !== undefined) return found;
  throw unknownName(
    "milestone",
    [typed],
    ordered.map(({ title }) => title),
    `in ${fullName(repo)}`,
  );
}

/**
 * The login names of these people; `@me` is the caller, an e-mail address passes through. Throws when one does not
 * exist, with those who can be assigned as suggestions.
 */
export async function peopleNamed(
  forge: Forge,
  repo: RepoName,
  typed: readonly string[],
  me: () => Promise<string>,
): Promise<string[]> {
  const found = await allSettledOrThrow(
    typed.map(async (name) => {
      if (name === "@me") return me();
      if (name.includes("@")) return name;
      return loginOf(forge, name);
    }),
  );
  const unknown = typed.filter((_, index) => found[index] === undefined);
  if (unknown.length === 0) return [...new Set(found.flatMap((login) => login ?? []))];
  const known = await everything(forge.repos.assignable(repo)).catch(() => []);
  const logins = known.map(({ login }) => login);
  throw unknownName("user", unknown, logins, "on this server");
}

async function loginOf(forge: Forge, name: string): Promise<string | undefined> {
  try {
    return (await forge.users.get(name)).login;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/**
 * The names of these teams of an organization, `ORG/TEAM` too. Throws when one does not exist, or when the owner is a
 * user. Who may not see the teams gets the names back as they are; the server judges them then.
 */
export async function teamsNamed(forge: Forge, org: string, typed: readonly string[]): Promise<string[]> {
  if (typed.length === 0) return [];
  const names = typed.map((name) => name.replace(/^[^/]*\//, ""));
  try {
    const known = await everything(forge.teams.ofOrg(org));
    const unknown = names.filter((name) => byName(known, name, (team) => team.name) === undefined);
    if (unknown.length === 0) return names.flatMap((name) => byName(known, name, (team) => team.name)?.name ?? []);
    throw unknownName(
      "team",
      unknown,
      known.map((team) => team.name),
      `in ${org}`,
    );
  } catch (error) {
    if (error instanceof DeniedError) return names;
    if (error instanceof NotFoundError) {
      throw new Failure("unknown_name", "invalid", `${org} has no teams: it is not an organization`, {
        hint: "Ask people for a review with --reviewer.",
      });
    }
    throw error;
  }
}
