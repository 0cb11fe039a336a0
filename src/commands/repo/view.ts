import { defineCommand } from "../../app/define.ts";
import type { Arg } from "../../command/args.ts";
import { type Repository, repository } from "../../forge/repos.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { repoKind } from "./shared.ts";

const repoArgument: Arg<string | undefined> = {
  count: "optional",
  description: "OWNER/NAME, HOST/OWNER/NAME or URL (default: the current repository)",
  read: (typed) => typed[0],
  locate: (typed) => typed[0],
};

/** `tongs repo view`: GET one repository. */
export const view = defineCommand({
  summary: "View a repository",
  on: "repository",
  effect: "read",
  args: { repo: repoArgument },
  output: repository,
  examples: [
    ["View the current repository", "tongs repo view"],
    ["Print the default branch", "tongs repo view mara/harbor --jq .default_branch"],
  ],
  async run({ forge, repo, out }) {
    await out.record(await forge.repos.get(repo), repoSheet);
  },
});

/** A repository, field by field. */
function repoSheet(repo: Repository): Sheet {
  const parent = repo.parent as { readonly full_name?: string } | null | undefined;
  return {
    title: repo.full_name,
    fields: [
      ["description", repo.description],
      ["kind", repoKind(repo)],
      ["fork of", parent?.full_name],
      ["default branch", repo.default_branch],
      ["merge style", repo.default_merge_style],
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
