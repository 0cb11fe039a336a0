import { defineCommand } from "../../app/define.ts";
import type { Arg } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { repository } from "../../forge/repos.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

const requiredRepo: Arg<string> = {
  count: "one",
  description: "OWNER/NAME, HOST/OWNER/NAME or a URL",
  read: (typed) => typed[0] ?? "",
  locate: (typed) => typed[0],
};

/** `tongs repo delete`: GET the repository to be sure which one it is, then DELETE it. */
export const remove = defineCommand({
  summary: "Delete a repository with all that is in it",
  details: "It cannot be had back. A person has to type its name; a script needs --yes.",
  on: "repository",
  effect: "destroy",
  args: { repo: requiredRepo },
  output: repository,
  examples: [["Delete it", "tongs repo delete mara/scratch"]],
  async run({ forge, repo, server, out, prompt }) {
    const found = await forge.repos.get(repo);
    // The servers redirect the old name of a renamed repository, a DELETE too.
    if (found.full_name.toLowerCase() !== fullName(repo).toLowerCase()) {
      const hint = `If you mean that one: tongs repo delete ${found.full_name}`;
      throw new UsageError(`${fullName(repo)} is now called ${found.full_name}`, hint);
    }
    out.note(`${found.full_name}: ${found.open_issues_count} open issues, ${found.open_pr_counter} open pull requests`);
    await prompt.confirmAction({ what: `Delete ${found.full_name} for good`, typed: found.full_name });
    await forge.repos.delete(repo);
    await out.done(`Deleted ${found.full_name} ${accountLabel(server)}`, { record: found });
  },
});
