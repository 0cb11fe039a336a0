import { Failure } from "../failure/failure.ts";
import { DeniedError } from "../http/errors.ts";

/** Explains a 403 without a body. `who` says who can do it: `its author and users with write access`. */
export function explainDenied(error: unknown, what: string, who: string): unknown {
  if (!(error instanceof DeniedError) || error.status !== 403 || error.serverMessage !== "") return error;
  const { code, status, method, path } = error;
  return new Failure(code, `${what}: only ${who} can`, { status, method, path, cause: error });
}

/** Who can edit an issue, for `explainDenied`. */
export const editors = "its author and users with write access";
