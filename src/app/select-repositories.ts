import { Failure, UsageError } from "../failure/failure.ts";
import { call } from "../forge/operation.ts";
import { type Repository, repoGet, userRepoList } from "../forge/repos.ts";
import { repoSearch } from "../forge/search.ts";
import type { Listing } from "../http/pages.ts";
import { requireOnServer } from "../profiles/choose.ts";
import { fullName, isPattern, parseRepo, type RepoName, type RepoSpec } from "../repo/repo-name.ts";
import { contextPattern } from "../text/glob.ts";
import type { BaseContext, ServerContext } from "./context.ts";
import { readTargets } from "./input.ts";
import { currentUser } from "./shared.ts";

type PatternContext = Pick<BaseContext, "out" | "profiles" | "system"> & ServerContext;

/** A repository that was selected, and how to read it: one that a pattern matched was read already. */
export interface Selected {
  readonly name: string;
  /** As it was typed; undefined for a pattern. */
  readonly owner: string | undefined;
  readonly get: () => Promise<Repository>;
}

/**
 * The repositories on the server that names and patterns select, each once. A pattern is `OWNER/NAME` with `*`, `?`, `[…]` or
 * `{a,b}` in it, or a NAME alone for your own; `filter` selects among those that patterns match. Throws a `not_found` failure if
 * there are none.
 */
export async function selectRepositories(
  typed: readonly string[],
  context: PatternContext,
  filter: (listing: Listing<Repository>) => Listing<Repository> = (listing) => listing,
): Promise<Selected[]> {
  const { http, out } = context;
  const found = new Map<string, Selected>();
  for (const spec of await readPatterns(typed, context)) {
    const name = fullName(spec);
    if (!isPattern(name)) {
      found.set(name.toLowerCase(), { name, owner: spec.owner, get: () => call(http, repoGet, { repo: spec }) });
      continue;
    }
    const owner = isPattern(spec.owner) ? undefined : spec.owner;
    const listing = owner === undefined ? call(http, repoSearch, {}) : call(http, userRepoList, { username: owner });
    const matches = matcher([spec]);
    let count = 0;
    for await (const repo of filter(listing).take(Number.POSITIVE_INFINITY)) {
      if (!matches(parseRepo(repo.full_name))) continue;
      count += 1;
      found.set(repo.full_name.toLowerCase(), { name: repo.full_name, owner, get: async () => repo });
    }
    if (count === 0) out.warn(`No repositories match '${name}'`);
  }
  if (found.size === 0) throw new Failure("not_found", "No repositories found", { hint: "List them: tongs repo list" });
  return [...found.values()];
}

/** The owners and names that were typed, which can be patterns. Throws a usage error for those of another server. */
export async function readPatterns(typed: readonly string[], context: PatternContext): Promise<RepoName[]> {
  const { profiles, server, system } = context;
  const specs: RepoSpec[] = [];
  for (const word of await readTargets(typed, system)) {
    const spec = word.includes("/") ? parseRepo(word) : { owner: await currentUser(context), name: word };
    if (spec.host !== undefined) requireOnServer(profiles.read(), server, spec.host);
    specs.push({ owner: spec.owner, name: spec.name });
  }
  return specs;
}

/** Tells whether a repository has one of the names, or matches a pattern; case does not matter. */
export function matcher(patterns: readonly RepoName[]): (repo: RepoName) => boolean {
  const all = patterns.map(({ owner, name }) => [owner, name].map((part) => contextPattern(part.toLowerCase())));
  return (repo) =>
    all.some(([owner, name]) => owner?.(repo.owner.toLowerCase()) && name?.(repo.name.toLowerCase()) === true);
}

/** The first of several repositories that names a server, as a URL does: it also selects the server. */
export function firstWithHost(typed: readonly string[]): string | undefined {
  return typed.find((target) => target !== "-" && parseRepo(target).host !== undefined);
}

/** The names of the given repositories, without duplicates. Throws a usage error for a pattern, and if one is not on the selected server. */
export async function readRepositories(
  typed: readonly string[],
  { choose, profiles, system }: Pick<BaseContext, "choose" | "profiles" | "system">,
): Promise<string[]> {
  const specs = (await readTargets(typed, system)).map(parseRepo);
  const pattern = specs.map(fullName).find(isPattern);
  if (pattern !== undefined)
    throw new UsageError(`'${pattern}' is a pattern, not a repository`, `To select what it matches: -R '${pattern}'`);
  // The server was selected before stdin was read.
  const [server, config] = [await choose(), profiles.read()];
  for (const { host } of specs) if (host !== undefined) requireOnServer(config, server, host);
  return [...new Map(specs.map(fullName).map((name) => [name.toLowerCase(), name])).values()];
}
