import { UsageError } from "../../failure/failure.ts";
import { fieldProblem } from "../../forge/account-rules.ts";
import { capitalized } from "../../text/format.ts";

/** Throws a usage error for the first field that the servers would reject. */
export function rejectProblems(fields: object): void {
  for (const [name, value] of Object.entries(fields)) {
    const problem = typeof value === "string" ? fieldProblem(name, value) : undefined;
    if (problem !== undefined) throw new UsageError(capitalized(problem));
  }
}
