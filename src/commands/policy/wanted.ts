import pMap from "p-map";
import { UsageError } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { orgRepoList } from "../../forge/orgs.ts";
import type { Repository } from "../../forge/repos.ts";
import type { Http } from "../../http/client.ts";
import { fullName, parseRepo, type RepoName } from "../../repo/repo-name.ts";
import { contextPattern } from "../../text/glob.ts";
import type { Claims, OwnerSection, Policy, Section } from "./file.ts";
import { type KindName, kindAt, kindNames } from "./kinds/index.ts";
import { folded, isRepository, type Values } from "./kinds/kind.ts";

/** What a policy says about one place. */
export interface Wanted {
  readonly kinds: ReadonlyMap<KindName, WantedItems>;
  readonly prune: boolean;
}

/** The items of a kind. */
interface WantedItems {
  readonly items: ReadonlyMap<string, Values>;
  /** Those that are named with no value (null): nothing is asked of them, and they are not pruned. */
  readonly left: readonly string[];
}

/**
 * What a policy says about a repository: the defaults, then the sections whose pattern matches, in their order; or about an
 * organization or a user.
 */
export function wantedFor(policy: Policy, place: string): Wanted {
  const sections = isRepository(place)
    ? [...policy.defaults, ...fitting(policy.repositories, place).map(([, section]) => section)]
    : sectionsOf(policy, place).map(({ section }) => section);
  return merged(place, sections);
}

/** No organization has the name of a user. */
function sectionsOf({ owners }: Policy, owner: string): readonly OwnerSection[] {
  return owners.filter(({ name }) => name.toLowerCase() === owner.toLowerCase());
}

/** The organizations and users that a policy names: of those of a selection, all if it has no flag. */
export function selectOwners({ org, repo }: Selection, { owners }: Policy): OwnerSection[] {
  const names = new Map(owners.map((one) => [one.name.toLowerCase(), one]));
  if (repo.length > 0) return [];
  const wanted = new Set(org.map((name) => name.toLowerCase()));
  return [...names.values()].filter(({ name }) => wanted.size === 0 || wanted.has(name.toLowerCase()));
}

/** What sections say; later ones override earlier ones. */
function merged(place: string, sections: readonly Section[]): Wanted {
  const kinds = kindNames.flatMap((kind): [KindName, WantedItems][] => {
    const claims = sections.flatMap((section) => section.kinds.get(kind) ?? []);
    return claims.length === 0 ? [] : [[kind, mergedClaims(place, kind, claims)]];
  });
  return { kinds: new Map(kinds), prune: sections.findLast(({ prune }) => prune !== undefined)?.prune ?? false };
}

/** The sections whose pattern matches a repository, in their order. */
function fitting(repositories: Policy["repositories"], repo: string): Policy["repositories"] {
  return repositories.filter(([pattern]) => contextPattern(pattern.toLowerCase())(repo.toLowerCase()));
}

/** Where a file may say a value for a repository, an organization or a user: the paths of the value, of its field, of its item and of the place. */
export function claimPaths(
  policy: Policy,
  place: string,
  claim: { readonly kind: KindName; readonly name: string; readonly field: string; readonly value: string } | undefined,
): string[][] {
  // Later sections override earlier ones.
  const sections = isRepository(place)
    ? [
        ...fitting(policy.repositories, place)
          .toReversed()
          .map(([pattern]) => ["repositories", pattern]),
        ["defaults"],
      ]
    : sectionsOf(policy, place).map(({ of, name }) => [of, name]);
  if (claim === undefined) return sections.filter(([, name]) => name !== undefined);
  const { kind, name, field, value } = claim;
  const items = sections.map((section) => [...section, kind, ...(name === "" ? [] : [name])]);
  return [[field, value], [field], []].flatMap((end) => items.map((item) => [...item, ...end]));
}

/** The items of a kind; later sections override fields of earlier ones. */
function mergedClaims(place: string, kind: KindName, all: readonly Claims[]): WantedItems {
  const merged = new Map<string, Values>();
  const spelled = new Map<string, string>();
  const left = new Set<string>();
  for (const claims of all) {
    for (const [typed, values] of claims) {
      const fold = folded(kindAt(place, kind), typed);
      const name = spelled.get(fold) ?? typed;
      spelled.set(fold, name);
      left.delete(name);
      if (values === null) {
        left.add(name);
        merged.delete(name);
      } else merged.set(name, { ...merged.get(name), ...values });
    }
  }
  return { items: merged, left: [...left] };
}

/**
 * The sections of a file that select no repository, with their places. Without flags a pattern selects none by itself: it is
 * only applied to those that the file names. What flags leave out is not meant: sections of other organizations, and of
 * other repositories than those of --repo. Throws a usage error if the file says nothing of all that is selected.
 */
export function unselected(
  policy: Policy,
  { org, repo }: Selection,
  { repos, owners }: { readonly repos: readonly RepoName[]; readonly owners: readonly OwnerSection[] },
): string[] {
  const names = repos.map((one) => fullName(one).toLowerCase());
  const patterns = [...new Set(policy.repositories.map(([pattern]) => pattern))];
  const idle = patterns.filter((pattern) => !names.some(contextPattern(pattern.toLowerCase())));
  const textOf = (...path: readonly string[]) =>
    `${policy.place(path) ?? "the file"}: no repositories selected for ${path.at(-1)}`;
  const says = idle.map((pattern) => textOf("repositories", pattern)).join("\n");
  const hasDefaults = policy.defaults.some(({ kinds }) => kinds.size > 0);
  const hasSections = patterns.length + policy.owners.length > 0;
  if (owners.length === 0 && repos.length === 0)
    throw new UsageError(
      noneSelected,
      org.length > 0 ? "You can see no repositories in these organizations." : [says, passFlags].join("\n").trim(),
    );
  if (owners.length === 0 && hasSections && idle.length === patterns.length && !hasDefaults)
    throw new UsageError(noneSelected, `The file is only about others:\n${says}`.replace(/:\n$/, "."));
  if (repo.length > 0) return [];
  const isMeant = (pattern: string) =>
    org.length === 0 || org.some((one) => pattern.toLowerCase().startsWith(`${one.toLowerCase()}/`));
  const own = idle.filter(isMeant).map((pattern) => textOf("repositories", pattern));
  return hasDefaults && repos.length === 0 ? [textOf("defaults"), ...own] : own;
}

const passFlags = "Pass --org ORG or --repo OWNER/NAME.";

/** Whether a name of a section is a pattern. */
function isGlob(pattern: string): boolean {
  return /[*?[\]{}\\!]/.test(pattern);
}

const noneSelected = "No repositories selected";

/** Which repositories a command works on. */
export interface Selection {
  readonly org: readonly string[];
  readonly repo: readonly string[];
}

/** The organizations of a selection, each once: servers take names in any case. */
export function orgsOf({ org }: Selection): string[] {
  const names = org.map((name) => name.toLowerCase());
  return org.filter((_, index) => names.indexOf(names[index] ?? "") === index);
}

/**
 * The records of the repositories of all organizations of a selection. Throws a usage error if it names repositories, too,
 * and a `not_found` failure for an organization that cannot be seen.
 */
export async function reposOfOrgs(selection: Selection, http: Http): Promise<readonly Repository[]> {
  if (selection.repo.length > 0) throw new UsageError("Cannot use --org with --repo");
  const found = await pMap(orgsOf(selection), (org) => collect(call(http, orgRepoList, { org })), { concurrency: 8 });
  return found.flat();
}

/**
 * The repositories of organizations, those that were given, or those that the file names without a pattern, which can be none.
 * Without a file, throws a usage error if there are none.
 */
export async function selectRepos(selection: Selection, http: Http, policy?: Policy): Promise<RepoName[]> {
  const { org, repo } = selection;
  if (org.length > 0) return (await reposOfOrgs(selection, http)).map(({ full_name }) => parseRepo(full_name));
  const named = policy?.repositories.map(([pattern]) => pattern).filter((pattern) => !isGlob(pattern));
  const given = repo.length > 0 ? repo : (named ?? []);
  // Servers take names in any case.
  const byName = new Map(given.map(repoOnly).map((one) => [fullName(one).toLowerCase(), one]));
  if (byName.size > 0 || policy !== undefined) return [...byName.values()];
  throw new UsageError(noneSelected, passFlags);
}

function repoOnly(typed: string): RepoName {
  const { owner, name, host } = parseRepo(typed);
  if (host === undefined) return { owner, name };
  throw new UsageError(`'${typed}' names a server`, "Use OWNER/NAME, and --host or --profile for the server.");
}
