import { Failure } from "./failure.ts";

/** The same failure with one more line of hint. */
export function withHint(failure: Failure, hint: string): Failure {
  const { code, exit, message, status, method, path, request } = failure;
  const lines = failure.hint === undefined ? hint : `${failure.hint}\n${hint}`;
  return new Failure(code, exit, message, { status, method, path, request, hint: lines, cause: failure });
}
