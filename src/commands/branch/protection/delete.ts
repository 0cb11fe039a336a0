import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { branchProtectionDelete } from "../../../forge/branch-protections.ts";
import { call } from "../../../forge/operation.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";

/** `tongs branch protection delete`: DELETE each branch protection. */
export const remove = defineCommand({
  summary: "Delete branch protections",
  on: "repository",
  effect: "destroy",
  args: { rule: many("names of protections; - reads them from stdin, one per line", { source: "branch-protection" }) },
  exits: { partly: "some protections were deleted, some failed" },
  examples: [["Delete a protection", "tongs branch protection delete 'release/**' --yes"]],
  async run(context) {
    const { args, http, prompt, repo, server, system } = context;
    const targets = await readTargets(args.rule, system);
    const what = targets.length === 1 ? `branch protection '${targets[0]}'` : `${targets.length} branch protections`;
    await prompt.confirmAction({ what: `Delete ${what} of ${fullName(repo)}` });
    return batch(
      targets,
      async (target) => {
        await call(http, branchProtectionDelete, { repo, name: target });
        return { message: `Deleted branch protection '${target}' of ${fullName(repo)} ${accountLabel(server)}` };
      },
      context,
    );
  },
});
