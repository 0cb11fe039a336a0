import type { RepositoryContext } from "../../app/context.ts";
import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import { inRepository, resource } from "../../app/resource.ts";
import { repoPage } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { call } from "../../forge/operation.ts";
import {
  getWikiPage,
  listWikiPages,
  pageName,
  type WikiCommit,
  type WikiPage,
  type WikiPageMeta,
  wikiCommit,
  wikiPage,
  wikiPageDelete,
  wikiPageMeta,
  wikiRevisionList,
} from "../../forge/wiki.ts";
import { NotFoundError } from "../../http/errors.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import type { RepoName } from "../../repo/repo-name.ts";
import { allPages, findPage } from "./find.ts";
import { pageText, wikiPath } from "./text.ts";

type Listed = Pick<WikiPageMeta, "title" | "sub_url">;

const described = {
  ...inRepository,
  noun: ["wiki page", "wiki pages"],
  a: "a wiki page",
  argument: { key: "page", one: "title or name of the page", many: "titles or names of pages" },
  name: ({ title }: Listed) => `wiki page ${title}`,
  page: (page: Listed, repo: RepoName) => wikiPath(repo, page),
} as const;

/** Pages as lists have them, without their text. */
const listed = resource({
  ...described,
  record: wikiPageMeta,
  async select(context) {
    const all = await allPages(context);
    return (typed) => findPage(all, typed, context);
  },
});

const pages = resource({
  ...described,
  record: wikiPage,
  get: (typed, context) => readPage(typed === "" ? "Home" : typed, context),
});

/** The verbs of `tongs wiki`. */
export const verbs: Table<Command> = {
  list: listed.list({
    summary: "List the pages of a wiki",
    columns: [
      column<WikiPageMeta>("TITLE", "title", { flexible: true }),
      column<WikiPageMeta>("NAME", "sub_url", { flexible: true }),
      column<WikiPageMeta>("AUTHOR", "last_commit.author.name"),
      column<WikiPageMeta>("UPDATED", "last_commit.author.date", { as: "time" }),
    ],
    fetch: ({ http, repo }) => listWikiPages(http, repo),
    page: ({ repo }) => `${repoPage(repo, "wiki")}/?action=_pages`,
    examples: [["List the wiki pages of the current repository", "tongs wiki list"]],
  }),
  view: pages.view({
    absent: "Home",
    flags: { raw: toggle("print only the text of the page") },
    plain: (page, { flags }) => (flags.raw ? pageText(page) : undefined),
    sheet: pageSheet,
    examples: [
      ["View a page", 'tongs wiki view "Night signals"'],
      ["Save the text of a page", "tongs wiki view Home --raw > Home.md"],
    ],
  }),
  create: () => import("./create.ts").then((file) => file.create()),
  edit: () => import("./edit.ts").then((file) => file.edit()),
  delete: listed.delete({
    sends: wikiPageDelete,
    // Each deletion is a commit.
    jobs: 1,
    work: (page, { http, repo }) => call(http, wikiPageDelete, { repo, pageName: pageName(page) }),
    examples: [["Delete a page", "tongs wiki delete Night-signals --yes"]],
  }),
  history: listCommand({
    on: "repository",
    lists: ["revision", "revisions"],
    record: wikiCommit,
    summary: "List the revisions of a wiki page, newest first",
    details: "The list starts at the last rename of the page.",
    args: { page: one("title or name of the page") },
    columns: [
      column<WikiCommit>("COMMIT", "sha", { as: "commit" }),
      column<WikiCommit>("MESSAGE", "message", { as: "first line", flexible: true }),
      column<WikiCommit>("AUTHOR", "author.name"),
      column<WikiCommit>("CREATED", "author.date", { as: "time" }),
    ],
    async fetch(context) {
      const page = findPage(await allPages(context), context.args.page, context);
      return call(context.http, wikiRevisionList, { repo: context.repo, pageName: pageName(page) });
    },
    async page(context) {
      const page = findPage(await allPages(context), context.args.page, context);
      return `${wikiPath(context.repo, page)}?action=_revision`;
    },
    examples: [["List the revisions of a page", "tongs wiki history Home"]],
  }),
  clone: () => import("./clone.ts").then((file) => file.clone),
};

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
