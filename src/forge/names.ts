import { Failure, UsageError } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { DeniedError, ifFound, NotFoundError } from "../http/errors.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { allSettledOrThrow } from "../system/concurrency.ts";
import { capitalized } from "../text/format.ts";
import { nearest } from "../text/nearest.ts";
import { quoted } from "../text/words.ts";
import { type Label, labelList } from "./labels.ts";
import { collect } from "./listings.ts";
import { type Milestone, milestoneList } from "./milestones.ts";
import { call, find } from "./operation.ts";
import { assigneeList } from "./repos.ts";
import { teamList } from "./teams.ts";
import { userGet } from "./users.ts";

const maxSuggestions = 20;

/**
 * The failure for unknown names. Checked before anything is written, because the servers may ignore unknown names. `isAll`:
 * there are no others than the known ones, so that these are all that can be typed.
 */
export function unknownNameError(
  kind: string,
  typed: readonly string[],
  known: readonly string[],
  where: string,
  { isAll = true }: { readonly isAll?: boolean } = {},
): Failure {
  const names = typed.map((name) => `'${name}'`).join(", ");
  const message = `Unknown ${kind}${typed.length > 1 ? "s" : ""} ${names} ${where}`;
  return new Failure("unknown_name", message, { hint: hintFor(typed, known, isAll) });
}

function hintFor(typed: readonly string[], known: readonly string[], isAll = true): string | undefined {
  const lower = new Map(known.map((name) => [name.toLowerCase(), name]));
  const near = typed.flatMap((name) =>
    nearest(name.toLowerCase(), [...lower.keys()]).map((key) => lower.get(key) ?? key),
  );
  if (near.length > 0) return `Did you mean: ${[...new Set(near)].join(", ")}?`;
  if (known.length === 0 || !isAll) return undefined;
  return `Available: ${known.slice(0, maxSuggestions).join(", ")}${known.length > maxSuggestions ? `, and ${known.length - maxSuggestions} more` : ""}`;
}

/** The first item with this name: exact match first, then ignoring case. */
export function findByName<T>(items: readonly T[], typed: string, nameOf: (item: T) => string): T | undefined {
  const lower = typed.toLowerCase();
  return items.find((item) => nameOf(item) === typed) ?? items.find((item) => nameOf(item).toLowerCase() === lower);
}

/**
 * The labels with these names, or with IDs where names clash, of the repository or its organization. Throws if a name
 * is that of several, or if one does not exist: the servers ignore unknown labels (docs/server-differences.md, "Pull
 * requests: editing"). Sends no request for an empty list.
 */
export async function resolveLabels(http: Http, repo: RepoName, typed: readonly string[]): Promise<Label[]> {
  if (typed.length === 0) return [];
  const own = await collect(call(http, labelList, { level: { of: "repository", repo } }));
  const where = `in ${fullName(repo)}`;
  const missing = typed.filter((name) => findLabel(own, name, where) === undefined);
  const known = missing.length === 0 ? own : [...own, ...(await ownerLabels(http, repo.owner))];
  const labelFor = (name: string) => findLabel(own, name, where) ?? findLabel(known, name, where);
  const unknown = typed.filter((name) => labelFor(name) === undefined);
  if (unknown.length > 0) {
    const error = unknownNameError("label", unknown, known.map(labelName), where);
    const whole = known.map(labelName).filter((name) => isSplit(name, unknown));
    if (whole.length === 0) throw error;
    const hint = `Put the name of a label that has a comma in quotes: ${whole.map((name) => quoted(`"${name.replaceAll('"', '""')}"`)).join(", ")}`;
    throw new Failure("unknown_name", error.message, { hint });
  }
  return withoutExcluded(typed.flatMap((name) => labelFor(name) ?? []));
}

/** Whether a part of a name was typed for it: without quotes, its commas separate labels. */
function isSplit(name: string, unknown: readonly string[]): boolean {
  const parts = name.toLowerCase().split(",");
  return parts.length > 1 && parts.some((part) => unknown.some((one) => one.toLowerCase() === part.trim()));
}

/** Throws a usage error if two of the labels are exclusive in the same scope: a server would take only one of them. */
function withoutExcluded(labels: readonly Label[]): Label[] {
  const known = new Map<string, Label>();
  for (const label of labels) {
    const end = labelName(label).lastIndexOf("/");
    if (label.exclusive !== true || end < 0) continue;
    const scope = labelName(label).slice(0, end);
    const other = known.get(scope);
    if (other !== undefined && other.id !== label.id)
      throw new UsageError(`Labels ${labelName(other)} and ${labelName(label)} exclude each other`);
    known.set(scope, label);
  }
  return [...labels];
}

/** The label with this name, or with this ID. Throws a usage error with the IDs if several have the name. */
export function findLabel(labels: readonly Label[], typed: string, where: string): Label | undefined {
  const named = similar(labels, typed, { kind: "label", nameOf: labelName, where });
  return named[0] ?? labels.find(({ id }) => `${id}` === typed);
}

/** The labels of the owner, if it is an organization. */
async function ownerLabels(http: Http, owner: string): Promise<Label[]> {
  return (await ifFound(collect(call(http, labelList, { level: { of: "organization", org: owner } })))) ?? [];
}

function labelName(label: Label): string {
  return label.name;
}

/**
 * The milestone with this title, open or closed, or with this number (its id, as in its URL). Throws if there is none,
 * and a usage error with the ids if several have the title.
 */
export async function resolveMilestone(http: Http, repo: RepoName, typed: string): Promise<Milestone> {
  const all = await collect(call(http, milestoneList, { repo, state: "all" }));
  const named: Named<Milestone> = { kind: "milestone", nameOf: milestoneTitle, where: `in ${fullName(repo)}` };
  const found = similar(all, typed, named)[0] ?? all.find(({ id }) => `${id}` === typed.replace(/^#/, ""));
  if (found !== undefined) return found;
  const open = all.filter(({ state }) => state === "open");
  const closed = all.filter(({ state }) => state !== "open");
  throw unknownNameError("milestone", [typed], [...open, ...closed].map(milestoneTitle), named.where);
}

function milestoneTitle({ title = "" }: Milestone): string {
  return title;
}

/**
 * The login names of these users; `@me` is the caller (`me`), an e-mail address is returned as is. One whose profile is
 * private is known to a repository where they can be assigned. Throws if one does not exist, and suggests users who can be
 * assigned.
 */
export async function resolveUsers(
  http: Http,
  repo: RepoName,
  typed: readonly string[],
  me?: () => Promise<string>,
): Promise<string[]> {
  const found = await allSettledOrThrow(
    typed.map(async (name) => {
      if (name === "@me" && me !== undefined) return me();
      if (name.includes("@")) return name;
      return loginOf(http, name);
    }),
  );
  const unknown = typed.filter((_, index) => found[index] === undefined);
  if (unknown.length === 0) return [...new Set(found.flatMap((login) => login ?? []))];
  const known = await collect(call(http, assigneeList, { repo })).catch(() => []);
  const logins = known.map(({ login }) => login);
  const assignable = (name: string) => findByName(logins, name, (login) => login);
  const nowhere = unknown.filter((name) => assignable(name) === undefined);
  if (nowhere.length > 0) throw unknownNameError("user", nowhere, logins, "on this server", { isAll: false });
  return [...new Set(typed.flatMap((name, index) => found[index] ?? assignable(name) ?? []))];
}

/** Those of the users who are among `present`. One who is not must exist, so that a typo is reported. */
export async function usersAmong(
  present: readonly string[],
  typed: readonly string[],
  { http, repo }: { readonly http: Http; readonly repo: RepoName },
): Promise<string[]> {
  const find = (name: string) => findByName(present, name, (login) => login);
  await resolveUsers(
    http,
    repo,
    typed.filter((name) => find(name) === undefined),
  );
  return typed.flatMap((name) => find(name) ?? []);
}

async function loginOf(http: Http, name: string): Promise<string | undefined> {
  return (await find(http, userGet, { username: name }))?.login;
}

/** The name of a team given as `TEAM` or `ORG/TEAM`; undefined if it is one of another organization. */
export function teamName(typed: string, org: string): string | undefined {
  const [, of = org, name = typed] = /^([^/]*)\/(.*)$/.exec(typed) ?? [];
  return of.toLowerCase() === org.toLowerCase() ? name : undefined;
}

/**
 * The names of these teams of an organization, given as `TEAM` or `ORG/TEAM`. Throws if one does not exist or is one of
 * another organization, or if the owner is a user. If the caller cannot list the teams, the names are returned as is,
 * for the server to check.
 */
export async function resolveTeams(http: Http, org: string, typed: readonly string[]): Promise<string[]> {
  if (typed.length === 0) return [];
  const elsewhere = typed.filter((name) => teamName(name, org) === undefined);
  if (elsewhere.length > 0) throw unknownNameError("team", elsewhere, [], `in ${org}`);
  const names = typed.flatMap((name) => teamName(name, org) ?? []);
  try {
    const known = await collect(call(http, teamList, { org }));
    const unknown = names.filter((name) => findByName(known, name, (team) => team.name) === undefined);
    if (unknown.length === 0) return names.flatMap((name) => findByName(known, name, (team) => team.name)?.name ?? []);
    throw unknownNameError(
      "team",
      unknown,
      known.map((team) => team.name),
      `in ${org}`,
    );
  } catch (error) {
    if (error instanceof DeniedError) return names;
    if (error instanceof NotFoundError) {
      throw new Failure("unknown_name", `${org} has no teams: it is not an organization`, {
        hint: "Request reviews from users with --reviewer.",
      });
    }
    throw error;
  }
}

/** What a name that a command works on stands for. */
interface Named<T> {
  /** What each item is, in the singular: `label`. */
  readonly kind: string;
  readonly nameOf: (item: T) => string;
  /** What they belong to: `in mara/harbor`. */
  readonly where: string;
}

/**
 * The item with this name, or with this id: names need not be unique. An exact match comes first, then one that ignores
 * case. Throws a usage error with the ids if several have the name, and a `not_found` failure if none has.
 */
export function oneNamed<T extends { readonly id: number }>(items: readonly T[], typed: string, named: Named<T>): T {
  const { kind, nameOf, where } = named;
  const found = similar(items, typed, named)[0] ?? items.find(({ id }) => `${id}` === typed.replace(/^#/, ""));
  if (found !== undefined) return found;
  const title = capitalized(kind);
  const hint = hintFor([typed], items.map(nameOf));
  throw new Failure("not_found", `${title} '${typed}' not found ${where}`, { hint });
}

/** The item with a name, exactly or without case, if there is one. Throws a usage error with the ids if there are several. */
function similar<T extends { readonly id: number }>(
  items: readonly T[],
  typed: string,
  { kind, nameOf, where }: Named<T>,
): readonly T[] {
  const exact = items.filter((item) => nameOf(item) === typed);
  const lower = typed.toLowerCase();
  const fitting = exact.length > 0 ? exact : items.filter((item) => nameOf(item).toLowerCase() === lower);
  if (fitting.length < 2) return fitting;
  const ids = fitting.map(({ id }) => id).join(", ");
  throw new UsageError(`Several ${kind}s are named '${typed}' ${where}: ${ids}`, "Pass the ID of one of them.");
}
