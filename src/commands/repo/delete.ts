import { defineCommand } from "../../app/define.ts";
import type { Arg } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { reposApi, repository } from "../../forge/repos.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

const requiredRepo: Arg<string> = {
  count: "one",
  description: "OWNER/NAME, HOST/OWNER/NAME or URL",
  read: (typed) => typed[0] ?? "",
  locate: (typed) => typed[0],
  source: "repository",
};

/** `tongs repo delete`: GET the repository to check its current name, then DELETE it. */
export const remove = defineCommand({
  summary: "Delete a repository and everything in it",
  details:
    "This cannot be undone. On a terminal, tongs asks you to type the repository's name. Scripts must pass --yes.",
  on: "repository",
  effect: "destroy",
  args: { repo: requiredRepo },
  output: repository,
  examples: [["Delete a repository", "tongs repo delete mara/scratch"]],
  async run({ http, repo, server, out, prompt }) {
    const found = await reposApi(http).get(repo);
    // Servers redirect from the old name of a renamed repository, even for DELETE.
    if (found.full_name.toLowerCase() !== fullName(repo).toLowerCase()) {
      const hint = `To delete it, run: tongs repo delete ${found.full_name}`;
      throw new UsageError(`${fullName(repo)} was renamed to ${found.full_name}`, hint);
    }
    const { open_issues_count: issues, open_pr_counter: pulls } = found;
    const open = `${issues} open ${issues === 1 ? "issue" : "issues"}, ${pulls} open ${pulls === 1 ? "pull request" : "pull requests"}`;
    out.note(`${found.full_name}: ${open}`);
    await prompt.confirmAction({ what: `Permanently delete ${found.full_name}`, typed: found.full_name });
    await reposApi(http).delete(repo);
    await out.done(`Deleted ${found.full_name} ${accountLabel(server)}`, { record: found });
  },
});
