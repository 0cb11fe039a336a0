import { besidesCopy, pagesOfWiki, textsOf, updatedSince } from "../../../forge/repo-contents.ts";
import type { Repository } from "../../../forge/repos.ts";
import type { Http } from "../../../http/client.ts";
import { parseRepo } from "../../../repo/repo-name.ts";
import { type CountHere, contentsOf, gitContents, hasBoth, headOf } from "./compare.ts";
import type { ImportSettings } from "./settings.ts";
import type { Source, Wanted } from "./source.ts";

/**
 * What a copy has that the source has not, so that somebody works in it: what no migration makes, such as a protection, an issue
 * or a comment that was edited, a page of the wiki, a label, milestone or release of another text, more of something, or a
 * default branch at a commit that the source does not know. Undefined if nothing is, or the source does not tell.
 */
export async function ownWork(
  { address }: Wanted,
  here: Repository,
  { items, mirror }: Pick<ImportSettings, "items" | "mirror">,
  source: Source,
  { http, user, countHere }: { readonly http: Http; readonly user: string | undefined; readonly countHere: CountHere },
): Promise<string | undefined> {
  const edited =
    (await besidesCopy(http, here, user)) ??
    (await editedIssue(address, here, source, http)) ??
    (await ownPage(address, here, source, http)) ??
    (await ownText(address, here, source, http));
  if (edited !== undefined || here.empty === true) return edited;
  const asked = mirror ? [] : contentsOf(items);
  for (const what of [...gitContents, ...asked]) {
    if (what === "comments" && !hasBoth(asked)) continue;
    const [there, count] = await Promise.all([source.count(address, what), countHere(what)]);
    if (there !== undefined && count !== undefined && count > there) return `${count} ${what}, ${there} at the source`;
  }
  const sha = await headOf(here, http);
  if (sha === undefined || (await source.hasCommit(address, sha)) !== false) return undefined;
  return `commit ${sha.slice(0, 10)} on ${here.default_branch}`;
}

/** An issue or pull request that was updated since the copy was begun, and not by the migration, which keeps the time. */
async function editedIssue(
  address: string,
  { full_name, created_at: since }: Repository,
  source: Source,
  http: Http,
): Promise<string | undefined> {
  if (since == null) return undefined;
  const here = await updatedSince(http, parseRepo(full_name), since);
  const later = [...(here ?? [])].filter(([, updated]) => Date.parse(updated) > Date.parse(since));
  if (later.length === 0) return undefined;
  const there = await source.updated(address, since);
  const own = later.find(([number, updated]) => Date.parse(there?.get(number) ?? "") !== Date.parse(updated));
  return own && `#${own[0]}, updated ${own[1]}`;
}

/** A label, milestone, release or file of a release, or a comment, that the source has not, or with another text. */
async function ownText(
  address: string,
  { full_name, created_at }: Repository,
  source: Source,
  http: Http,
): Promise<string | undefined> {
  const since = created_at ?? "";
  const here = await textsOf(http, parseRepo(full_name), since);
  const later = here.filter(({ updated }) => updated === undefined || Date.parse(updated) > Date.parse(since));
  if (later.length === 0) return undefined;
  const there = await source.texts(address, since);
  if (there === undefined) return undefined;
  const known = new Set(there.map(({ text }) => text));
  return later.find(({ text }) => !known.has(text))?.what;
}

/** A page of the wiki at another commit than at the source; if that does not tell, one that was written since the copy was begun. */
async function ownPage(
  address: string,
  { full_name, created_at }: Repository,
  source: Source,
  http: Http,
): Promise<string | undefined> {
  const pages = await pagesOfWiki(http, parseRepo(full_name));
  if (pages.length === 0) return undefined;
  const there = await source.wikiCommits(address);
  const isOwn = ({ last_commit: commit }: (typeof pages)[number]) =>
    there === undefined
      ? Date.parse(commit?.author?.date ?? "") > Date.parse(created_at ?? "")
      : !there.has(commit?.sha ?? "");
  const own = pages.find(isOwn);
  return own && `the page ${JSON.stringify(own.title)} of its wiki`;
}
