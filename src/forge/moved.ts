import { decoded } from "../text/percent.ts";

/** Another name of an organization, a user (`acme`) or a repository (`acme/mv`). */
export interface Moved {
  readonly was: string;
  readonly now: string;
}

/**
 * What was renamed, by the path of a request and the one that it is redirected to (docs/server-differences.md,
 * "Redirects"); undefined for a redirect to something else.
 */
export function movedBy(from: string, to: string): Moved | undefined {
  const [old, present] = [partsOf(from), partsOf(to)];
  const kind = old[0] ?? "";
  const count = kind === "repos" ? 2 : kind === "orgs" || kind === "users" ? 1 : 0;
  const isRest = old.slice(count + 1).join("/") === present.slice(count + 1).join("/");
  if (count === 0 || present[0] !== kind || present.length !== old.length || !isRest) return undefined;
  const [was = "", now = ""] = [old, present].map((parts) => parts.slice(1, count + 1).join("/"));
  return was.toLowerCase() === now.toLowerCase() ? undefined : { was, now };
}

/** The parts of a path below the API. */
function partsOf(path: string): string[] {
  const [, below = ""] = /\/api\/v1\/(.*)$/.exec(path) ?? [];
  return below.split("/").map(decoded);
}
