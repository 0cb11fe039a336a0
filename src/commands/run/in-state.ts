import { HttpError } from "../../http/errors.ts";

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
    const found = refusals.find(([said]) => said.test(error.serverMessage));
    if (found === undefined) throw error;
    const message = `Not in this state: ${error.serverMessage}`;
    throw new HttpError("wrong_state", message, error.exchange, found[1]?.(file), "refused");
  }
}
