import type { View } from "../http/route.ts";
import type { RepoRecord } from "../state/records/repos.ts";

/** The value for "never" where Gitea sends Go's zero time. */
export const zeroTime = "0001-01-01T00:00:00Z";
/** The value for "never" where Gitea sends the Unix epoch. */
export const epoch = "1970-01-01T00:00:00Z";

/** Formats a time as the API does: RFC 3339, whole seconds, UTC. */
export function timestamp(time: Date | string | number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

/**
 * The full name and the URLs of a repository: `api` below the configured root, `web` below the origin of the request.
 */
export function pathOf({ site, origin }: Pick<View, "site" | "origin">, repo: RepoRecord) {
  const owner = site.table("users").get(repo.ownerId)?.name ?? "";
  const full = `${owner}/${repo.name}`;
  return { full, api: `${site.root}/api/v1/repos/${full}`, web: `${origin}/${full}` };
}
