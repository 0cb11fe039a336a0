import { Failure } from "../../failure/failure.ts";

/** There is no such run. */
export function noRun(message: string, { hint }: { readonly hint?: string | undefined } = {}): Failure {
  return new Failure("not_found", "notFound", message, { hint });
}
