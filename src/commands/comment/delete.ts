import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { commentDelete, getComment } from "../../forge/comments.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { manyComments, readComments } from "../issue/selector.ts";
import { editors, explainDenied } from "../issue/shared.ts";
import { commentName } from "./edit.ts";

/** `tongs comment delete`: GET each comment, because some servers delete any event by its id, then DELETE it. */
export const remove = defineCommand({
  summary: "Delete comments",
  on: "server",
  effect: "destroy",
  args: { comment: manyComments },
  exits: { partly: "some comments were deleted, some failed" },
  examples: [["Delete a comment", "tongs comment delete 34 --yes"]],
  async run(context) {
    const { args, http, prompt, server } = context;
    const targets = await readComments(args.comment, context);
    const what = targets.length === 1 ? targets.map(commentName).join() : `${targets.length} comments`;
    await prompt.confirmAction({ what: `Delete ${what}` });
    return batch(
      targets,
      async ({ repo, number }) => {
        await getComment(http, repo, number);
        await call(http, commentDelete, { repo, id: number }).catch((error: unknown) => {
          throw explainDenied(error, `Cannot delete comment ${number}`, editors);
        });
        return { message: `Deleted comment ${number} in ${fullName(repo)} ${accountLabel(server)}` };
      },
      context,
      { name: commentName },
    );
  },
});
