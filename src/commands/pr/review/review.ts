import type { Command } from "../../../app/define.ts";
import { resource } from "../../../app/resource.ts";
import { text } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { call } from "../../../forge/operation.ts";
import { review, reviewDelete, reviewDismiss, reviewUndismiss } from "../../../forge/reviews.ts";
import { findFlagNumber, pullFlag } from "../find.ts";
import { pullName } from "../pull.ts";

const reviews = resource({
  on: "repository",
  noun: ["review", "reviews"],
  a: "a review",
  record: review,
  argument: { key: "id", one: "review ID", many: "review IDs", isId: true },
  flags: { pr: pullFlag },
  async place(context) {
    const index = await findFlagNumber(context.flags.pr, context, "review");
    return { path: { repo: context.repo, index }, name: `pull request ${pullName(context, index)}` };
  },
  target: () => (id) => ({ id: Number(id) }),
  name: ({ id }: { readonly id: number }) => `review ${id}`,
  where: ({ name }) => name,
});

const exits = { denied: "you are not an administrator of the repository" };

/** The verbs of `tongs pr review`. */
export const verbs: Table<Command> = {
  add: () => import("./add.ts").then((file) => file.review),
  submit: () => import("./submit.ts").then((file) => file.submit),
  dismiss: reviews.each({
    verb: ["dismiss", "dismissed"],
    summary: "Dismiss reviews of a pull request",
    details: "Only approvals and rejections can be dismissed, by administrators of the repository.",
    flags: { message: text("reason for the dismissal, shown on the pull request", { short: "m" }) },
    exits,
    work: ({ id }, { flags, http, place }) =>
      call(http, reviewDismiss, { ...place.path, id }, { message: flags.message ?? "" }),
    examples: [["Dismiss a review", 'tongs pr review dismiss 31 --pr 12 --message "Fixed since"']],
  }),
  undismiss: reviews.each({
    verb: ["restore", "restored"],
    summary: "Restore dismissed reviews of a pull request",
    exits,
    work: ({ id }, { http, place }) => call(http, reviewUndismiss, { ...place.path, id }),
    examples: [["Restore a dismissed review", "tongs pr review undismiss 31 --pr 12"]],
  }),
  delete: reviews.delete({
    sends: reviewDelete,
    summary: "Delete reviews of a pull request",
    details: "Also deletes their comments. Only their author and administrators of the server can delete reviews.",
    work: ({ id }, { http, place }) => call(http, reviewDelete, { ...place.path, id }),
    examples: [["Delete a review", "tongs pr review delete 31 --pr 12 --yes"]],
  }),
};
