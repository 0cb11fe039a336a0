import { batch } from "../../../app/batch.ts";
import type { CommandContext } from "../../../app/context.ts";
import { defineCommand } from "../../../app/define.ts";
import { readIds } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { text } from "../../../command/flags.ts";
import { call } from "../../../forge/operation.ts";
import { type Review, review, reviewDismiss, reviewUndismiss } from "../../../forge/reviews.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { list } from "../../../shape/shape.ts";
import { findFlagNumber, pullFlag } from "../find.ts";
import { pullName } from "../shared.ts";

const args = { id: many("review IDs; - reads them from stdin, one per line") };
const exits = { partly: "some succeeded, some failed", denied: "you are not an administrator of the repository" };

/** `tongs pr review dismiss`: POST a dismissal of each review. */
export const dismiss = defineCommand({
  summary: "Dismiss reviews of a pull request",
  details: "Only approvals and rejections can be dismissed, by administrators of the repository.",
  on: "repository",
  effect: "write",
  args,
  flags: { pr: pullFlag, message: text("reason for the dismissal, shown on the pull request", { short: "m" }) },
  exits,
  output: list(review),
  examples: [["Dismiss a review", 'tongs pr review dismiss 31 --pr 12 --message "Fixed since"']],
  async run(context) {
    const message = context.flags.message ?? "";
    return changeEach(context, "Dismissed", (pull, id) =>
      call(context.http, reviewDismiss, { repo: context.repo, index: pull, id }, { message }),
    );
  },
});

/** `tongs pr review undismiss`: POST the withdrawal of each dismissal. */
export const undismiss = defineCommand({
  summary: "Restore dismissed reviews of a pull request",
  on: "repository",
  effect: "write",
  args,
  flags: { pr: pullFlag },
  exits,
  output: list(review),
  examples: [["Restore a dismissed review", "tongs pr review undismiss 31 --pr 12"]],
  async run(context) {
    return changeEach(context, "Restored", (pull, id) =>
      call(context.http, reviewUndismiss, { repo: context.repo, index: pull, id }),
    );
  },
});

/** Changes each review of the pull request; `done` is what was done. */
async function changeEach(
  context: CommandContext<"repository", typeof args, { readonly pr: typeof pullFlag }>,
  done: "Dismissed" | "Restored",
  change: (pull: number, id: number) => Promise<Review>,
) {
  const { flags, server, system } = context;
  const ids = await readIds(context.args.id, system);
  const number = await findFlagNumber(flags.pr, context);
  const work = async (id: number) => ({
    record: await change(number, id),
    message: `${done} review ${id} of pull request ${pullName(context, number)} ${accountLabel(server)}`,
  });
  return batch(ids, work, context);
}
