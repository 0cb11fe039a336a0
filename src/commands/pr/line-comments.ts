import { UsageError } from "../../failure/failure.ts";
import type { CreatePullReviewComment } from "../../forge/generated/operations.ts";

/**
 * Reads the comments of `--file PATH:LINE=TEXT`; a negative line is one of the old file. The path ends at the first
 * `:LINE=`. Throws a usage error that names what is wrong.
 */
export function lineComments(typed: readonly string[]): CreatePullReviewComment[] {
  return typed.map((one) => {
    const [, path, digits, body] = /^(.+?):(-?\d+)=([\s\S]*)$/.exec(one) ?? [];
    const line = Number(digits);
    if (path === undefined || body === undefined || !Number.isSafeInteger(line) || line === 0) {
      throw new UsageError(
        `Invalid value '${one}' for --file: must be PATH:LINE=TEXT`,
        "LINE counts from 1 in the new file; -LINE is a line of the old file.",
      );
    }
    if (body.trim() === "") throw new UsageError(`The comment on ${path}:${line} must not be empty`);
    return line > 0 ? { path, body, new_position: line } : { path, body, old_position: -line };
  });
}
