import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { type Commit, commit } from "../../forge/commits.ts";
import { call } from "../../forge/operation.ts";
import { pullCommitList } from "../../forge/pulls.ts";
import { when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list } from "../../shape/shape.ts";
import { findNumber, pullSelector } from "./find.ts";

/** The columns of commits. */
export const commitColumns = [
  column<Commit>("COMMIT", "sha", { as: "commit" }),
  column<Commit>("TITLE", "commit.message", { as: "first line", flexible: true }),
  column<Commit>("AUTHOR", "author.login", (one) => one.author?.login ?? one.commit?.author?.name),
  column<Commit>("CREATED", "created", (one) => when(one.commit?.author?.date ?? one.created)),
];

/** `tongs pr commits`: GET the commits of a pull request, newest first. */
export const commits = defineCommand({
  summary: "List the commits of a pull request, newest first",
  on: "repository",
  effect: "read",
  lists: ["commit", "commits"],
  args: { pr: pullSelector },
  output: list(commit),
  examples: [["List the commits of pull request 12", "tongs pr commits 12"]],
  web: {
    page: async (context) => repoPage(context.repo, "pulls", await findNumber(context.args.pr, context), "commits"),
  },
  async run(context) {
    const { http, repo, out } = context;
    const number = await findNumber(context.args.pr, context);
    // The table does not show signatures and files, which are expensive for the server.
    const query = out.records ? {} : { verification: false, files: false };
    await out.list(call(http, pullCommitList, { repo, index: number, ...query }), commitColumns);
  },
});
