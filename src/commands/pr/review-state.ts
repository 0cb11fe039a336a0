import type { Review } from "../../forge/records/review.ts";

/** A review's state in one or two plain words; a dismissed one no longer counts, whatever it said. */
export function reviewState(review: Review): string {
  if (review.dismissed) return "dismissed";
  const known = Object.hasOwn(stateWords, review.state) ? stateWords[review.state] : undefined;
  return known ?? review.state.toLowerCase();
}

const stateWords: Readonly<Record<string, string>> = {
  APPROVED: "approved",
  REQUEST_CHANGES: "changes requested",
  COMMENT: "commented",
  PENDING: "pending",
  REQUEST_REVIEW: "requested",
};
