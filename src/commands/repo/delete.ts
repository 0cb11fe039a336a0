import { defineCommand } from "../../app/define.ts";
import { requirePresentName } from "../../app/present-name.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { repoDelete, repoGet, repository } from "../../forge/repos.ts";
import { accountLabel, commandOn } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

const requiredRepo = one("OWNER/NAME, HOST/OWNER/NAME or URL; to delete several, a pattern such as 'acme/old-*'", {
  locate: (typed) => typed[0],
  source: "repository",
  dash: "lines",
});

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
    const found = await call(http, repoGet, { repo });
    const line = (name: string) => commandOn(server, `tongs repo delete ${name}`);
    requirePresentName(fullName(repo), found.full_name, (name) => `To delete it, run: ${line(name)}`);
    const { open_issues_count: issues, open_pr_counter: pulls } = found;
    const open = `${issues} open ${issues === 1 ? "issue" : "issues"}, ${pulls} open ${pulls === 1 ? "pull request" : "pull requests"}`;
    out.note(`${found.full_name}: ${open}`);
    await prompt.confirmAction({
      what: `Permanently delete ${found.full_name}`,
      typed: found.full_name,
      sends: repoDelete,
    });
    await call(http, repoDelete, { repo });
    await out.done(`Deleted ${found.full_name} ${accountLabel(server)}`, { record: found });
  },
});
