import type { Command } from "../../app/define.ts";
import { editors, explainDenied } from "../../app/denied.ts";
import { commentArgument, type IssueTarget, readComments } from "../../app/issue-selector.ts";
import { inServer, resource } from "../../app/resource.ts";
import type { Table } from "../../command/table.ts";
import { comment, commentDelete, getComment } from "../../forge/comments.ts";
import { call } from "../../forge/operation.ts";
import { fullName } from "../../repo/repo-name.ts";

const comments = resource({
  ...inServer,
  noun: ["comment", "comments"],
  a: "a comment",
  record: comment,
  argument: commentArgument,
  read: readComments,
  name: ({ repo, number }: IssueTarget) => `comment ${number} in ${fullName(repo)}`,
});

/** The verbs of `tongs comment`. */
export const verbs: Table<Command> = {
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: comments.each({
    verb: ["delete", "deleted"],
    effect: "destroy",
    async work({ repo, number }, { http }) {
      // Some servers delete any event by its ID.
      await getComment(http, repo, number);
      await call(http, commentDelete, { repo, id: number }).catch((error: unknown) => {
        throw explainDenied(error, `Cannot delete comment ${number}`, editors);
      });
    },
    examples: [["Delete a comment", "tongs comment delete 34 --yes"]],
  }),
  reaction: {
    summary: "React to comments",
    verbs: async () => ({
      list: () => import("../../app/reaction-verbs.ts").then((file) => file.ofComment.list),
      add: () => import("../../app/reaction-verbs.ts").then((file) => file.ofComment.add),
      remove: () => import("../../app/reaction-verbs.ts").then((file) => file.ofComment.remove),
    }),
  },
};
