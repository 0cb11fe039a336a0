import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { pageName, type WikiCommit, wikiCommit, wikiRevisionList } from "../../forge/wiki.ts";
import { column } from "../../output/table.ts";
import { list } from "../../shape/shape.ts";
import { allPages, findPage } from "./find.ts";
import { wikiPath } from "./shared.ts";

const columns = [
  column<WikiCommit>("COMMIT", "sha", { as: "commit" }),
  column<WikiCommit>("MESSAGE", "message", { as: "first line", flexible: true }),
  column<WikiCommit>("AUTHOR", "author.name"),
  column<WikiCommit>("CREATED", "author.date", { as: "time" }),
];

/** `tongs wiki history`: GET the revisions of a page, newest first. */
export const history = defineCommand({
  summary: "List the revisions of a wiki page, newest first",
  details: "The list starts at the last rename of the page.",
  on: "repository",
  effect: "read",
  lists: ["revision", "revisions"],
  args: { page: one("title or name of the page") },
  output: list(wikiCommit),
  examples: [["List the revisions of a page", "tongs wiki history Home"]],
  web: {
    page: async (context) => {
      const page = findPage(await allPages(context), context.args.page, context);
      return `${wikiPath(context.repo, page)}?action=_revision`;
    },
  },
  async run(context) {
    const { args, http, repo, out } = context;
    const page = findPage(await allPages(context), args.page, context);
    await out.list(call(http, wikiRevisionList, { repo, pageName: pageName(page) }), columns);
  },
});
