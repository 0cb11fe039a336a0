import { HttpError } from "../../http/errors.ts";
import { commandIn, type Place } from "../../profiles/server.ts";

/** A workflow's file name, and the ID of the run of it that is changed. */
interface Target {
  readonly workflow: string;
  readonly id?: number;
}

/** The hint for what needs a run that has completed. */
export function untilItCompletes({ id }: Pick<Target, "id">, place: Place): string {
  return `Wait until it completes: ${commandIn(place, `tongs run watch ${id}`)}`;
}

/** The servers' messages for an action that the state of a run or workflow does not allow, and hints for them. */
const refusals: readonly (readonly [message: RegExp, hint?: (target: Target, place: Place) => string])[] = [
  [/workflow run is not done|run \d+ because it has not completed/, untilItCompletes],
  [/has no failed jobs/],
  [/run is already completed|is not waiting for approval/],
  [
    /workflow .*is disabled/,
    ({ workflow }, place) => `Enable it: ${commandIn(place, `tongs workflow enable ${workflow}`)}`,
  ],
];

/**
 * Runs `work` on a workflow or a run. If the state does not allow it, servers answer with 400, 403 or 500; this throws a
 * `wrong_state` error instead.
 */
export async function withStateErrors<T>(target: Target, place: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const found = refusals.find(([message]) => message.test(error.serverMessage));
    if (found === undefined) throw error;
    const message = `Not allowed in the current state: ${error.serverMessage}`;
    throw new HttpError("wrong_state", message, error.exchange, found[1]?.(target, place));
  }
}
