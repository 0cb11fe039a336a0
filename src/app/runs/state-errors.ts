import { HttpError } from "../../http/errors.ts";

/** The hint for what needs a run that has completed. */
export const untilItCompletes = "Wait until it completes: tongs run watch";

/** The servers' messages for an action that the state of a run or workflow does not allow, and hints for them. */
const refusals: readonly (readonly [message: RegExp, hint?: (file: string) => string])[] = [
  [/workflow run is not done|run \d+ because it has not completed/, () => untilItCompletes],
  [/has no failed jobs/],
  [/run is already completed|is not waiting for approval/],
  [/workflow .*is disabled/, (file) => `Enable it: tongs workflow enable ${file}`],
];

/**
 * Runs `work` on a run of the workflow `file`. If the state does not allow it, servers answer with 400, 403 or 500; this throws
 * a `wrong_state` error instead.
 */
export async function withStateErrors<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const found = refusals.find(([message]) => message.test(error.serverMessage));
    if (found === undefined) throw error;
    const message = `Not allowed in the current state: ${error.serverMessage}`;
    throw new HttpError("wrong_state", message, error.exchange, found[1]?.(file));
  }
}
