import type { Review } from "../../forge/reviews.ts";

/** A review's state in plain words; a dismissed one no longer counts, whatever it said. */
export function reviewState(review: Review): string {
  const known = Object.hasOwn(stateWords, review.state) ? stateWords[review.state] : undefined;
  return `${known ?? review.state.toLowerCase()}${review.dismissed ? " (dismissed)" : ""}`;
}

const stateWords: Readonly<Record<string, string>> = {
  APPROVED: "approved",
  REQUEST_CHANGES: "changes requested",
  COMMENT: "commented",
  PENDING: "pending",
  REQUEST_REVIEW: "requested",
};
