import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { call } from "../../../forge/operation.ts";
import { tagProtectionDelete } from "../../../forge/tags.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { allProtections, findProtection } from "./shared.ts";

/** `tongs tag protection delete`: DELETE each tag protection. */
export const remove = defineCommand({
  summary: "Delete tag protections",
  on: "repository",
  effect: "destroy",
  args: {
    protection: many("patterns of protections, or their IDs; - reads them from stdin, one per line", {
      source: "tag-protection",
    }),
  },
  exits: { partly: "some protections were deleted, some failed" },
  examples: [["Delete a tag protection", "tongs tag protection delete 'v*' --yes"]],
  async run(context) {
    const { args, http, prompt, repo, server, system } = context;
    const targets = await readTargets(args.protection, system);
    const what = targets.length === 1 ? `tag protection '${targets[0]}'` : `${targets.length} tag protections`;
    await prompt.confirmAction({ what: `Delete ${what} of ${fullName(repo)}` });
    const all = await allProtections(context);
    return batch(
      targets,
      async (target) => {
        const found = findProtection(all, target, context);
        await call(http, tagProtectionDelete, { repo, id: found.id });
        return {
          message: `Deleted tag protection '${found.name_pattern}' of ${fullName(repo)} ${accountLabel(server)}`,
        };
      },
      context,
    );
  },
});
