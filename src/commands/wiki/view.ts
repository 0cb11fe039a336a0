import { defineCommand } from "../../app/define.ts";
import { optional } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { type WikiPage, wikiApi, wikiPage } from "../../forge/wiki.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { pageText, wikiPath } from "./shared.ts";

/** `tongs wiki view`: GET a page. */
export const view = defineCommand({
  summary: "View a wiki page",
  on: "repository",
  effect: "read",
  args: { page: optional("title or name of the page (default: Home)") },
  flags: {
    raw: toggle("print only the text of the page"),
  },
  output: wikiPage,
  examples: [
    ["View a page", 'tongs wiki view "Night signals"'],
    ["Save the text of a page", "tongs wiki view Home --raw > Home.md"],
  ],
  web: {
    page: async ({ args, http, repo }) => wikiPath(repo, await wikiApi(http).get(repo, args.page ?? "Home")),
  },
  async run({ args, flags, http, repo, out }) {
    const page = await wikiApi(http).get(repo, args.page ?? "Home");
    if (flags.raw && !out.records) return out.text(pageText(page));
    await out.record(page, pageSheet);
  },
});

function pageSheet(page: WikiPage): Sheet {
  return {
    title: page.title,
    fields: [
      ["author", page.last_commit?.author?.name],
      ["updated", when(page.last_commit?.author?.date)],
      ["revisions", page.commit_count],
      ["url", styled("link", page.html_url)],
    ],
    body: pageText(page),
    markdown: true,
  };
}
