import type { RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { listWikiPages, pageName, type WikiPageMeta } from "../../forge/wiki.ts";
import { fullName } from "../../repo/repo-name.ts";
import { nearest } from "../../text/nearest.ts";

/** All pages of a wiki. */
export function allPages({ http, repo }: RepositoryContext): Promise<WikiPageMeta[]> {
  return collect(listWikiPages(http, repo));
}

/** The page that a typed title or name means. Throws if there is none. */
export function findPage(
  pages: readonly WikiPageMeta[],
  typed: string,
  { repo }: Pick<RepositoryContext, "repo">,
): WikiPageMeta {
  const found =
    pages.find(({ title }) => title === typed) ??
    pages.find((page) => pageName(page) === typed || page.sub_url === typed);
  if (found !== undefined) return found;
  const near = nearest(
    typed,
    pages.map(({ title }) => title),
  );
  throw new Failure("not_found", `Wiki page ${typed} not found in ${fullName(repo)}`, {
    hint: near.length > 0 ? `Did you mean: ${near.join(", ")}?` : "List the pages: tongs wiki list",
  });
}
