import { UsageError } from "../../failure/failure.ts";
import { capitalized } from "../../text/format.ts";

/** Throws a usage error for the first problem. */
export function rejectProblems(...problems: readonly (string | undefined)[]): void {
  const first = problems.find((problem) => problem !== undefined);
  if (first !== undefined) throw new UsageError(capitalized(first));
}
