import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { listWikiPages, type WikiPageMeta, wikiPageMeta } from "../../forge/wiki.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";

const columns = [
  column<WikiPageMeta>("TITLE", "title", { flexible: true }),
  column<WikiPageMeta>("NAME", "sub_url", { flexible: true }),
  column<WikiPageMeta>("AUTHOR", "last_commit.author.name"),
  column<WikiPageMeta>("UPDATED", "last_commit.author.date", { as: "time" }),
];

/** `tongs wiki list`: GET the pages of a wiki. */
export const list = defineCommand({
  summary: "List the pages of a wiki",
  on: "repository",
  effect: "read",
  lists: ["wiki page", "wiki pages"],
  output: listOf(wikiPageMeta),
  examples: [["List the wiki pages of the current repository", "tongs wiki list"]],
  web: { page: ({ repo }) => `${repoPage(repo, "wiki")}/?action=_pages` },
  async run({ http, repo, out }) {
    await out.list(listWikiPages(http, repo), columns);
  },
});
