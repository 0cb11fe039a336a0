import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { listWikiPages, type WikiPageMeta, wikiPageMeta } from "../../forge/wiki.ts";
import { when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";

const columns = [
  column<WikiPageMeta>("TITLE", (page) => page.title, true),
  column<WikiPageMeta>("NAME", (page) => page.sub_url, true),
  column<WikiPageMeta>("AUTHOR", (page) => page.last_commit?.author?.name),
  column<WikiPageMeta>("UPDATED", (page) => when(page.last_commit?.author?.date)),
];

/** `tongs wiki list`: GET the pages of a wiki. */
export const list = defineCommand({
  summary: "List the pages of a wiki",
  on: "repository",
  effect: "read",
  output: listOf(wikiPageMeta),
  examples: [["List the wiki pages of the current repository", "tongs wiki list"]],
  web: { page: ({ repo }) => `${repoPage(repo, "wiki")}/?action=_pages` },
  async run({ http, repo, out }) {
    await out.list(listWikiPages(http, repo), columns, { what: "wiki pages" });
  },
});
