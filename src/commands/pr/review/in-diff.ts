import { Failure } from "../../../failure/failure.ts";
import type { CreatePullReviewComment } from "../../../forge/generated/operations.ts";
import { call } from "../../../forge/operation.ts";
import { pullDiff, pullGet } from "../../../forge/pulls.ts";
import { sizeText } from "../../../text/format.ts";
import { type DiffLine, diffLines } from "../diff-lines.ts";
import { pullName } from "../pull.ts";
import { shortList } from "../refusal.ts";
import type { ReviewContext } from "./written.ts";

/** Larger diffs are not read, in bytes. */
const largest = 8 * 2 ** 20;

/** The diff of a pull request. Throws a `too_large` failure for a large one. */
export async function readDiff(index: number, { http, repo }: ReviewContext): Promise<string> {
  const { body } = await call(http, pullDiff, { repo, index, diffType: "diff" });
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size > largest) throw new Failure("too_large", `The diff is larger than ${sizeText(largest)}`);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/**
 * Throws a `not_in_diff` failure for comments on lines that the diff does not have, before anything is sent: servers accept some,
 * show them nowhere, and fail halfway for others (docs/server-differences.md, "Reviews"). What is about another commit than the
 * head, or in a diff that is too large to read, is left to the server.
 */
export async function requireInDiff(
  comments: readonly CreatePullReviewComment[],
  { number, commit }: { readonly number: number; readonly commit: string | undefined },
  context: ReviewContext,
): Promise<void> {
  if (commit !== undefined) {
    const { head } = await call(context.http, pullGet, { repo: context.repo, index: number });
    if (!head.sha?.startsWith(commit)) return;
  }
  const diff = await readDiff(number, context).catch((error: unknown) => {
    if (error instanceof Failure && error.code === "too_large") return undefined;
    throw error;
  });
  if (diff === undefined) return;
  const lines = diffLines(diff);
  const outside = comments.flatMap((comment) => whyOutside(comment, lines) ?? []);
  if (outside.length === 0) return;
  const message = `Not in the diff of ${pullName(context, number)}: ${outside.map(({ place }) => place).join(", ")}`;
  throw new Failure("not_in_diff", message, { hint: [...new Set(outside.map(({ hint }) => hint))].join("\n") });
}

/** Where a comment is, and what the diff has of its file; undefined if all its lines are in the diff. */
function whyOutside(comment: CreatePullReviewComment, diff: readonly DiffLine[]) {
  const { path = "", new_position = 0, old_position = 0, extra_lines_count: extra = 0 } = comment;
  // The servers' order.
  const [side, first] = old_position > 0 ? (["old", old_position] as const) : (["now", new_position] as const);
  const ofFile = diff.filter((line) => line.path === path && line.old + line.now > 0);
  const numbers = new Set(ofFile.map((line) => line[side]));
  const isInside =
    extra >= 0 &&
    extra < numbers.size &&
    Array.from({ length: extra + 1 }, (_, at) => first + at).every((one) => one > 0 && numbers.has(one));
  if (isInside) return undefined;
  const place = `${path}:${side === "old" ? "-" : ""}${first}${extra > 0 ? ` and ${extra} more` : ""}`;
  const known = [...numbers].filter((one) => one > 0);
  if (known.length > 0)
    return { place, hint: `The diff has lines ${ranges(known)} of ${side === "old" ? "the old " : ""}${path}` };
  const files = new Set(diff.filter((line) => line.old + line.now > 0).map((line) => line.path));
  return {
    place,
    hint: `The diff has no lines of ${path || "a comment without a path"}. It has lines of ${shortList([...files]) || "no file"}`,
  };
}

/** `3-8, 20-26`. */
function ranges(numbers: readonly number[]): string {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}
