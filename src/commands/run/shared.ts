import type { RepositoryContext } from "../../app/context.ts";
import { text, toggle } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { HttpError, UnknownOperationError } from "../../http/errors.ts";

/** Says that the server cannot do something, and which page does. */
export function unsupported(what: string, page: string, { server }: Pick<RepositoryContext, "server">): Failure {
  const message = `${server.base.host} has no operation to ${what}`;
  return new Failure("unknown_operation", "notFound", message, { hint: `Its page can: ${page}` });
}

/** What `work` comes to; where the server lacks its operation, the page that can do it is named. */
export async function orPage<T>(
  what: string,
  page: string,
  context: Pick<RepositoryContext, "server">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
    throw unsupported(what, page, context);
  }
}

/** What the servers say of a run or workflow whose state forbids what was asked, and what would change that. */
const refusals: readonly (readonly [said: RegExp, hint?: (file: string) => string])[] = [
  [/workflow run is not done/, () => "Wait for its end: tongs run watch"],
  [/has no failed jobs/],
  [/workflow .*is disabled/, (file) => `Let it run again: tongs workflow enable ${file}`],
];

/**
 * What `work` on a run of the workflow `file` comes to. Where the state is in the way the servers answer as to bad input
 * (400) or to strangers (403); it is a refusal in this state.
 */
export async function inState<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const found = refusals.find(([said]) => said.test(error.said));
    if (found === undefined) throw error;
    const message = `Not in this state: ${error.said}`;
    throw new HttpError("wrong_state", message, error.exchange, found[1]?.(file), "refused");
  }
}

/** Whose Actions are meant; without one of these, the repository's. */
export const levelFlags = {
  org: text("those of this organization", { placeholder: "ORG" }),
  user: toggle("your own"),
  admin: toggle("those of the whole server"),
};
