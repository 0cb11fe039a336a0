import { readFileFlag } from "../../../app/input.ts";
import { UsageError } from "../../../failure/failure.ts";
import type { CreatePullReviewOptions } from "../../../forge/generated/operations.ts";
import { call } from "../../../forge/operation.ts";
import { reviewCreate } from "../../../forge/reviews.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { findNumber } from "../find.ts";
import { pullName } from "../pull.ts";
import { verdicts } from "./verdict.ts";
import type { ReviewContext } from "./written.ts";

const fields = ["event", "body", "commit_id", "comments"];
const commentFields = ["path", "body", "new_position", "old_position", "extra_lines_count"];

/** `--review-file`: POST a review as the file has it. */
export async function reviewFromFile(context: ReviewContext): Promise<void> {
  const { flags, http, repo, server, system, out } = context;
  const option = reviewIn(await readFileFlag("--review-file", flags.reviewFile ?? "-", system));
  const number = await findNumber(context.args.pr, context);
  const made = await call(http, reviewCreate, { repo, index: number }, option);
  const { done } = Object.values(verdicts).find(({ event }) => event === made.state) ?? verdicts.pending;
  await out.done(`${done} pull request ${pullName(context, number)} ${accountLabel(server)}`, {
    prints: made.html_url,
    record: made,
  });
}

/** Throws a usage error for what is no review, and for fields that servers would ignore. */
function reviewIn(text: string): CreatePullReviewOptions {
  const refuse = (why: string) =>
    new UsageError(`--review-file: ${why}`, `A review has the fields ${fields.join(", ")}.`);
  let review: unknown;
  try {
    review = JSON.parse(text);
  } catch (error) {
    throw refuse(`not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const check = (value: unknown, known: readonly string[], what: string) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw refuse(`${what} is no object`);
    const other = Object.keys(value).find((name) => !known.includes(name));
    if (other !== undefined) throw refuse(`${what} has the unknown field ${other}`);
    return value;
  };
  const { comments = [], event } = check(review, fields, "the review") as Readonly<Record<string, unknown>>;
  const events = Object.values(verdicts).map((one) => one.event as string);
  // Servers keep a review pending whose event they do not know.
  if (event !== undefined && event !== "" && !events.includes(String(event)))
    throw refuse(`unknown event ${JSON.stringify(event)}: ${events.join(", ")}`);
  if (!Array.isArray(comments)) throw refuse("comments is no list");
  comments.forEach((one, index) => void check(one, commentFields, `comment ${index + 1}`));
  return review as CreatePullReviewOptions;
}
