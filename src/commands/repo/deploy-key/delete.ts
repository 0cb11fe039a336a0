import { defineCommand } from "../../../app/define.ts";
import { deleteById } from "../../../app/delete-by-id.ts";
import { many } from "../../../command/args.ts";
import { deployKeyDelete, deployKeyGet } from "../../../forge/deploy-keys.ts";
import { call } from "../../../forge/operation.ts";
import { fullName } from "../../../repo/repo-name.ts";

/** `tongs repo deploy-key delete`: GET each key, since DELETE of an unknown one succeeds, then DELETE it. */
export const remove = defineCommand({
  summary: "Delete deploy keys",
  on: "repository",
  effect: "destroy",
  args: { id: many("key IDs; - reads them from stdin, one per line") },
  exits: { partly: "some keys were deleted, some failed" },
  examples: [["Delete a deploy key", "tongs repo deploy-key delete 4 --yes"]],
  async run(context) {
    const { args, http, repo } = context;
    const work = async (id: number) => {
      const { title } = await call(http, deployKeyGet, { repo, id });
      await call(http, deployKeyDelete, { repo, id });
      return title === undefined ? undefined : { name: title };
    };
    return deleteById({ ids: args.id, noun: "deploy key", owner: fullName(repo), delete: work }, context);
  },
});
