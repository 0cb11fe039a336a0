import { Failure } from "../failure/failure.ts";
import { DeniedError } from "../http/errors.ts";

/** Explains a 403 without a body. `who` says who can do it: `its author and users with write access`. */
export function explainDenied(error: unknown, what: string, who: string): unknown {
  if (!(error instanceof DeniedError) || error.status !== 403 || error.serverMessage !== "") return error;
  const { code, status, method, path } = error;
  return new Failure(code, `${what}: only ${who} can`, { status, method, path, cause: error });
}

/** The same, for `catch`. */
export function orDenied(what: string, who: string): (error: unknown) => never {
  return (error) => {
    throw explainDenied(error, what, who);
  };
}

/** Who can edit an issue, for `explainDenied`. */
export const editors = "its author and users with write access";

/** The refusal to overwrite a text that changed while it was edited; `view` is the command that shows it. */
export function editConflict(what: string, view: string, cause?: unknown): Failure {
  const hint = `Read the new text (${view}), then edit it again.`;
  return new Failure("edit_conflict", `${what} was changed by someone else`, { hint, cause });
}
