import type { RepoName } from "../repo/repo-name.ts";

/** What has another name now, by the redirect of a server. */
export interface Moved {
  readonly was: string;
  readonly now: string;
  /** The names of a repository; undefined for an account. */
  readonly repo?: { readonly was: RepoName; readonly now: RepoName };
}

/**
 * What was renamed, by the path of a request and the one that it is redirected to (docs/server-differences.md, "Redirects");
 * undefined for a redirect to something else.
 */
export function movedBy(from: string, to: string): Moved | undefined {
  const [old, present] = [partsOf(from), partsOf(to)];
  const kind = old[0] ?? "";
  const count = kind === "repos" ? 2 : kind === "orgs" || kind === "users" ? 1 : 0;
  const names = (parts: readonly string[]) => parts.slice(1, count + 1);
  const isRest = old.slice(count + 1).join("/") === present.slice(count + 1).join("/");
  if (count === 0 || present[0] !== kind || present.length !== old.length || !isRest) return undefined;
  const [was, now] = [names(old).join("/"), names(present).join("/")];
  if (was.toLowerCase() === now.toLowerCase()) return undefined;
  const repoOf = ([owner = "", name = ""]: readonly string[]) => ({ owner, name });
  return count === 1 ? { was, now } : { was, now, repo: { was: repoOf(names(old)), now: repoOf(names(present)) } };
}

/** The parts of a path below the API. */
function partsOf(path: string): string[] {
  const [, below = ""] = /\/api\/v1\/(.*)$/.exec(path) ?? [];
  return below.split("/").map(decoded);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
