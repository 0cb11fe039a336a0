import { boolean, type Infer, integer, nullable, record, string, time, words } from "./shape.ts";
import { team } from "./team.ts";
import { user } from "./user.ts";

/** A review of a pull request (api-facts 3.5.4). */
export const review = record({
  id: integer,
  user: nullable(user),
  team: nullable(team),
  state: words("APPROVED", "REQUEST_CHANGES", "COMMENT", "PENDING", "REQUEST_REVIEW"),
  body: string,
  commit_id: string,
  stale: boolean,
  official: boolean,
  dismissed: boolean,
  comments_count: integer,
  submitted_at: time,
  updated_at: time,
  html_url: string,
  pull_request_url: string,
});

export type Review = Infer<typeof review>;

/** The body of `POST …/reviews`; any other event would leave the review pending. */
export interface CreateReviewOption {
  readonly event: "APPROVED" | "REQUEST_CHANGES" | "COMMENT";
  readonly body?: string | undefined;
}
