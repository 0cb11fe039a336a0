import { attachFlags } from "../../../app/attach/attach.ts";
import type { BaseContext, CommandContext } from "../../../app/context.ts";
import { currentUser } from "../../../app/shared.ts";
import { inputFile, text, texts, toggle } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import type { CreatePullReviewComment } from "../../../forge/generated/operations.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { type Review, reviewList } from "../../../forge/reviews.ts";
import type { TypedText } from "../../../prompts/keep-text.ts";
import { pullSelector } from "../find.ts";

/** What a review says, by its flag. */
export const verdicts = {
  approve: { event: "APPROVED", done: "Approved", name: "Approve", flag: "--approve" },
  requestChanges: {
    event: "REQUEST_CHANGES",
    done: "Requested changes on",
    name: "Request changes",
    flag: "--request-changes",
  },
  comment: { event: "COMMENT", done: "Commented on", name: "Comment", flag: "--comment" },
  pending: { event: "PENDING", done: "Saved a pending review of", name: "Keep it pending", flag: "--pending" },
} as const;

export const verdictFlags = {
  approve: toggle("approve the pull request", { short: "a" }),
  requestChanges: toggle("request changes", { short: "r" }),
  comment: toggle("comment without approving or requesting changes", { short: "c" }),
};

type Key = keyof typeof verdicts;
export type Verdict = (typeof verdicts)[Key];

/** The verdict of the flags, or one that is chosen among them on a terminal. */
export async function chooseVerdict(
  flags: Readonly<Partial<Record<Key, boolean>>>,
  prompt: BaseContext["prompt"],
): Promise<Verdict> {
  const known = (Object.keys(verdicts) as Key[]).filter((key) => flags[key] !== undefined);
  const given = known.find((key) => flags[key]);
  if (given !== undefined) return verdicts[given];
  const choices = known.map((key) => ({ name: verdicts[key].name, value: verdicts[key] }));
  return prompt.select({ message: "What kind of review?", flag: "--approve, --request-changes or --comment", choices });
}

/** Throws a usage error for a verdict that needs a text and has none; a comment can be on lines instead. */
export function requireBody({ event }: Verdict, body: string | undefined, hasComments: boolean): void {
  if (event === "APPROVED" || (event === "COMMENT" && hasComments) || (body ?? "").trim() !== "") return;
  throw new UsageError("--body is required unless you approve");
}

export const args = { pr: pullSelector };

export const flags = {
  ...verdictFlags,
  pending: toggle("keep the review pending, or add to the pending one: only you see it"),
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
  const reviews = await collect(call(http, reviewList, { repo, index }));
  const pending = reviews.filter(({ state }) => state === "PENDING");
  const user = pending.length === 0 ? undefined : await currentUser(context);
  return pending.find((one) => one.user?.login === user);
}
