import { Failure, UsageError } from "../failure/failure.ts";
import type { Level } from "../forge/level.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { percentEncoded } from "../text/percent.ts";
import type { BaseContext } from "./context.ts";

/** The longest address that browsers and servers accept, in characters. */
const longestAddress = 8_000;

/** Opens a page to continue a creation in: `address` is that of the page, with what is filled in. */
export async function continueAt(
  page: string,
  address: string,
  { out, system, options }: Pick<BaseContext, "out" | "system" | "options">,
): Promise<undefined> {
  if (address.length > longestAddress)
    throw new Failure("too_long", "The body is too long to continue in the browser", { hint: `Open ${page}` });
  if (options.dryRun) out.note(`Dry run: would open ${address}`);
  else await openInBrowser(address, { out, system }, page);
  return undefined;
}

/** Opens a page in the browser, and says which; `shown` is its address without what is filled in. */
export async function openInBrowser(
  page: string,
  { out, system }: Pick<BaseContext, "out" | "system">,
  shown = page,
): Promise<void> {
  out.note(`Opening ${shown} in your browser.`);
  // Few command lines open a browser.
  const { openPage } = await import("../output/browser.ts");
  await openPage(system, page);
}

/** The path of a page from its parts: `pagePath("mara", "harbor", "pulls", 12)`. A part can be a path of its own. */
export function pagePath(...parts: readonly (string | number)[]): string {
  const names = parts.flatMap((part) => String(part).split("/")).filter((name) => name !== "");
  return `/${names.map(percentEncoded).join("/")}`;
}

/** The path of a page of a repository. */
export function repoPage({ owner, name }: RepoName, ...parts: readonly (string | number)[]): string {
  return pagePath(owner, name, ...parts);
}

/** The path of a settings page of a repository, an organization, or the user. */
export function settingsPage(level: Level, ...parts: readonly string[]): string {
  switch (level.of) {
    case "repository":
      return repoPage(level.repo, "settings", ...parts);
    case "organization":
      return pagePath("org", level.org, "settings", ...parts);
    case "user":
      return pagePath("user", "settings", ...parts);
    default:
      throw new UsageError("--web cannot be used with --admin", "Servers have these pages at different addresses.");
  }
}

/** A path with the filters that a page takes: `/mara/harbor/pulls?state=closed`. */
export function filtered(path: string, filters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}
