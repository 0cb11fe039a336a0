import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import type { Comment } from "../../forge/comments.ts";
import type { Review } from "../../forge/reviews.ts";
import { shownCell, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { reviewState } from "./review-state.ts";

/** What was said on a pull request. */
export interface Discussion {
  readonly comments: readonly Comment[];
  readonly reviews: readonly Review[];
}

/** Fetches the comments and the reviews, side by side. */
export async function discussionOf(number: number, { forge, repo }: RepositoryContext): Promise<Discussion> {
  const all = async <T>(listing: { take(limit: number): AsyncIterable<T> }): Promise<T[]> => {
    const items: T[] = [];
    for await (const item of listing.take(Number.POSITIVE_INFINITY)) items.push(item);
    return items;
  };
  const [comments, reviews] = await Promise.all([
    all(forge.comments.list(repo, number)),
    all(forge.reviews.list(repo, number)),
  ]);
  return { comments, reviews };
}

/** The sheet with a section for each comment and review, oldest first. */
export function withDiscussion(
  sheet: Sheet,
  { comments, reviews }: Discussion,
  { out, system }: Pick<BaseContext, "out" | "system">,
): Sheet {
  const at = (time: string) => (out.terminal ? shownCell(when(time), system.now()) : time);
  const said = [
    ...comments.map(({ user, original_author, created_at, body }) => ({
      time: created_at,
      title: `${user?.login ?? original_author} commented ${at(created_at)}`,
      body,
    })),
    ...reviews
      .filter((review) => review.state !== "REQUEST_REVIEW")
      .map((review) => ({
        time: review.submitted_at,
        title: `${review.user?.login ?? "somebody"} ${verb(review)} ${at(review.submitted_at)}`,
        body: review.body,
      })),
  ];
  said.sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
  return { ...sheet, sections: said.map(({ title, body }) => ({ title, body })) };
}

function verb(review: Review): string {
  const word = reviewState(review);
  const count = review.comments_count;
  const remarks = count === 0 ? "" : ` with ${count} comment${count === 1 ? "" : "s"} on the code`;
  return `${word.replace("changes requested", "requested changes")}${remarks}`;
}
