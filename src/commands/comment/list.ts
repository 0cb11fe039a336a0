import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { moment } from "../../command/moment.ts";
import { type Comment, comment, listComments } from "../../forge/comments.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { oneIssue } from "../issue/selector.ts";

const columns = [
  column<Comment>("ID", "id"),
  column<Comment>("AUTHOR", "user.login", ({ user, original_author }) => user?.login ?? original_author),
  column<Comment>("BODY", "body", { cell: ({ body }) => body?.trim(), flexible: true }),
  column<Comment>("CREATED", "created_at", { as: "time" }),
];

/** `tongs comment list`: GET the comments of an issue or a pull request. */
export const list = defineCommand({
  summary: "List the comments of an issue or a pull request",
  on: "repository",
  effect: "read",
  lists: ["comment", "comments"],
  args: { issue: oneIssue },
  flags: { since: moment("list only comments updated at or after this time", { filters: true }) },
  output: listOf(comment),
  examples: [["List the comments of an issue", "tongs comment list 12"]],
  web: { page: ({ args, repo }) => repoPage(repo, "issues", args.issue) },
  async run({ args, flags, http, repo, out }) {
    await out.list(listComments(http, repo, args.issue, { since: flags.since }), columns);
  },
});
