import type { RepositoryContext } from "../../app/context.ts";
import { type Flag, text } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { availableSince, HttpError, UnknownOperationError } from "../../http/errors.ts";

/** The states that a list of runs can be filtered by (docs/server-differences.md, "Runs and jobs"). */
export const runStatuses = [
  "queued",
  "waiting",
  "pending",
  "requested",
  "action_required",
  "in_progress",
  "completed",
  "success",
  "failure",
  "cancelled",
  "timed_out",
  "skipped",
  "neutral",
] as const;

/**
 * The failure for an operation that the server does not have; its hint is the web page that does the same, and the releases
 * that have the operation, if there are any.
 */
export function unsupported(
  what: string,
  page: string,
  { server }: Pick<RepositoryContext, "server">,
  releases?: string,
): Failure {
  const message = `${server.base.host} has no API operation to ${what}`;
  const available = releases === undefined ? "" : `\n${availableSince(releases)}`;
  return new Failure("unknown_operation", message, {
    hint: `Use the web page instead: ${page}${available}`,
  });
}

/** Runs `work`. Throws an `unknown_operation` failure that names the web page if the server does not have the operation. */
export async function orWebPage<T>(
  what: string,
  page: string,
  context: Pick<RepositoryContext, "server">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
    throw unsupported(what, page, context, error.since);
  }
}

/** The servers' messages for an action that the state of a run or workflow does not allow, and hints for them. */
const refusals: readonly (readonly [message: RegExp, hint?: (file: string) => string])[] = [
  [/workflow run is not done|run \d+ because it has not completed/, () => "Wait until it completes: tongs run watch"],
  [/has no failed jobs/],
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

const units: Readonly<Record<string, number>> = { m: 60e3, h: 3600e3, d: 86_400e3, w: 7 * 86_400e3 };

/** 200 years: what is older is before the time that any server has. In milliseconds. */
const longestAge = 200 * 365 * 86_400e3;

/** `--older-than 30d`: an age in milliseconds. */
export function ageFlag(description: string): Flag<number | undefined> {
  const age = text(description, { placeholder: "AGE" });
  return {
    ...age,
    read(typed, spelling) {
      const raw = age.read(typed, spelling);
      if (raw === undefined) return undefined;
      const [, count, unit] = /^(\d+)([mhdw])$/.exec(raw) ?? [];
      const length = unit === undefined ? undefined : units[unit];
      if (length === undefined || Number(count) * length > longestAge)
        throw new UsageError(`${spelling} must be an age such as 30d or 12h, not '${raw}'`);
      return Number(count) * length;
    },
  };
}
