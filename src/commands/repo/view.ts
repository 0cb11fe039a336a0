import { defineCommand } from "../../app/define.ts";
import { repository } from "../../forge/repos.ts";
import { repoArgument } from "./argument.ts";
import { repoSheet } from "./sheet.ts";

/** `tongs repo view`: GET one repository. */
export const view = defineCommand({
  summary: "Show a repository",
  on: "repository",
  effect: "read",
  args: { repo: repoArgument },
  output: repository,
  examples: [
    ["The one here", "tongs repo view"],
    ["Its default branch", "tongs repo view mara/harbor --jq .default_branch"],
  ],
  async run({ forge, repo, out }) {
    await out.record(await forge.repos.get(repo), repoSheet);
  },
});
