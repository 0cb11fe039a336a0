import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { optional } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { getWikiPage, pageName, type WikiPage, wikiPage } from "../../forge/wiki.ts";
import { NotFoundError } from "../../http/errors.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { allPages } from "./find.ts";
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
    page: async (context) => wikiPath(context.repo, await readPage(context.args.page ?? "Home", context)),
  },
  async run(context) {
    const { args, flags, out } = context;
    const page = await readPage(args.page ?? "Home", context);
    if (flags.raw && !out.records) return out.text(pageText(page));
    await out.record(page, pageSheet);
  },
});

/**
 * The page with a typed title or name, with its text. Servers look up the name first: they do not find a page titled
 * `pre-commit`, whose name is `pre-commit.-`, or find `pre commit` instead.
 */
async function readPage(typed: string, context: RepositoryContext): Promise<WikiPage> {
  const { http, repo } = context;
  let read: WikiPage | undefined;
  let missing: unknown;
  try {
    read = await getWikiPage(http, repo, typed);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    missing = error;
  }
  if (read?.title === typed) return read;
  const pages = await allPages(context).catch((error: unknown) => {
    throw error instanceof NotFoundError ? (missing ?? error) : error;
  });
  const titled = pages.find(({ title }) => title === typed);
  if (titled !== undefined) return getWikiPage(http, repo, pageName(titled));
  if (read === undefined) throw missing;
  return read;
}

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
