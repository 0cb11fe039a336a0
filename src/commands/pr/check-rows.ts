import type { CommitStatus } from "../../forge/commits.ts";
import { contextPattern } from "../../text/glob.ts";

/** What a check means for the merge: the servers take a warning and a skipped one for good, unknown words for pending. */
export type Verdict = "good" | "pending" | "failed";

/** One check of a commit: what was reported, or what is required and was not. */
export interface CheckRow {
  readonly context: string;
  /** The server's word, or `expected`. */
  readonly state: string;
  readonly verdict: Verdict;
  readonly required: boolean;
  readonly status: CommitStatus | undefined;
}

/**
 * The checks in the order of their names. `required` are globs, as branch protections have them; one that nothing
 * reported fits is a row of its own, since the merge waits for it.
 */
export function checkRows(statuses: readonly CommitStatus[], required: readonly string[]): CheckRow[] {
  const patterns = required.map((glob) => ({ glob, fits: contextPattern(glob) }));
  const reported = statuses.map(
    (status): CheckRow => ({
      context: status.context,
      state: status.status,
      verdict: verdictOf(status.status),
      required: patterns.some(({ fits }) => fits(status.context)),
      status,
    }),
  );
  const missing = patterns
    .filter(({ fits }) => !statuses.some((status) => fits(status.context)))
    .map(({ glob }): CheckRow => {
      return { context: glob, state: "expected", verdict: "pending", required: true, status: undefined };
    });
  return [...reported, ...missing].sort((one, other) => (one.context < other.context ? -1 : 1));
}

/** Failed when one has, else pending when one is, else good. */
export function overall(rows: readonly CheckRow[]): Verdict {
  if (rows.some(({ verdict }) => verdict === "failed")) return "failed";
  return rows.some(({ verdict }) => verdict === "pending") ? "pending" : "good";
}

/** `1 failed, 2 pending, 5 good`. */
export function counts(rows: readonly CheckRow[]): string {
  const words = ["failed", "pending", "good"] as const;
  const found = words.map((word) => ({ word, count: rows.filter(({ verdict }) => verdict === word).length }));
  return found.flatMap(({ word, count }) => (count === 0 ? [] : `${count} ${word}`)).join(", ");
}

function verdictOf(state: string): Verdict {
  if (state === "failure" || state === "error") return "failed";
  return state === "success" || state === "warning" || state === "skipped" ? "good" : "pending";
}
