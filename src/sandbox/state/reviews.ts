import type { Store } from "./store.ts";

export type ReviewState = "APPROVED" | "REQUEST_CHANGES" | "COMMENT" | "PENDING" | "REQUEST_REVIEW";

/** A review, or the request of one. */
export interface ReviewRecord {
  readonly id: number;
  readonly repoId: number;
  /** The pull request's number. */
  readonly index: number;
  /** A person or, for requests, a team; the other is null. */
  readonly userId: number | null;
  readonly teamId: number | null;
  readonly state: ReviewState;
  readonly body: string;
  /** The head when it was written; empty for requests. */
  readonly commit: string;
  readonly stale: boolean;
  /** Counts for the rule of the base branch. */
  readonly official: boolean;
  readonly dismissed: boolean;
  /** The number of its entry in the conversation; 0 while pending, and for requests. */
  readonly commentId: number;
  readonly submitted_at: string;
  readonly updated_at: string;
}

/** A comment on a line, part of a review. */
export interface ReviewCommentRecord {
  readonly id: number;
  readonly reviewId: number;
  readonly posterId: number;
  readonly path: string;
  readonly body: string;
  /** Line of the new file, or the negative of one of the old file. */
  readonly line: number;
  readonly commit: string;
  readonly diff_hunk: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Reviews of a pull request, oldest first. */
export function reviewsOf(store: Store, repoId: number, index: number): ReviewRecord[] {
  return store.table("reviews").filter((review) => review.repoId === repoId && review.index === index);
}

export function reviewCommentsOf(store: Store, reviewId: number): ReviewCommentRecord[] {
  return store.table("reviewComments").filter((comment) => comment.reviewId === reviewId);
}

/** The latest of each person's reviews and requests, oldest first; comments and pending ones do not hide others. */
export function latestOfEach(reviews: readonly ReviewRecord[]): ReviewRecord[] {
  const byPerson = new Map<number, ReviewRecord>();
  for (const review of reviews) {
    if (review.userId === null || review.state === "PENDING" || review.dismissed) continue;
    byPerson.delete(review.userId);
    byPerson.set(review.userId, review);
  }
  return [...byPerson.values()];
}

export function newReview(
  store: Store,
  now: string,
  given: Partial<ReviewRecord> & Pick<ReviewRecord, "repoId" | "index" | "state">,
): ReviewRecord {
  const id = store.nextId("reviews");
  return store.table("reviews").put(id, {
    id,
    userId: null,
    teamId: null,
    body: "",
    commit: "",
    stale: false,
    official: false,
    dismissed: false,
    commentId: 0,
    submitted_at: now,
    updated_at: now,
    ...given,
  });
}
