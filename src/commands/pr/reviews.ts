import { defineCommand } from "../../app/define.ts";
import { type Review, review } from "../../forge/reviews.ts";
import { state, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list } from "../../shape/shape.ts";
import { findNumber } from "./find.ts";
import { reviewState } from "./review-state.ts";
import { pullSelector } from "./selector.ts";

const columns = [
  column<Review>("REVIEWER", reviewer),
  column<Review>("STATE", (one) => state(reviewState(one))),
  column<Review>("OFFICIAL", (one) => (one.official ? "yes" : "")),
  column<Review>("STALE", (one) => (one.stale ? "yes" : "")),
  column<Review>("COMMENTS", (one) => one.comments_count),
  column<Review>("TEXT", (one) => one.body, true),
  column<Review>("SUBMITTED", (one) => when(one.submitted_at)),
];

/** `tongs pr reviews`: GET the reviews of a pull request, oldest first. */
export const reviews = defineCommand({
  summary: "List the reviews of a pull request",
  on: "repository",
  effect: "read",
  args: { pr: pullSelector },
  output: list(review),
  examples: [["Who has approved number 12", "tongs pr reviews 12"]],
  async run(context) {
    const { forge, repo, out } = context;
    const number = await findNumber(context.args.pr, context);
    await out.list(forge.reviews.list(repo, number), columns);
  },
});

function reviewer(one: Review): string | undefined {
  return one.user?.login ?? (one.team === null ? undefined : `team ${one.team.name}`);
}
