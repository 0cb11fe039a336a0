import pMap from "p-map";
import { branchHeadGet } from "../../../forge/branches.ts";
import { call } from "../../../forge/operation.ts";
import { type Content, countContent } from "../../../forge/repo-contents.ts";
import type { Repository } from "../../../forge/repos.ts";
import type { Http } from "../../../http/client.ts";
import { ifFound } from "../../../http/errors.ts";
import { parseRepo } from "../../../repo/repo-name.ts";
import { originOf } from "./at-source.ts";
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

export const gitContents: readonly Content[] = ["branches", "tags"];

/** What the items of a migration bring, in that order, with the comments. */
export function contentsOf(items: readonly string[]): readonly Content[] {
  const found = Object.keys(contents).flatMap((item) => (items.includes(item) ? (contents[item] ?? []) : []));
  return found.includes("issues") || found.includes("pull requests") ? [...found, "comments"] : found;
}

/** Whether the comments can be counted: their list has those of issues and of pull requests together. */
export function hasBoth(asked: readonly Content[]): boolean {
  return asked.includes("issues") && asked.includes("pull requests");
}

/** How many of something a copy has; undefined if the server does not say that. */
export type CountHere = (what: Content) => Promise<number | undefined>;

/** Counts what a copy has now, each once. */
export function countsOf(http: Http, here: Repository): CountHere {
  const known = new Map<Content, Promise<number | undefined>>();
  return (what) => {
    const count = known.get(what) ?? countContent(http, parseRepo(here.full_name), what);
    known.set(what, count);
    return count;
  };
}

/** Compares what was copied of a repository, and got no definite answer, with the source. */
export interface Compared {
  readonly isWhole: boolean;
  /** What is missing; absent of what is whole, or cannot be compared. */
  readonly missing?: string;
  /** Whether all of what servers copy after the missing is there: they do not go on to copy it. */
  readonly isOver?: boolean;
}

/** What is copied after all that stands before it in the contents. Servers differ in the order of labels and milestones. */
const stages: readonly Content[] = ["releases", "issues", "pull requests"];
/** What is copied in the last stage, or with each issue. */
const last: readonly Content[] = ["pull requests", "reviews", "review comments", "comments"];

/**
 * Whether a copy has all that was asked for: what the records of both servers say, and then the numbers of everything that a
 * migration copies, in all states. What cannot be counted is not taken for whole. What is copied later can show that the server
 * does not go on, such as pull requests where only a label is missing, which the source got since then. While it is copied, a repository is empty:
 * branches, tags, wiki and LFS files are there when it is not.
 */
export async function compareWhole(
  wanted: Wanted,
  here: Repository,
  { settings, source }: { readonly settings: ImportSettings; readonly source: Source },
  countHere: CountHere,
): Promise<Compared> {
  const { address } = wanted;
  const items = settings.mirror ? [] : settings.items;
  // A list says nothing of its repositories.
  const found = settings.source === undefined ? (await source.find(address))?.repo : undefined;
  const { empty, counts, lacks } = { ...wanted, ...found };
  if (here.empty === true && empty !== true) return { isWhole: false, missing: "is empty" };
  const [byRecord] = shortRecords(counts, here, settings);
  let missing = byRecord;
  let isOver = false;
  const asked = contentsOf(items.filter((item) => !lacks.includes(item)));
  const git: readonly Content[] = here.empty === true ? [] : gitContents;
  for (const what of [...git, ...asked]) {
    const there = await source.count(address, what);
    const isOptional = git.includes(what) || what === "review comments";
    if (there === undefined && isOptional) continue;
    if (there === undefined) return short(missing);
    if (there === 0) continue;
    if (what === "comments" && !hasBoth(asked)) return short(missing);
    const count = await countHere(what);
    if (count === undefined && isOptional) continue;
    if (count === undefined) return short(missing);
    if (count >= there) {
      isOver ||= stages.includes(what);
      continue;
    }
    isOver = false;
    missing ??= `has ${count} of ${there} ${what}`;
    if (last.includes(what)) return short(missing);
  }
  // The records are brought up to date at the end, or after it.
  return missing === undefined ? { isWhole: true } : { ...short(missing), isOver: isOver && byRecord === undefined };
}

function short(missing: string | undefined): Compared {
  return missing === undefined ? { isWhole: false } : { isWhole: false, missing };
}

/** The commit of the default branch. */
export async function headOf(here: Repository, http: Http): Promise<string | undefined> {
  const { default_branch: branch = "" } = here;
  if (branch === "" || here.empty === true) return undefined;
  return (await ifFound(call(http, branchHeadGet, { repo: parseRepo(here.full_name), branch })))?.commit?.id;
}

/** How many repositories a plan asks whether they are what a copy is from, or have a commit. */
const mostAsked = 8;
/** How many that are not here are asked whether they are what a copy is from, if its name was given to a new one. */
const mostMissing = 20;

/**
 * Copies whose name was given to another repository at the source since then, and where they are now, if they are found. What
 * has the name does not have the commit of the copy. It was created after the copy, and the other one is not here; or it has
 * another description than the copy, and the other one, which has that description, the commit.
 */
export async function replacedCopies(
  source: Source,
  here: readonly Repository[],
  http: Http,
): Promise<ReadonlyMap<Repository, Wanted | undefined>> {
  const origins = new Map(here.map((copy) => [originOf(copy.original_url ?? ""), copy]));
  const missing = source.wanted.filter(({ address }) => !origins.has(originOf(address)));
  const byOrigin = new Map(source.wanted.map((one) => [originOf(one.address), one]));
  const isAfter = (one: string | null | undefined, other: string | null | undefined) =>
    Date.parse(one ?? "") >= Date.parse(other ?? "");
  /** Those with the description of the copy first. */
  const likely = (copy: Repository) =>
    [...missing].sort((one, other) => Number(isOther(one, copy)) - Number(isOther(other, copy))).slice(0, mostMissing);
  const has = async ({ address, empty }: Wanted, sha: string) => empty !== true && source.hasCommit(address, sha);
  const isOther = ({ description }: Wanted, copy: Repository) => description !== (copy.description ?? "").trim();
  // Of a list, only the addresses are known.
  const unlike =
    source.below === undefined
      ? []
      : source.wanted.filter((one) => {
          const copy = origins.get(originOf(one.address));
          return copy === undefined || isOther(one, copy);
        });
  const described = (copy: Repository, now: Wanted) =>
    unlike.filter((one) => one !== now && !isOther(one, copy)).slice(0, mostAsked);
  const asks = here.flatMap((copy) => {
    const now = byOrigin.get(originOf(copy.original_url ?? ""));
    // A mirror has what is there now.
    if (now === undefined || copy.mirror === true) return [];
    const isNewer = isAfter(now.created, copy.created_at);
    const candidates = [...(isOther(now, copy) ? described(copy, now) : []), ...(isNewer ? likely(copy) : [])];
    return isNewer || candidates.length > 0 ? [{ copy, now, candidates: new Set(candidates), isNewer }] : [];
  });
  const swapped = asks.filter(({ isNewer }) => !isNewer).slice(0, mostAsked);
  const look = async ({ copy, now, candidates, isNewer }: (typeof asks)[number]) => {
    const sha = await headOf(copy, http);
    if (sha === undefined || (await has(now, sha)) !== false) return [];
    for (const one of candidates)
      if (isAfter(copy.created_at, one.created) && (await has(one, sha)) === true) return [[copy, one] as const];
    return isNewer ? [[copy, undefined] as const] : [];
  };
  return new Map((await pMap([...asks.filter(({ isNewer }) => isNewer), ...swapped], look, { concurrency: 4 })).flat());
}

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

/** What of an earlier import the lists of repositories do not say, so that it is not compared without a journal. */
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
