import { Failure } from "../../failure/failure.ts";
import { DeniedError } from "../../http/errors.ts";

/** Says what the servers leave out: they refuse a stranger's edit with a 403 that has no body. */
export function explainEditDenied(error: unknown, name: string): unknown {
  if (!(error instanceof DeniedError) || error.status !== 403 || error.serverMessage !== "") return error;
  const { code, exit, status, method, path } = error;
  const message = `You may not edit ${name}: only its author and those with write access may`;
  return new Failure(code, exit, message, { status, method, path, cause: error });
}
