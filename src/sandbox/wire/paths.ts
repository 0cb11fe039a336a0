import type { View } from "../http/route.ts";
import type { RepoRecord } from "../state/repos.ts";

/** The addresses of a repository: of its API records (below the configured root) and of its pages (as it was asked). */
export function pathOf({ site, origin }: Pick<View, "site" | "origin">, repo: RepoRecord) {
  const owner = site.store.table("users").get(repo.ownerId)?.name ?? "";
  const full = `${owner}/${repo.name}`;
  return { full, api: `${site.root}/api/v1/repos/${full}`, web: `${origin}/${full}` };
}
