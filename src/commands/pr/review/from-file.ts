import { readFileFlag } from "../../../app/input.ts";
import { UsageError } from "../../../failure/failure.ts";
import type { CreatePullReviewComment, CreatePullReviewOptions } from "../../../forge/generated/operations.ts";
import { findNumber } from "../find.ts";
import type { ReviewContext, WrittenReview } from "./written.ts";
import { verdicts } from "./written.ts";

const fields = ["event", "body", "commit_id", "comments"];
const commentFields = ["path", "body", "new_position", "old_position", "extra_lines_count"];

/** `--review-file`: a review as the API takes it. Without an event it is pending, as on the servers. */
export async function reviewFromFile(context: ReviewContext): Promise<WrittenReview> {
  const { flags, system } = context;
  const option = reviewIn(await readFileFlag("--review-file", flags.reviewFile ?? "-", system));
  const { body, comments = [], commit_id: commit, event } = option;
  const verdict = Object.values(verdicts).find((one) => one.event === event) ?? verdicts.pending;
  const number = () => findNumber(context.args.pr, context);
  return { verdict, body, comments, commit: commit || undefined, number, typed: undefined };
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
    for (const [name, one] of Object.entries(value)) {
      const type = name.endsWith("_position") || name === "extra_lines_count" ? "number" : "string";
      if (name !== "comments" && typeof one !== type) throw refuse(`${name} of ${what} is no ${type}`);
    }
    return value;
  };
  const { comments = [], event } = check(review, fields, "the review") as Readonly<Record<string, unknown>>;
  const events = Object.values(verdicts).map((one) => one.event as string);
  // Servers keep a review pending whose event they do not know.
  if (event !== undefined && event !== "" && !events.includes(String(event)))
    throw refuse(`unknown event ${JSON.stringify(event)}: ${events.join(", ")}`);
  if (!Array.isArray(comments)) throw refuse("comments is no list");
  for (const [index, one] of (comments as readonly CreatePullReviewComment[]).entries()) {
    check(one, commentFields, `comment ${index + 1}`);
    if (one.body === undefined || one.body.trim() === "") throw refuse(`comment ${index + 1} has no body`);
  }
  return review as CreatePullReviewOptions;
}
