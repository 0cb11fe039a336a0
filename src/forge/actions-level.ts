import { type Path, path } from "../http/path.ts";
import type { Level } from "./level.ts";

/** The prefix of a level's operations. */
export function actionsOf(level: Level): Path {
  if (level.of === "repository") return path`/repos/${level.repo.owner}/${level.repo.name}/actions`;
  if (level.of === "organization") return path`/orgs/${level.org}/actions`;
  return level.of === "user" ? path`/user/actions` : path`/admin/actions`;
}
