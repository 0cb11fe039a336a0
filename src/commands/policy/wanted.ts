import { UsageError } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { orgRepoList } from "../../forge/repos.ts";
import type { Http } from "../../http/client.ts";
import { fullName, parseRepo, type RepoName } from "../../repo/repo-name.ts";
import { contextPattern } from "../../text/glob.ts";
import type { OwnerSection, Policy, Section } from "./file.ts";
import { type KindName, kindAt, kindNames } from "./kinds/index.ts";
import { folded, isRepository, type Values } from "./kinds/kind.ts";

/** What a policy says about one repository. */
export interface Wanted {
  readonly kinds: ReadonlyMap<KindName, ReadonlyMap<string, Values>>;
  readonly prune: boolean;
}

/** What a policy says about a repository: the defaults, then the sections whose pattern matches, in their order. */
export function wantedFor({ defaults, repositories }: Policy, repo: RepoName): Wanted {
  return merged(fullName(repo), [...defaults, ...fitting(repositories, repo).map(([, section]) => section)]);
}

/** What a policy says about an organization or a user. */
export function wantedForOwner(policy: Policy, owner: string): Wanted {
  return merged(
    owner,
    sectionsOf(policy, owner).map(({ section }) => section),
  );
}

/** No organization has the name of a user. */
function sectionsOf({ owners }: Policy, owner: string): readonly OwnerSection[] {
  return owners.filter(({ name }) => name.toLowerCase() === owner.toLowerCase());
}

/** The organizations and users that a policy names: of those of a selection, all if it has no flag. */
export function selectOwners({ org, repo }: Selection, { owners }: Policy): OwnerSection[] {
  const names = new Map(owners.map((one) => [one.name.toLowerCase(), one]));
  if (repo.length > 0) return [];
  return [...names.values()].filter(({ name }) => org === undefined || name.toLowerCase() === org.toLowerCase());
}

/** What sections say; later ones override earlier ones. */
function merged(place: string, sections: readonly Section[]): Wanted {
  const found = new Map<KindName, ReadonlyMap<string, Values>>();
  for (const kind of kindNames) {
    const claims = mergedClaims(place, sections, kind);
    if (claims !== undefined) found.set(kind, claims);
  }
  const prune = sections.reduce((so, section) => section.prune ?? so, false);
  return { kinds: found, prune };
}

/** The sections whose pattern matches a repository, in their order. */
function fitting(repositories: Policy["repositories"], repo: RepoName): Policy["repositories"] {
  const name = fullName(repo).toLowerCase();
  return repositories.filter(([pattern]) => contextPattern(pattern.toLowerCase())(name));
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
        ...fitting(policy.repositories, parseRepo(place))
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

/** The items of a kind; later sections override fields of earlier ones. Undefined if no section has the kind. */
function mergedClaims(
  place: string,
  sections: readonly Section[],
  kind: KindName,
): ReadonlyMap<string, Values> | undefined {
  const all = sections.flatMap((section) => section.kinds.get(kind) ?? []);
  if (all.length === 0) return undefined;
  const merged = new Map<string, Values>();
  const spelled = new Map<string, string>();
  for (const claims of all) {
    for (const [typed, values] of claims) {
      const fold = folded(kindAt(place, kind), typed);
      const name = spelled.get(fold) ?? typed;
      spelled.set(fold, name);
      if (values === null) merged.delete(name);
      else merged.set(name, { ...merged.get(name), ...values });
    }
  }
  return merged;
}

/** The patterns of a policy for repositories of an organization that match none of them. */
export function unmatched({ repositories }: Policy, org: string, repos: readonly RepoName[]): string[] {
  const names = repos.map((repo) => fullName(repo).toLowerCase());
  const patterns = repositories.map(([pattern]) => pattern);
  return patterns.filter((pattern) => {
    const typed = pattern.toLowerCase();
    return typed.startsWith(`${org.toLowerCase()}/`) && !names.some(contextPattern(typed));
  });
}

/** Which repositories a command works on. */
export interface Selection {
  readonly org: string | undefined;
  readonly repo: readonly string[];
}

/**
 * The repositories of an organization, those that were given, or those that the file names without a pattern. Throws a
 * usage error if there are none.
 */
export async function selectRepos({ org, repo }: Selection, http: Http, policy?: Policy): Promise<RepoName[]> {
  if (org !== undefined && repo.length > 0) throw new UsageError("Cannot use --org with --repo");
  if (org !== undefined) {
    const found = await collect(call(http, orgRepoList, { org }));
    return found.map(({ full_name }) => parseRepo(full_name));
  }
  const named = policy?.repositories.map(([pattern]) => pattern).filter((pattern) => !/[*?[\]{}\\!]/.test(pattern));
  const given = repo.length > 0 ? repo : (named ?? []);
  // Servers take names in any case.
  const byName = new Map(given.map(repoOnly).map((one) => [fullName(one).toLowerCase(), one]));
  if (byName.size > 0 || (policy !== undefined && policy.owners.length > 0)) return [...byName.values()];
  throw new UsageError("No repositories selected", "Pass --org ORG or --repo OWNER/NAME.");
}

function repoOnly(typed: string): RepoName {
  const { owner, name, host } = parseRepo(typed);
  if (host === undefined) return { owner, name };
  throw new UsageError(`'${typed}' names a server`, "Use OWNER/NAME, and --host or --profile for the server.");
}
