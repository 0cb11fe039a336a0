import type { RepositoryContext } from "../../app/context.ts";
import { branchHeadGet } from "../../forge/branches.ts";
import { latestStatusList } from "../../forge/commits.ts";
import { collect } from "../../forge/listings.ts";
import { type AnswerOf, call, find } from "../../forge/operation.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { type Review, reviewList } from "../../forge/reviews.ts";
import { unlessHttpError } from "../../http/errors.ts";
import { type Cell, shownName } from "../../output/cells.ts";
import { type CheckRow, checkRows, overall, summary } from "./check-rows.ts";
import { reviewState } from "./pull.ts";

/** What `pr view` shows beside the record of an open pull request. */
export interface PullStatus {
  readonly checks: Cell;
  readonly reviews: Cell;
  /** Why it cannot be merged, as far as the record does not say. */
  readonly reasons: readonly string[];
}

/** A branch with the requirements of its protection. */
export type Branch = AnswerOf<typeof branchHeadGet>;

/** Reads checks, reviews and the rules of the base branch. What the server refuses is left out. */
export async function readStatus(pull: PullRequest, context: RepositoryContext): Promise<PullStatus | undefined> {
  if (pull.state !== "open") return undefined;
  const { http, repo } = context;
  const [branch, statuses, reviews] = await Promise.all([
    unlessHttpError(baseBranch(pull, context)),
    pull.head?.sha ? unlessHttpError(collect(call(http, latestStatusList, { repo, ref: pull.head.sha }))) : undefined,
    unlessHttpError(collect(call(http, reviewList, { repo, index: pull.number }))),
  ]);
  const rows = checkRows(statuses ?? [], requiredContexts(branch));
  const latest = latestReviews(reviews ?? []);
  return {
    checks: checksCell(rows),
    reviews: reviewsCell(latest),
    reasons: [...missingChecks(rows), ...(reviews === undefined ? [] : missingApprovals(branch, latest))],
  };
}

/** The base branch with its rules, read from the branch record, which needs only read access. */
export async function baseBranch(
  { base }: PullRequest,
  { http, repo }: RepositoryContext,
): Promise<Branch | undefined> {
  // The base branch of an old pull request may be deleted: then nothing is required.
  return find(http, branchHeadGet, { repo, branch: base?.ref ?? "" });
}

/** The checks that a branch requires. */
export function requiredContexts(branch: Branch | undefined): readonly string[] {
  return branch?.enable_status_check ? (branch.status_check_contexts ?? []) : [];
}

function checksCell(rows: readonly CheckRow[]): Cell {
  if (rows.length === 0) return undefined;
  const verdict = overall(rows);
  const glyph = { passed: "✓", pending: "●", failed: "✗" }[verdict];
  return { text: summary(rows), style: verdict === "passed" ? "good" : verdict === "failed" ? "bad" : "warn", glyph };
}

function missingChecks(rows: readonly CheckRow[]): string[] {
  return rows
    .filter(({ required, verdict }) => required && verdict !== "passed")
    .map(
      ({ context, verdict }) =>
        `required check ${shownName(context)} ${verdict === "failed" ? "failed" : "is pending"}`,
    );
}

/** The verdict of each reviewer: the latest approval or request for changes, else that they commented. */
function latestReviews(reviews: readonly Review[]): ReadonlyMap<string, Review> {
  const latest = new Map<string, Review>();
  for (const review of reviews) {
    const who = review.user?.login ?? review.team?.name ?? "someone";
    const isVerdict = review.state === "APPROVED" || review.state === "REQUEST_CHANGES";
    if (isVerdict || (review.state === "COMMENT" && !latest.has(who))) latest.set(who, review);
  }
  return latest;
}

function reviewsCell(latest: ReadonlyMap<string, Review>): Cell {
  const words = [...latest].map(([who, one]) => `${who} ${reviewState(one)}${one.stale === true ? " (stale)" : ""}`);
  const text = words.join(", ");
  const states = [...latest.values()].filter(({ dismissed }) => !dismissed).map(({ state }) => state);
  if (states.includes("REQUEST_CHANGES")) return { text, style: "bad", glyph: "✗" };
  return states.includes("APPROVED") ? { text, style: "good", glyph: "✓" } : text;
}

function missingApprovals(branch: Branch | undefined, latest: ReadonlyMap<string, Review>): string[] {
  const isGiven = ({ state, dismissed, official }: Review) => state === "APPROVED" && !dismissed && official === true;
  const [given, required] = [[...latest.values()].filter(isGiven).length, branch?.required_approvals ?? 0];
  return given >= required ? [] : [`${given} of ${required} required approvals`];
}
