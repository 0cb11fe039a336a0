import type { Command } from "../../app/define.ts";
import { editors, orDenied } from "../../app/denied.ts";
import { commentArgument, type IssueTarget, oneIssue, readComments } from "../../app/issue-selector.ts";
import { listCommand } from "../../app/list-command.ts";
import { inServer, resource } from "../../app/resource.ts";
import { repoPage } from "../../app/web.ts";
import type { Table } from "../../command/table.ts";
import { moment } from "../../command/time-flags.ts";
import { type Comment, comment, commentDelete, getComment, listComments } from "../../forge/comments.ts";
import { call } from "../../forge/operation.ts";
import { column } from "../../output/table.ts";
import { fullName } from "../../repo/repo-name.ts";

const comments = resource({
  ...inServer,
  noun: ["comment", "comments"],
  a: "a comment",
  record: comment,
  argument: commentArgument,
  read: readComments,
  targetName: ({ number }) => String(number),
  name: ({ repo, number }: IssueTarget) => `comment ${number} in ${fullName(repo)}`,
});

/** The verbs of `tongs comment`. */
export const verbs: Table<Command> = {
  list: listCommand({
    on: "repository",
    lists: ["comment", "comments"],
    record: comment,
    summary: "List the comments of an issue or a pull request",
    args: { issue: oneIssue },
    flags: { since: moment("list only comments updated at or after this time", { filters: true }) },
    columns: [
      column<Comment>("ID", "id"),
      column<Comment>("AUTHOR", "user.login", ({ user, original_author }) => user?.login ?? original_author),
      column<Comment>("BODY", "body", { cell: ({ body }) => body?.trim(), flexible: true }),
      column<Comment>("CREATED", "created_at", { as: "time" }),
    ],
    fetch: ({ args, flags, http, repo }) => listComments(http, repo, args.issue, { since: flags.since }),
    page: ({ args, repo }) => repoPage(repo, "issues", args.issue),
    examples: [["List the comments of an issue", "tongs comment list 12"]],
  }),
  view: () => import("./view.ts").then((file) => file.view),
  edit: () => import("./edit.ts").then((file) => file.edit),
  delete: comments.delete({
    sends: commentDelete,
    async work({ repo, number }, { http }) {
      // Some servers delete any event by its ID.
      await getComment(http, repo, number);
      await call(http, commentDelete, { repo, id: number }).catch(orDenied(`Cannot delete comment ${number}`, editors));
    },
    examples: [["Delete a comment", "tongs comment delete 34 --yes"]],
  }),
  reaction: {
    summary: "React to comments",
    verbs: async () => ({
      list: () => import("../../app/reaction-verbs.ts").then((file) => file.ofComment.list()),
      add: () => import("../../app/reaction-verbs.ts").then((file) => file.ofComment.add()),
      remove: () => import("../../app/reaction-verbs.ts").then((file) => file.ofComment.remove()),
    }),
  },
};
