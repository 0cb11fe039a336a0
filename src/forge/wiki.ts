import { Failure } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, nullable, optional, serverRecord, string, using } from "../shape/shape.ts";
import type { CreateWikiPageOptions } from "./generated/operations.ts";
import { behaviors } from "./generated/since.ts";
import { orInstead } from "./listings.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { availableSince } from "./support.ts";
import { isAbsent, undoEdit } from "./undo.ts";

const signature = serverRecord("a signature", { name: string, date: optional(string) }, { email: string });

/** A revision of a wiki page. The servers spell `commiter` so. */
export const wikiCommit = serverRecord(
  "a revision",
  { sha: string, author: optional(nullable(signature)), message: optional(string) },
  { commiter: nullable(signature) },
);

export type WikiCommit = Infer<typeof wikiCommit>;

/** A wiki page. `sub_url` is its name in addresses; content, sidebar and footer are base64. */
export const wikiPage = serverRecord(
  "a wiki page",
  {
    title: string,
    html_url: optional(string),
    sub_url: string,
    last_commit: optional(nullable(wikiCommit)),
    content_base64: string,
    commit_count: optional(integer),
  },
  { sidebar: optional(string), footer: optional(string) },
);

export type WikiPage = Infer<typeof wikiPage>;

const { content_base64: _, commit_count: _count, sidebar: _sidebar, footer: _footer, ...metaFields } = wikiPage.fields;

/** A wiki page without its content. */
export const wikiPageMeta = using(
  { ...wikiPage, title: "a wiki page", fields: metaFields },
  "title",
  "html_url",
  "sub_url",
  "last_commit",
);

export type WikiPageMeta = Infer<typeof wikiPageMeta>;

/** The name of a page in paths. Its `sub_url` in a list is that name, escaped. */
export function pageName({ sub_url }: Pick<WikiPageMeta, "sub_url">): string {
  try {
    return decodeURIComponent(sub_url);
  } catch {
    return sub_url;
  }
}

const unit = "Wiki pages";

export const wikiPageList = operation("GET", "/repos/{owner}/{repo}/wiki/pages", {
  answers: pagesOf(wikiPageMeta, { unique: "sub_url" }),
  unit,
});

/** The title and the file name of a page are names, too. */
export const wikiPageGet = operation("GET", "/repos/{owner}/{repo}/wiki/page/{pageName}", { answers: wikiPage });

const inCommit = "the message of the commit, which the answer does not have";

export const wikiPageCreate = operation("POST", "/repos/{owner}/{repo}/wiki/new", {
  answers: wikiPage,
  unit,
  applied: { except: { message: inCommit } },
});

/**
 * Replaces a page. Only `pageName` of a listed page is its name here: with others, servers make a second page. Without a title
 * servers rename the page, without content they empty it, so the body has both; and they create a page that does not exist,
 * and overwrite one that has the new title (docs/server-differences.md, "Wiki").
 */
export const wikiPageEdit = operation("PATCH", "/repos/{owner}/{repo}/wiki/page/{pageName}", {
  answers: wikiPage,
  undo: undoEdit({
    how: ["message"],
    moved: ({ sub_url }) => (typeof sub_url === "string" ? { pageName: pageName({ sub_url }) } : {}),
    // A page that has the old name since would be overwritten.
    adjust: ({ past, request, isAsLeft }) =>
      request.path === past.path
        ? {}
        : { isAsLeft: async (read) => (await isAsLeft(read)) && (await isAbsent(past.path)(read)) },
  }),
  applied: { except: { message: inCommit } },
});

export const wikiPageDelete = operation("DELETE", "/repos/{owner}/{repo}/wiki/page/{pageName}");

/** The revisions of a page, newest first, since it has its name. */
export const wikiRevisionList = operation("GET", "/repos/{owner}/{repo}/wiki/revisions/{pageName}", {
  answers: pagesOf(wikiCommit, { envelope: "commits", unique: "sha" }),
});

/**
 * The pages of a wiki; empty if no page was ever made, which is 404, as a wiki is that is turned off
 * (docs/server-differences.md, "Wiki").
 */
export function listWikiPages(http: Http, repo: RepoName): Listing<Infer<typeof wikiPageMeta>> {
  return orInstead(call(http, wikiPageList, { repo }), async (error) => {
    const isEmpty = error instanceof NotFoundError && error.serverMessage.includes("no such file or directory");
    if (!isEmpty) throw explainBranch(error);
    return { async *take() {}, total: 0 };
  });
}

/** A page by its name, its title or its file name. */
export function getWikiPage(http: Http, repo: RepoName, page: string) {
  return call(http, wikiPageGet, { repo, pageName: page }).catch((error: unknown) => {
    throw explainBranch(error);
  });
}

/** Creates a page. */
export function createWikiPage(http: Http, repo: RepoName, body: CreateWikiPageOptions) {
  return call(http, wikiPageCreate, { repo }, body).catch((error: unknown) => {
    throw explainBranch(error, "The page was created, but the");
  });
}

/**
 * Forgejo 7.0 and Gitea 1.22 look for every wiki on the branch master, although new ones have main
 * (docs/server-differences.md, "Wiki").
 */
function explainBranch(error: unknown, start = "The"): unknown {
  if (!(error instanceof NotFoundError) || !error.serverMessage.includes("[id: refs/heads/master,")) return error;
  const { status, method, path, exchange } = error;
  const message = `${start} API of ${exchange.server} cannot read this wiki: it looks for the branch master`;
  return new Failure("wiki_branch", message, {
    status,
    method,
    path,
    cause: error,
    hint: `${availableSince(behaviors.readsWikis)} Use the web page or a clone of the wiki instead.`,
  });
}
