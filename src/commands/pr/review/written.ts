import { attachFlags } from "../../../app/attach/attach.ts";
import type { CommandContext } from "../../../app/context.ts";
import { currentUser } from "../../../app/shared.ts";
import { inputFile, text, texts, toggle } from "../../../command/flags.ts";
import { unlessFailed } from "../../../failure/failure.ts";
import type { CreatePullReviewComment } from "../../../forge/generated/operations.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { type Review, reviewList } from "../../../forge/reviews.ts";
import { mayHaveActed, withLook } from "../../../http/no-answer-error.ts";
import { commandOn } from "../../../profiles/server.ts";
import type { TypedText } from "../../../prompts/keep-text.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { joinWords } from "../../../text/words.ts";
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
  return ownPendingOf(await allReviews(index, context), context);
}

/** The reviews of a pull request, read at once. */
export function allReviews(index: number, { http, repo }: ReviewContext): Promise<readonly Review[]> {
  return collect(call(http, reviewList, { repo, index }));
}

/** The pending one of the user among them. */
export async function ownPendingOf(reviews: readonly Review[], context: ReviewContext): Promise<Review | undefined> {
  const pending = reviews.filter(({ state }) => state === "PENDING");
  const user = pending.length === 0 ? undefined : await currentUser(context);
  return pending.find((one) => one.user?.login === user);
}

/**
 * What became of a review that was sent, of which the answer was lost: the user's review that was not among `before`, or was
 * another then, as a pending one that is continued. Throws the failure, with the command to look with, if there is none.
 */
export async function arrivedReview(
  error: unknown,
  sent: { readonly index: number; readonly event: string; readonly body: string | undefined },
  before: readonly Review[],
  context: ReviewContext,
): Promise<Review> {
  if (!mayHaveActed(error)) throw error;
  const { server, repo, out } = context;
  const look = async () => {
    const [now, user] = [await allReviews(sent.index, context), await currentUser(context)];
    const known = new Set(before.map(traits));
    const text = (body = "") => body.replace(/\r\n/g, "\n").trim();
    return now.findLast(
      (one) =>
        one.user?.login === user &&
        one.state === sent.event &&
        (sent.body === undefined || text(one.body) === text(sent.body)) &&
        !known.has(traits(one)),
    );
  };
  const found = await unlessFailed(look());
  if (found === undefined) {
    const command = joinWords(["tongs", "pr", "reviews", `${sent.index}`, "-R", fullName(repo)]);
    throw withLook(error, commandOn(server, command));
  }
  out.warn(`${error.message}; the review was added anyway`);
  return found;
}

function traits({ id, state, comments_count, body }: Review): string {
  return JSON.stringify([String(id), state, comments_count, body]);
}
