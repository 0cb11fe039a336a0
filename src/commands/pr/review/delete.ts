import { defineCommand } from "../../../app/define.ts";
import { deleteById } from "../../../app/delete-by-id.ts";
import { many } from "../../../command/args.ts";
import { call } from "../../../forge/operation.ts";
import { reviewDelete } from "../../../forge/reviews.ts";
import { findFlagNumber, pullFlag } from "../find.ts";
import { pullName } from "../shared.ts";

/** `tongs pr review delete`: DELETE each review with its comments. */
export const remove = defineCommand({
  summary: "Delete reviews of a pull request",
  details: "Deletes their comments, too. Only their author and administrators of the server can delete reviews.",
  on: "repository",
  effect: "destroy",
  args: { id: many("review IDs; - reads them from stdin, one per line") },
  flags: { pr: pullFlag },
  exits: { partly: "some were deleted, some failed" },
  examples: [["Delete a review", "tongs pr review delete 31 --pr 12 --yes"]],
  async run(context) {
    const { args, flags, http, repo } = context;
    const number = await findFlagNumber(flags.pr, context);
    return deleteById(
      {
        ids: args.id,
        noun: "review",
        owner: `pull request ${pullName(context, number)}`,
        delete: async (id) => {
          await call(http, reviewDelete, { repo, index: number, id });
          return undefined;
        },
      },
      context,
    );
  },
});
