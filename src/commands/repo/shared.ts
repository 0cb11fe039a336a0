import type { Repository } from "../../forge/repos.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";

/** The columns of a list of repositories. */
export const repositoryColumns = [
  column<Repository>("NAME", (repo) => styled("strong", repo.full_name)),
  column<Repository>("DESCRIPTION", (repo) => repo.description, true),
  column<Repository>("VISIBILITY", visibility),
  column<Repository>("STARS", (repo) => repo.stars_count),
  column<Repository>("UPDATED", (repo) => when(repo.updated_at)),
];

function visibility(repo: Repository): string {
  const kind = repo.private ? "private" : repo.internal ? "internal" : "public";
  const marks = [repo.archived ? "archived" : "", repo.fork ? "fork" : "", repo.mirror ? "mirror" : ""];
  return [kind, ...marks.filter((mark) => mark !== "")].join(", ");
}

/** Visibility and other properties of a repository: `private, fork`. */
export function repoKind(repo: Repository): string {
  const words = [
    repo.private ? "private" : repo.internal ? "internal" : "public",
    ...(["fork", "mirror", "archived", "template", "empty"] as const).filter((key) => repo[key]),
  ];
  return words.join(", ");
}
