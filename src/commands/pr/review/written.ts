import { attachFlags } from "../../../app/attach/attach.ts";
import type { CommandContext } from "../../../app/context.ts";
import { currentUser } from "../../../app/shared.ts";
import { inputFile, text, texts, toggle } from "../../../command/flags.ts";
import type { CreatePullReviewComment } from "../../../forge/generated/operations.ts";
import { filterListing } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { type Review, reviewList } from "../../../forge/reviews.ts";
import type { TypedText } from "../../../prompts/keep-text.ts";
import { pullSelector } from "../find.ts";
import { pendingFlag, type Verdict, verdictFlags } from "./verdict.ts";

export const args = { pr: pullSelector };

export const flags = {
  ...verdictFlags,
  pending: pendingFlag,
  body: text("the body of the review", { short: "b" }),
  bodyFile: inputFile("read the body from a file", { short: "F" }),
  file: texts("comment on a line; -LINE is a line of the old file", { placeholder: "PATH:LINE=TEXT" }),
  editor: toggle("write the review in the editor, comments below the lines of the diff", { short: "e" }),
  recover: inputFile("use the text that a failed --editor has saved"),
  reviewFile: inputFile("send a review as the API takes it, in JSON, from a file"),
  ...attachFlags,
};

/** The context of writing a review. */
export type ReviewContext = CommandContext<"repository", typeof args, typeof flags>;

/** A review that is to be sent. */
export interface WrittenReview {
  readonly verdict: Verdict;
  readonly body: string | undefined;
  readonly comments: readonly CreatePullReviewComment[];
  /** The commit whose lines the comments are on, if it is known. */
  readonly commit?: string | undefined;
  readonly number: () => Promise<number>;
  /** What a failure would lose. */
  readonly typed: TypedText | undefined;
}

/** The pending review of the user, which servers continue: its comments stay, and its text would be replaced. */
export async function ownPending(index: number, context: ReviewContext): Promise<Review | undefined> {
  const { http, repo } = context;
  const pending = filterListing(call(http, reviewList, { repo, index }), (one) => one?.state === "PENDING");
  for await (const one of pending.take(Number.POSITIVE_INFINITY))
    if (one?.user?.login === (await currentUser(context))) return one;
  return undefined;
}
