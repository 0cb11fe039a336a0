import { UsageError } from "../../failure/failure.ts";
import { capitalized } from "../../text/format.ts";

/** Throws a usage error for the first problem. */
export function rejectProblems(...problems: readonly (string | undefined)[]): void {
  const first = problems.find((problem) => problem !== undefined);
  if (first !== undefined) throw new UsageError(capitalized(first));
}

/** A time in RFC 3339. */
export const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Converts a time to RFC 3339; a date is its start in UTC. Throws a usage error that names the flag. */
export function parseTime(typed: string, flag: string): string {
  const full = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? `${typed}T00:00:00Z` : typed;
  if (!rfc3339.test(full) || Number.isNaN(Date.parse(full))) {
    throw new UsageError(`${flag} must be a date or a time such as 2026-03-01T08:00:00Z, not '${typed}'`);
  }
  return full;
}
