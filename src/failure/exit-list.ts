import { type ExitName, exitCodes } from "./exit-codes.ts";
import { outcomes } from "./outcomes.ts";
import { statusOutcomes } from "./statuses.ts";

/** An exit code with the HTTP statuses and the error codes that lead to it. */
interface ListedExit {
  readonly code: number;
  readonly name: string;
  /** With the statuses: `not found (404)`. */
  readonly meaning: string;
  readonly errors: readonly { readonly code: string; readonly meaning: string }[];
}

/** All exit codes in numerical order, for the help, the man pages, the reference and the schema. */
export function exitList(): readonly ListedExit[] {
  return Object.entries(exitCodes).map(([name, { code, meaning }]) => ({
    code,
    name,
    meaning: `${meaning}${statusText(name)}`,
    errors: Object.entries(outcomes).flatMap(([error, { exit, meaning: what }]) =>
      exit === name ? [{ code: error, meaning: what }] : [],
    ),
  }));
}

/** ` (401, 403)`; nothing for `failure`, which is whatever has no exit code of its own. */
function statusText(name: string): string {
  const general: ExitName = "failure";
  const statuses = Object.entries(statusOutcomes).flatMap(([status, error]) =>
    outcomes[error].exit === name && name !== general ? [status] : [],
  );
  return statuses.length === 0 ? "" : ` (${statuses.join(", ")})`;
}
