import { readFileFlag } from "../../../app/input.ts";
import { UsageError } from "../../../failure/failure.ts";
import { Cancelled } from "../../../failure/interruption.ts";
import { takesSeveralLines } from "../../../forge/reviews.ts";
import { keepingText } from "../../../prompts/keep-text.ts";
import { diffLines } from "../diff-lines.ts";
import { findPull } from "../find.ts";
import { pullName } from "../pull.ts";
import { readDiff } from "./in-diff.ts";
import { apiComment, readReview, reviewForm } from "./text.ts";
import { chooseVerdict, ownPending, type ReviewContext, requireBody, type WrittenReview } from "./written.ts";

/** Has a review written in the editor, below the lines of the diff; `--recover` reads what was written before. */
export async function reviewInEditor(context: ReviewContext): Promise<WrittenReview> {
  const { flags, http, system, prompt, out } = context;
  if (flags.editor && !prompt.able) {
    throw new UsageError(
      "--editor requires a terminal, and no JSON output",
      "Pass --body and --file, or --review-file.",
    );
  }
  const saved = flags.recover && (await readFileFlag("--recover", flags.recover, system));
  const pull = await findPull(context.args.pr, context);
  const diff = diffLines(await readDiff(pull.number, context));
  const pending = await ownPending(pull.number, context);
  if (pending !== undefined) {
    const kept = `its text and its ${pending.comments_count ?? 0} comments are kept`;
    out.note(`Your pending review of ${pullName(context, pull.number)} is continued: ${kept}.`);
  }
  const form = reviewForm(diff);
  const text =
    saved ?? (await prompt.editor({ message: "Review", flag: "--editor", default: form, keptBy: "--recover" }));
  if (text.trim() === form.trim()) throw new Cancelled();
  const typed = saved === undefined || flags.recover === "-" ? { text, flag: "--recover" } : undefined;
  return keepingText(typed, out, async () => {
    const { body, comments } = readReview(text, diff);
    const verdict = await chooseVerdict(flags, prompt);
    requireBody(verdict, body, comments.length > 0);
    const hasRange = comments.some(({ lines }) => lines.length > 1);
    const several = hasRange && (await takesSeveralLines(http));
    const onLines = comments.map((comment) => apiComment(comment, several));
    const number = async () => pull.number;
    return { verdict, body, comments: onLines, commit: pull.head.sha ?? "", number, typed };
  });
}
