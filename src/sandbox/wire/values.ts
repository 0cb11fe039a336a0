import type { View } from "../http/route.ts";
import type { RepoRecord } from "../state/records/repos.ts";

/** "Never", where the servers send the zero time. */
export const zeroTime = "0001-01-01T00:00:00Z";
/** "Never", where they send the Unix epoch. */
export const epoch = "1970-01-01T00:00:00Z";

/** A time as the API writes it: RFC 3339, whole seconds, UTC. */
export function timestamp(time: Date | string | number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The addresses of a repository: of its API records (below the configured root) and of its pages (as it was asked). */
export function pathOf({ site, origin }: Pick<View, "site" | "origin">, repo: RepoRecord) {
  const owner = site.store.table("users").get(repo.ownerId)?.name ?? "";
  const full = `${owner}/${repo.name}`;
  return { full, api: `${site.root}/api/v1/repos/${full}`, web: `${origin}/${full}` };
}
