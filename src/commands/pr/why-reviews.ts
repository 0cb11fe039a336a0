import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import type { PullRequest } from "../../forge/pulls.ts";
import { assigneeList } from "../../forge/repos.ts";
import { type Review, reviewList } from "../../forge/reviews.ts";
import { unlessHttpError } from "../../http/errors.ts";
import { commandIn } from "../../profiles/server.ts";
import type { PullContext } from "./pull.ts";
import { shortList } from "./refusal.ts";
import { accounts, type Reason, type Rules, reason } from "./why-shape.ts";

/**
 * Reasons from reviews: approvals that are missing, rejections, and requests without an answer. Only official
 * reviews count (docs/server-differences.md, "Reviews"). Adds to `unchecked` what only administrators can read.
 */
export async function reviewReasons(
  context: PullContext,
  pull: PullRequest,
  { branch, protection }: Rules,
  unchecked: string[],
): Promise<Reason[]> {
  if (!branch.protected) return [];
  const { http, repo } = context;
  const reviews = (await collect(call(http, reviewList, { repo, index: pull.number }))).filter(
    ({ official }) => official,
  );
  const current = reviews.filter(({ dismissed }) => !dismissed);
  const found: Reason[] = [];

  const approved = current.filter(({ state }) => state === "APPROVED");
  const counted = approved.filter(({ stale }) => !(protection?.ignore_stale_approvals && stale));
  const required = branch.required_approvals ?? protection?.required_approvals ?? 0;
  const missing = required - counted.length;
  if (missing > 0) {
    const users = await approvers(context, pull, { branch, protection }, counted);
    const isFew = users.length < missing && !users.some((name) => name.startsWith("team "));
    const from =
      users.length === 0 ? "" : isFew ? `, but only ${shortList(users)} can give one` : ` from ${shortList(users)}`;
    const message = `Needs ${missing} more approval${missing === 1 ? "" : "s"}${from}`;
    const clear = `Request a review: ${commandIn(context, `tongs pr edit ${pull.number} --add-reviewer USER`)}`;
    found.push(reason("missing_approvals", message, clear, { users }));
  } else if (required > 0 && protection === undefined && approved.some(({ stale }) => stale)) {
    unchecked.push("stale_approvals");
  }

  const rejected = current.filter(({ state }) => state === "REQUEST_CHANGES");
  if (rejected.length > 0) {
    if (protection === undefined) unchecked.push("changes_requested");
    else if (protection.block_on_rejected_reviews) {
      const users = reviewersOf(rejected);
      const clear = `Ask for another review, or dismiss: ${commandIn(context, `tongs pr review dismiss ID --pr ${pull.number}`)}`;
      found.push(reason("changes_requested", `Changes requested by ${shortList(users)}`, clear, { users }));
    }
  }

  const requested = current.filter(({ state }) => state === "REQUEST_REVIEW");
  if (requested.length > 0) {
    if (protection === undefined) unchecked.push("review_requested");
    else if (protection.block_on_official_review_requests) {
      const users = reviewersOf(requested);
      const line = commandIn(context, `tongs pr edit ${pull.number} --remove-reviewer USER`);
      const clear = `Wait for the review, or remove the request: ${line}`;
      found.push(reason("review_requested", `Review requested from ${shortList(users)}`, clear, { users }));
    }
  }
  return found;
}

function reviewersOf(reviews: readonly Review[]): string[] {
  const names = reviews.flatMap(({ user, team }) => user?.login ?? (team ? `team ${team.name}` : []));
  return [...new Set(names)];
}

/** Who can give the missing approvals: the allowlist, or else users with write access, without the author. */
async function approvers(
  { http, repo }: PullContext,
  pull: PullRequest,
  { protection }: Rules,
  counted: readonly Review[],
): Promise<string[]> {
  if (protection === undefined) return [];
  const cannot = new Set([pull.user?.login, ...reviewersOf(counted)]);
  const all = protection.enable_approvals_whitelist
    ? accounts(protection.approvals_whitelist_username, protection.approvals_whitelist_teams)
    : ((await unlessHttpError(collect(call(http, assigneeList, { repo })))) ?? []).map(({ login }) => login);
  return all.filter((name) => !cannot.has(name));
}
