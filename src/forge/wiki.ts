import { Failure } from "../failure/failure.ts";
import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, nullable, optional, serverRecord, string, using } from "../shape/shape.ts";

const signature = serverRecord("a signature", { name: string, email: string, date: optional(string) }, [
  "name",
  "date",
]);

/** A revision of a wiki page. The servers spell `commiter` so. */
export const wikiCommit = serverRecord(
  "a revision",
  {
    sha: string,
    author: optional(nullable(signature)),
    commiter: nullable(signature),
    message: optional(string),
  },
  ["sha", "author", "message"],
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
    sidebar: optional(string),
    footer: optional(string),
  },
  ["title", "html_url", "sub_url", "last_commit", "content_base64", "commit_count"],
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

/** The body of `POST …/wiki/new`. */
export interface CreateWikiPageOption {
  readonly title: string;
  readonly content_base64: string;
  readonly message?: string | undefined;
}

/** The name of a page in paths. Its `sub_url` in a list is that name, escaped. */
export function pageName({ sub_url }: Pick<WikiPageMeta, "sub_url">): string {
  try {
    return decodeURIComponent(sub_url);
  } catch {
    return sub_url;
  }
}

/**
 * The wiki of a repository. To read a page, its title and file name are names, too; to change it, only `pageName` of a
 * listed page is: with others, servers make a second page (docs/server-differences.md, "Wiki").
 */
export function wikiApi(http: Http) {
  const one = (repo: RepoName, page: string) => path`/repos/${repo.owner}/${repo.name}/wiki/page/${page}`;
  return {
    /** Empty if no page was ever made. */
    list: (repo: RepoName) =>
      emptyIfNotStarted(
        http.list(path`/repos/${repo.owner}/${repo.name}/wiki/pages`, { items: wikiPageMeta, unique: "sub_url" }),
      ),

    get: (repo: RepoName, page: string) =>
      http.get(one(repo, page), { answers: json(wikiPage) }).catch((error: unknown) => {
        throw explainBranch(error);
      }),

    create: (repo: RepoName, body: CreateWikiPageOption) =>
      http
        .post(path`/repos/${repo.owner}/${repo.name}/wiki/new`, { body, answers: json(wikiPage) })
        .catch((error: unknown) => {
          throw explainBranch(error, "The page was created, but the");
        }),

    /**
     * Replaces a page. Without a title servers rename the page, without content they empty it, so the body has both; and
     * they create a page that does not exist, and overwrite one that has the new title (docs/server-differences.md, "Wiki").
     */
    edit: (repo: RepoName, page: string, body: CreateWikiPageOption) =>
      http.patch(one(repo, page), { body, answers: json(wikiPage) }),

    delete: (repo: RepoName, page: string) => http.delete(one(repo, page), { answers: nothing }),

    /** The revisions of a page, newest first, since it has its name. */
    revisions: (repo: RepoName, page: string) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/wiki/revisions/${page}`, {
        items: wikiCommit,
        envelope: "commits",
        unique: "sha",
      }),
  };
}

/**
 * Forgejo 7.0 looks for every wiki on the branch master, although new ones have main (docs/server-differences.md,
 * "Wiki").
 */
function explainBranch(error: unknown, start = "The"): unknown {
  if (!(error instanceof NotFoundError) || !error.serverMessage.includes("[id: refs/heads/master,")) return error;
  const { status, method, path, exchange } = error;
  const message = `${start} API of ${exchange.server} cannot read this wiki: it looks for the branch master`;
  return new Failure("wiki_branch", message, {
    ...{ status, method, path, cause: error },
    hint: "Forgejo 8.0 and newer can. Use the web page or a clone of the wiki instead.",
  });
}

/** A wiki without any page is 404, as one that is switched off is (docs/server-differences.md, "Wiki"). */
function emptyIfNotStarted<T>(listing: Listing<T>): Listing<T> {
  return {
    async *take(limit) {
      try {
        yield* listing.take(limit);
      } catch (error) {
        if (!(error instanceof NotFoundError) || !error.serverMessage.includes("no such file or directory"))
          throw explainBranch(error);
      }
    },
    get total() {
      return listing.total ?? 0;
    },
  };
}
