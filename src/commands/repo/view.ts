import { defineCommand } from "../../app/define.ts";
import { integer } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Repository, repository } from "../../forge/repos.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { repoArgument, repoKind } from "./shared.ts";

/** `tongs repo view`: GET one repository. */
export const view = defineCommand({
  summary: "View a repository",
  on: "server",
  effect: "read",
  args: { repo: repoArgument },
  flags: { id: integer("view the repository with this ID", { min: 1 }) },
  output: repository,
  examples: [
    ["View the current repository", "tongs repo view"],
    ["Print the default branch", "tongs repo view mara/harbor --jq .default_branch"],
  ],
  async run({ args, flags, forge, locate, out }) {
    if (flags.id !== undefined && args.repo !== undefined)
      throw new UsageError("--id cannot be used with a repository");
    const found = flags.id === undefined ? await forge.repos.get(await locate()) : await forge.repos.byId(flags.id);
    await out.record(found, repoSheet);
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
