import { toggle } from "../command/flags.ts";
import type { ExitName } from "../failure/exit-codes.ts";
import { changed, Failure } from "../failure/failure.ts";
import { type Outcome, outcomes } from "../failure/outcomes.ts";
import type { Operation } from "../forge/operation.ts";
import { DryRun } from "../http/debug.ts";
import { mayHaveEffect } from "../http/no-answer-error.ts";
import type { Listing } from "../http/pages.ts";
import { counter } from "../output/progress.ts";
import { asFailure } from "../output/report-failure.ts";
import type { Column } from "../output/table.ts";
import { accountLabel } from "../profiles/server.ts";
import { safeLine } from "../text/safe.ts";
import { type BatchItem, batch, progressText } from "./batch.ts";
import type { BaseContext, ServerContext } from "./context.ts";
import { currentUser } from "./shared.ts";

/** The flag of every command that plans. */
export const planFlag = toggle("show the planned changes without making them");

/** One change of a plan. A plan is made from what exists now, so that running the same command again resumes it. */
export interface Change<R extends object> {
  /** Changes of the same place (a user, a repository) are made one after another, in their order. */
  readonly place: string;
  /** The change in one line, for the question and for errors: `~ bug: color ee0701 → ff0000`. */
  readonly line: string;
  /** What it changes, for errors, if not its line: `label 'bug' in mara/harbor`. */
  readonly what?: string;
  /** The change as a row of the table of `--plan`, and as its record. */
  readonly row: R;
  /** Why it cannot be made. */
  readonly stopped?: string | undefined;
  /** The code of that failure (`refused`). */
  readonly stopCode?: Outcome;
  /** Whether it is left out after other changes of its place that failed. */
  readonly waitsFor?: (failed: readonly Failed<R>[]) => boolean;
  /** Changes of a higher rank (0) are made after all those of the places that `follows` returns true for. */
  readonly rank?: number;
  readonly follows?: (place: string) => boolean;
  readonly make: () => Promise<Made<R>>;
}

/** A change that failed; without a failure if it could not be made. */
export interface Failed<R> {
  readonly row: R;
  readonly failure?: Failure;
}

/** What became of a change. */
export interface Made<R> extends Pick<BatchItem, "prints" | "unchanged" | "failure" | "isPart"> {
  /** Printed on stderr; of what was changed, followed by the account and the server. */
  readonly message?: string | undefined;
  /** The record for JSON output; by default the row, with what `row` changes of it. */
  readonly record?: unknown;
  readonly row?: Partial<R>;
}

/** What is said of a plan as a whole. */
export interface PlanOptions<R> {
  /** `Offboard 3 users on git.example.org`, for the question; undefined where nothing is asked. */
  readonly asks: string | undefined;
  /** What is to be typed as the answer; a plain yes without it. */
  readonly typed?: string | undefined;
  /** What is done after the question, before the first change. */
  readonly begin?: (() => void) | undefined;
  /** The operation that the question is about, if it is one. */
  readonly sends?: Operation | undefined;
  /** What is shown before the question, instead of the lines of the changes. */
  readonly lines?: readonly string[];
  /** Only lists the changes. */
  readonly isPlan: boolean;
  /** The rows of `--plan`, if it lists more than the changes, or what `--limit` leaves of them. */
  readonly rows?: readonly R[] | Listing<R>;
  /** How the changes are made, for `--plan`: ` with --comment Old`. */
  readonly how?: string;
  readonly columns?: readonly Column<R>[];
  /** The row of a change that was not made, with the reason; without it, such changes have no record. */
  readonly rowOf?: (row: R, action: "plan" | "stopped" | "failed", reason?: string) => R;
  /** What is said if there is nothing to change. */
  readonly nothing: string;
  /** What is said at the end, of the rows of all changes: `2 users offboarded`. */
  readonly summary?: (rows: readonly R[]) => string;
  /** What the progress says: `offboarded 350 of 1000`. */
  readonly progress?: string;
  /** The number of places worked on at a time (8). */
  readonly jobs?: number | undefined;
}

const waiting = "a step before it failed";

/**
 * Shows a plan, asks, and makes its changes, several places at a time. Returns `partly` if some changes failed, or the exit
 * name of the first failure if all did.
 */
export async function runPlan<R extends object>(
  changes: readonly Change<R>[],
  options: PlanOptions<R>,
  context: BaseContext & ServerContext,
): Promise<ExitName | undefined> {
  const { out, prompt, server, system } = context;
  const { asks, typed, sends, lines = changes.map(({ line }) => line), rowOf } = options;
  if (options.isPlan) return showPlan(changes, options, context);
  if (changes.length === 0) {
    await out.done(options.nothing, { record: [], unchanged: true });
    return undefined;
  }
  if (!context.options.yes) for (const line of lines) out.note(safeLine(line));
  if (asks !== undefined && changes.some(({ stopped }) => stopped === undefined))
    await prompt.confirmAction({ what: asks, ...(typed !== undefined && { typed }), sends });
  options.begin?.();
  context.forgetReads();
  const rows = new Map<Change<R>, R>();
  const failed = new Map<string, Failed<R>[]>();
  const progress =
    options.progress === undefined
      ? undefined
      : await counter(options.progress, changes.length, { system, out, quiet: context.options.quiet });
  const make = async (change: Change<R>): Promise<BatchItem> => {
    const before = failed.get(change.place) ?? [];
    const stopped = change.stopped ?? (change.waitsFor?.(before) === true ? waiting : undefined);
    try {
      if (stopped !== undefined) throw new Failure(change.stopCode ?? "refused", stopped);
      const { message, record, row, ...made } = await change.make();
      rows.set(change, { ...change.row, ...row });
      const { failure } = made;
      if (failure !== undefined) failed.set(change.place, [...before, { row: change.row, failure }]);
      const text = made.unchanged ? message : message && `${message} ${accountLabel(server)}`;
      return { message: text, record: record ?? rows.get(change), ...made };
    } catch (error) {
      if (error instanceof DryRun || system.signal.aborted) throw error;
      const failure = findingOut(asFailure(error));
      const { row: planned } = change;
      failed.set(change.place, [...before, stopped === undefined ? { row: planned, failure } : { row: planned }]);
      const row = rowOf?.(change.row, stopped === undefined ? "failed" : "stopped", failure.message);
      if (row !== undefined) rows.set(change, row);
      return { message: undefined, record: row, failure };
    } finally {
      progress?.step();
    }
  };
  const last = new Map<string, Promise<unknown>>();
  const afterOthers = (change: Change<R>) => {
    const { place, follows } = change;
    const before =
      follows === undefined
        ? [last.get(place)]
        : [...last].flatMap(([other, made]) => (other === place || follows(other) ? [made] : []));
    const made = Promise.all(before).then(() => make(change));
    last.set(
      change.place,
      made.catch(() => undefined),
    );
    return made;
  };
  const exit = await batch(inTurn(changes), afterOthers, context, {
    name: ({ what, line }: Change<R>) => safeLine(what ?? line),
    order: changes,
    jobs: options.jobs ?? 8,
    interrupted: (ended) => `${progressText(ended)} To continue, run the same command again.`,
  })
    .catch((error: unknown) => {
      const [only] = changes;
      // Nobody typed what a file names.
      if (!(error instanceof Failure) || system.signal.aborted || only === undefined || options.summary === undefined)
        throw error;
      throw changed(error, { message: `${safeLine(only.line)}: ${error.message}` });
    })
    .finally(() => progress?.end());
  if (options.summary !== undefined) {
    // What was done is said even if the account cannot be read.
    const user = server.user ?? (await currentUser(context).catch(() => undefined));
    const all = changes.flatMap((change) => rows.get(change) ?? []);
    const text = `${options.summary(all)} ${accountLabel({ ...server, user })}`;
    if (exit === undefined) out.say(text);
    else out.note(`${text}\nTo try again, run the same command.`);
  }
  return exit;
}

/** A failure of a plan: what is done is found out by running the command again. */
function findingOut(failure: Failure): Failure {
  if (failure.hint !== mayHaveEffect) return failure;
  return changed(failure, { hint: "The request may have taken effect. To find out, run the same command again." });
}

/** Lists the changes, with those that would be stopped. */
async function showPlan<R extends object>(
  changes: readonly Change<R>[],
  { columns = [], rowOf = (row) => row, rows: all, how = "" }: PlanOptions<R>,
  { out, options }: BaseContext,
): Promise<ExitName | undefined> {
  const failed = new Map<string, Failed<R>[]>();
  const rows = changes.map(({ place, row, stopped, waitsFor }) => {
    const before = failed.get(place) ?? [];
    const reason = stopped ?? (waitsFor?.(before) === true ? waiting : undefined);
    if (reason !== undefined) failed.set(place, [...before, { row }]);
    return rowOf(row, reason === undefined ? "plan" : "stopped", stopped);
  });
  const stops = [...failed.values()].flat().length;
  await out.list(all ?? rows, columns, {
    unlimited: options.limit === undefined || all === undefined || Array.isArray(all),
    ...(all === undefined ? { lists: ["change", "changes"] } : {}),
  });
  const made = changes.length - stops;
  const count = `${made} ${made === 1 ? "change" : "changes"}`;
  out.note(`Plan: ${count}${how}${stops === 0 ? "" : `, ${stops} stopped`}; nothing was changed.`);
  if (stops === 0) return undefined;
  return stops === changes.length ? outcomes[changes[0]?.stopCode ?? "refused"].exit : "partly";
}

/** By rank, the first change of each place, then the second ones, so that places are worked on at the same time. */
function inTurn<R extends object>(changes: readonly Change<R>[]): Change<R>[] {
  const counts = new Map<string, number>();
  const turns = changes.map((change) => {
    const turn = counts.get(change.place) ?? 0;
    counts.set(change.place, turn + 1);
    return { change, turn };
  });
  const rank = ({ rank = 0 }: Change<R>) => rank;
  return turns
    .sort((one, other) => rank(one.change) - rank(other.change) || one.turn - other.turn)
    .map(({ change }) => change);
}
