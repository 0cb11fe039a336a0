import pMap from "p-map";
import type { Http } from "../http/client.ts";
import { ifVisible } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import { parseRepo, type RepoName } from "../repo/repo-name.ts";
import { present } from "../shape/shape.ts";
import { branchProtectionList } from "./branch-protections.ts";
import { branchList } from "./branches.ts";
import { collaboratorList } from "./collaborators.ts";
import { repoCommentList } from "./comments.ts";
import { deployKeyList } from "./deploy-keys.ts";
import { hookList } from "./hooks.ts";
import { issueList, issuePullList } from "./issues.ts";
import { labelList } from "./labels.ts";
import { collect } from "./listings.ts";
import { milestoneList } from "./milestones.ts";
import { call } from "./operation.ts";
import { pullReviewCountList } from "./pulls.ts";
import { releaseList } from "./releases.ts";
import type { Repository } from "./repos.ts";
import { reviewList } from "./reviews.ts";
import { secretList } from "./secrets.ts";
import { tagList } from "./tags.ts";
import { variableList } from "./variables.ts";
import { type WikiPageMeta, wikiPageList } from "./wiki.ts";

/** The lists of what a migration copies, in all states. */
const lists = {
  branches: (http, repo) => call(http, branchList, { repo }),
  tags: (http, repo) => call(http, tagList, { repo }),
  labels: (http, repo) => call(http, labelList, { level: { of: "repository", repo } }),
  milestones: (http, repo) => call(http, milestoneList, { repo, state: "all" }),
  releases: (http, repo) => call(http, releaseList, { repo }),
  issues: (http, repo) => call(http, issueList, { repo, type: "issues", state: "all" }),
  "pull requests": (http, repo) => call(http, issuePullList, { repo, type: "pulls", state: "all" }),
  comments: (http, repo) => call(http, repoCommentList, { repo }),
} satisfies Readonly<Record<string, (http: Http, repo: RepoName) => Listing<unknown>>>;

/** What a migration copies, by words that a message can have. */
export type Content = keyof typeof lists | "reviews" | "review comments";

/** How many of something a repository has; undefined if the server does not say that, or not to the caller. */
export function countContent(http: Http, repo: RepoName, what: Content): Promise<number | undefined> {
  if (what === "reviews") return ifVisible(countReviews(http, repo));
  if (what === "review comments") return ifVisible(countReviewComments(http, repo));
  return ifVisible(totalOf(lists[what](http, repo)));
}

/** The issues and pull requests that were updated at or after a time, by number; undefined if the caller does not see them. */
export async function updatedSince(
  http: Http,
  repo: RepoName,
  since: string,
): Promise<ReadonlyMap<number, string> | undefined> {
  const found = await ifVisible(collect(call(http, issueList, { repo, state: "all", since })));
  return found && new Map(found.map(({ number, updated_at }) => [number, updated_at ?? ""]));
}

/** A text of a repository, for comparison, and what it is of. */
export interface Text {
  readonly text: string;
  /** `label 'bug'` */
  readonly what: string;
  /** When it was changed last; absent of what does not say that. */
  readonly updated?: string;
}

/** The texts of labels, milestones and releases with their files, and of comments that were changed at or after a time. */
export async function textsOf(http: Http, repo: RepoName, since: string): Promise<readonly Text[]> {
  const [labels, milestones, releases, comments] = await Promise.all([
    listed(lists.labels(http, repo)),
    listed(lists.milestones(http, repo)),
    listed(lists.releases(http, repo)),
    listed(call(http, repoCommentList, { repo, since })),
  ]);
  const trimmed = (text: string | null | undefined) => text?.replaceAll("\r\n", "\n").trim() ?? "";
  const named = (what: string, ...texts: readonly unknown[]): Text => ({
    text: JSON.stringify([what, ...texts]),
    what,
  });
  return [
    ...labels.map(({ name }) => named(`label '${name}'`)),
    ...milestones.map(({ title, description }) => named(`milestone '${title}'`, trimmed(description))),
    ...releases.flatMap(({ tag_name, name, body, assets }) => [
      named(`release ${tag_name}`, name, trimmed(body)),
      ...present(assets).map((file) => named(`${file.name} of release ${tag_name}`)),
    ]),
    ...comments.map(({ id, body, updated_at }) => {
      const updated = updated_at ?? "";
      return { text: JSON.stringify([updated, trimmed(body)]), what: `comment ${id}`, updated };
    }),
  ];
}

/** How long after a copy is begun the server can have added the default webhooks, in milliseconds. */
const copyTime = 10_000;

/** What somebody added to a copy that no migration makes; undefined if nothing. `user` can be a collaborator who made it. */
export async function besidesCopy(
  http: Http,
  { full_name, created_at }: Repository,
  user: string | undefined,
): Promise<string | undefined> {
  const repo = parseRepo(full_name);
  const level = { of: "repository", repo } as const;
  const later = (at: string | null | undefined) => Date.parse(at ?? "") > Date.parse(created_at ?? "") + copyTime;
  const [hooks, keys, secrets, variables, protections, collaborators] = await Promise.all([
    listed(call(http, hookList, { level })),
    listed(call(http, deployKeyList, { repo })),
    listed(call(http, secretList, { level })),
    listed(call(http, variableList, { level })),
    listed(call(http, branchProtectionList, { repo })),
    listed(call(http, collaboratorList, { repo })),
  ]);
  const found = [
    ...hooks.filter(({ created_at: at }) => later(at)).map(({ id }) => `webhook ${id}`),
    ...keys.map(({ title }) => `deploy key '${title}'`),
    ...secrets.map(({ name }) => `secret ${name}`),
    ...variables.map(({ name }) => `variable ${name}`),
    ...protections.map((rule) => `protection of ${rule.rule_name}`),
    ...collaborators.filter(({ login }) => login !== user).map(({ login }) => `collaborator ${login}`),
  ];
  return found[0];
}

/** The pages of a wiki; none if there is no wiki, or the caller does not see it. */
export async function pagesOfWiki(http: Http, repo: RepoName): Promise<readonly WikiPageMeta[]> {
  return listed(call(http, wikiPageList, { repo }));
}

/** The records of a list; none if the caller does not see it. */
async function listed<T>(listing: Listing<T | null>): Promise<readonly T[]> {
  return present((await ifVisible(collect(listing))) ?? []);
}

async function totalOf(listing: Listing<unknown>): Promise<number | undefined> {
  for await (const _ of listing.take(1)) break;
  return listing.total;
}

/**
 * No list has those of all pull requests. Only those that approve count: a migration leaves out requests for teams, and copies
 * the others as pending ones, which not everybody sees (docs/server-differences.md, "Mirrors").
 */
async function countReviews(http: Http, repo: RepoName): Promise<number> {
  const pulls = await collect(lists["pull requests"](http, repo));
  const given = await pMap(
    pulls,
    async ({ number }) => {
      const reviews = await collect(call(http, reviewList, { repo, index: number }));
      return reviews.filter(({ state }) => state === "APPROVED").length;
    },
    { concurrency: 4 },
  );
  return given.reduce((sum, count) => sum + count, 0);
}

/** What the records of the pull requests say: reviews with a text or comments, also those that were copied as pending ones. */
async function countReviewComments(http: Http, repo: RepoName): Promise<number | undefined> {
  const pulls = await collect(call(http, pullReviewCountList, { repo, state: "all" }));
  if (pulls.some(({ review_comments: count }) => count === undefined)) return undefined;
  return pulls.reduce((sum, { review_comments: count = 0 }) => sum + count, 0);
}
