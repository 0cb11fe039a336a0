import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { Failure } from "../../failure/failure.ts";
import { issue, issueDelete, issueGet } from "../../forge/issues.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { manyIssues, readIssues, targetName } from "./selector.ts";
import { explainDenied } from "./shared.ts";

/** `tongs issue delete`: GET and DELETE each issue. */
export const remove = defineCommand({
  summary: "Delete issues",
  details: "This cannot be undone. To close an issue instead, run tongs issue close.",
  on: "server",
  effect: "destroy",
  args: { issue: manyIssues },
  output: list(issue),
  exits: { partly: "some issues were deleted, some failed" },
  examples: [["Delete an issue", "tongs issue delete 12 --yes"]],
  async run(context) {
    const { args, http, prompt, server } = context;
    const targets = await readIssues(args.issue, context);
    const what = targets.length === 1 ? `issue ${targets.map(targetName).join()}` : `${targets.length} issues`;
    await prompt.confirmAction({ what: `Delete ${what}` });
    return batch(
      targets,
      async (one) => {
        const name = targetName(one);
        const found = await call(http, issueGet, { repo: one.repo, index: one.number });
        if (found.pull_request != null) {
          const hint = `To close it, run: tongs pr close ${one.number}`;
          throw new Failure("not_an_issue", `${name} is a pull request`, { hint });
        }
        await call(http, issueDelete, { repo: one.repo, index: one.number }).catch((error: unknown) => {
          throw explainDenied(error, `Cannot delete ${name}`, "administrators of the repository");
        });
        return { message: `Deleted issue ${name} (${found.title}) ${accountLabel(server)}`, record: found };
      },
      context,
      { name: targetName },
    );
  },
});
