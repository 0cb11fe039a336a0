import { type Content, countContent } from "../../../forge/repo-contents.ts";
import type { Repository } from "../../../forge/repos.ts";
import type { Http } from "../../../http/client.ts";
import { parseRepo } from "../../../repo/repo-name.ts";
import type { ImportSettings } from "./settings.ts";
import type { Source, Wanted } from "./source.ts";

/** What an item of a migration brings, in the order in which servers copy it. */
const contents: Readonly<Record<string, readonly Content[]>> = {
  labels: ["labels"],
  milestones: ["milestones"],
  releases: ["releases"],
  issues: ["issues"],
  pull_requests: ["pull requests", "reviews", "review comments"],
};

const gitContents: readonly Content[] = ["branches", "tags"];

/** What the items of a migration bring, in that order, with the comments. */
function contentsOf(items: readonly string[]): readonly Content[] {
  const found = Object.keys(contents).flatMap((item) => (items.includes(item) ? (contents[item] ?? []) : []));
  // Their list has those of issues and of pull requests together.
  if (found.includes("pull requests")) return [...found, "comments"];
  return found.includes("issues") ? [...found, "issue comments"] : found;
}

/**
 * Compares a copy with the source: what the records of both servers say, and then the numbers of everything that a migration
 * copies, in all states. Returns `whole`, or what is missing, or that it cannot be compared, as what is not counted is not
 * taken for whole. While it is copied, a repository is empty: branches, tags, wiki and LFS files are there when it is not.
 */
export async function compareWhole(
  wanted: Wanted,
  here: Repository,
  { settings, source }: { readonly settings: ImportSettings; readonly source: Source },
  http: Http,
): Promise<string> {
  const { address } = wanted;
  const items = settings.mirror ? [] : settings.items;
  // A list says nothing of its repositories.
  const found = settings.source === undefined ? (await source.find(address))?.repo : undefined;
  const { empty, counts, lacks } = { ...wanted, ...found };
  if (here.empty === true && empty !== true) return "is empty";
  const [missing] = shortRecords(counts, here, settings);
  if (missing !== undefined) return missing;
  const asked = contentsOf(items.filter((item) => !lacks.includes(item)));
  const git: readonly Content[] = here.empty === true ? [] : gitContents;
  for (const what of [...git, ...asked]) {
    const there = await source.count(address, what);
    const isOptional = git.includes(what) || what === "review comments";
    if (there === 0 || (there === undefined && isOptional)) continue;
    if (there === undefined || (what === "comments" && !asked.includes("issues"))) return uncomparable;
    const count = await countContent(http, parseRepo(here.full_name), what);
    if (count === undefined && !isOptional) return uncomparable;
    if (count !== undefined && count < there) return `has ${count} of ${there} ${what}`;
  }
  return whole;
}

/** That a copy has everything. */
export const whole = "whole";
/** That it is not known what a copy lacks. */
export const uncomparable = "cannot be compared with the source";

/** What a copy has too little of by the records of both servers, which say how many issues and pull requests are open. */
export function shortRecords(
  counts: Wanted["counts"],
  here: Repository,
  { items, mirror }: Pick<ImportSettings, "items" | "mirror">,
): string[] {
  const { open_issues_count: issues = 0, open_pr_counter: pulls = 0, release_counter: releases = 0 } = here;
  const has = (item: string) => !mirror && items.includes(item);
  const short = (item: string, what: string, count: number, wanted = 0) =>
    has(item) && count < wanted ? [`has ${count} of ${wanted} ${what}`] : [];
  const both = has("issues") && has("pull_requests");
  return [
    ...short("issues", "open issues", issues, counts.issues),
    ...short("pull_requests", "open pull requests", pulls, counts.pulls),
    ...(both ? short("issues", "open issues and pull requests", issues + pulls, counts.both) : []),
    ...short("releases", "releases", releases, counts.releases),
  ];
}

/** What of an earlier import the lists of repositories do not say, so that it is not compared. */
export function uncompared({ items, mirror, source }: ImportSettings): string[] {
  if (mirror) return [];
  const has = (item: string) => items.includes(item);
  const closed = source === undefined ? "" : "closed ";
  return [
    "branches",
    "tags",
    ...(has("issues") ? [`${closed}issues`] : []),
    ...(has("pull_requests") ? [`${closed}pull requests`] : []),
    ...(has("issues") || has("pull_requests") ? ["comments"] : []),
    ...["labels", "milestones"].filter(has),
    ...(has("wiki") ? ["wikis"] : []),
    ...(has("lfs") ? ["LFS files"] : []),
  ];
}
