import pMap from "p-map";
import type { Http } from "../http/client.ts";
import { ifVisible } from "../http/errors.ts";
import type { Listing } from "../http/pages.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { branchList } from "./branches.ts";
import { repoCommentList } from "./comments.ts";
import { issueList, issuePullList } from "./issues.ts";
import { labelList } from "./labels.ts";
import { collect } from "./listings.ts";
import { milestoneList } from "./milestones.ts";
import { call } from "./operation.ts";
import { pullReviewCountList } from "./pulls.ts";
import { releaseList } from "./releases.ts";
import { reviewList } from "./reviews.ts";
import { tagList } from "./tags.ts";

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
export type Content = keyof typeof lists | "issue comments" | "reviews" | "review comments";

/** How many of something a repository has; undefined if the server does not say that, or not to the caller. */
export function countContent(http: Http, repo: RepoName, what: Content): Promise<number | undefined> {
  if (what === "issue comments") return ifVisible(countIssueComments(http, repo));
  if (what === "reviews") return ifVisible(countReviews(http, repo));
  if (what === "review comments") return ifVisible(countReviewComments(http, repo));
  return ifVisible(totalOf(lists[what](http, repo)));
}

async function totalOf(listing: Listing<unknown>): Promise<number | undefined> {
  for await (const _ of listing.take(1)) break;
  return listing.total;
}

/** What the records of the issues say: the list of comments has those of pull requests, too. */
async function countIssueComments(http: Http, repo: RepoName): Promise<number | undefined> {
  const issues = await collect(lists.issues(http, repo));
  if (issues.some(({ comments: count }) => count === undefined)) return undefined;
  return issues.reduce((sum, { comments: count = 0 }) => sum + count, 0);
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
