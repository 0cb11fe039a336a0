import type { Repository } from "../../forge/repos.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";

/** A repository for reading. */
export function repoSheet(repo: Repository): Sheet {
  const parent = repo.parent as { readonly full_name?: string } | null | undefined;
  return {
    title: repo.full_name,
    fields: [
      ["description", repo.description],
      ["kind", repoKind(repo)],
      ["fork of", parent?.full_name],
      ["default branch", repo.default_branch],
      ["merges by", repo.default_merge_style],
      ["language", repo.language],
      ["topics", (repo.topics ?? []).join(", ")],
      ["stars", repo.stars_count],
      ["forks", repo.forks_count],
      ["open issues", repo.open_issues_count],
      ["open pull requests", repo.open_pr_counter],
      ["website", repo.website],
      ["created", when(repo.created_at)],
      ["updated", when(repo.updated_at)],
      ["clone", repo.clone_url],
      ["ssh", repo.ssh_url],
      ["url", styled("link", repo.html_url)],
    ],
  };
}

/** What a repository is, in words: `private, fork`. */
export function repoKind(repo: Repository): string {
  const words = [
    repo.private ? "private" : repo.internal ? "internal" : "public",
    ...(["fork", "mirror", "archived", "template", "empty"] as const).filter((key) => repo[key]),
  ];
  return words.join(", ");
}
