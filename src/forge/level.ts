import { type Path, path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";

/**
 * Who owns Actions resources and webhooks: the same operations exist at four levels
 * (docs/server-differences.md, "Levels").
 */
export type Level =
  | { readonly of: "repository"; readonly repo: RepoName }
  | { readonly of: "organization"; readonly org: string }
  | { readonly of: "user" }
  | { readonly of: "server" };

/** The path of the Actions operations at a level. */
export function actionsPath(level: Level): Path {
  if (level.of === "repository") return path`/repos/${level.repo.owner}/${level.repo.name}/actions`;
  if (level.of === "organization") return path`/orgs/${level.org}/actions`;
  return level.of === "user" ? path`/user/actions` : path`/admin/actions`;
}

/** The path of the webhooks at a level. */
export function hooksPath(level: Level): Path {
  if (level.of === "repository") return path`/repos/${level.repo.owner}/${level.repo.name}/hooks`;
  if (level.of === "organization") return path`/orgs/${level.org}/hooks`;
  return level.of === "user" ? path`/user/hooks` : path`/admin/hooks`;
}
