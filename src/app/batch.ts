import pMap from "p-map";
import type { ExitName } from "../failure/exit-codes.ts";
import type { Failure } from "../failure/failure.ts";
import { trackWrites } from "../failure/ignored.ts";
import { Interruption } from "../failure/interruption.ts";
import { DryRun } from "../http/debug.ts";
import { alreadyText } from "../output/output.ts";
import { asFailure, reportTarget } from "../output/report-failure.ts";
import type { BaseContext } from "./context.ts";

/** The result for one target of a batch. */
export interface BatchItem {
  /** What was done, printed on stderr; undefined if nothing was. */
  readonly message: string | undefined;
  /** Printed on stdout: the address or id of what was created. */
  readonly prints?: string | number | undefined;
  /** The record for JSON output, or a function that fetches it. */
  readonly record?: unknown | (() => Promise<unknown>);
  /** Whether there was nothing to change. */
  readonly unchanged?: boolean | undefined;
  /** What is said instead if no write changed anything. */
  readonly already?: string | undefined;
  /** What was not done, reported after the record. */
  readonly failure?: Failure | undefined;
  /** Whether some of it was done though it failed, as where there is a message, too. */
  readonly isPart?: boolean;
}

interface BatchOptions<T> {
  /** The number of targets processed at a time (8). */
  readonly jobs?: number;
  /** The name of a target in messages. */
  readonly name?: (target: T) => string;
  /** The order of the records and failures, if they are worked on in another one. */
  readonly order?: readonly T[];
  /** What is said of several targets if Ctrl-C ends the work. */
  readonly interrupted?: (progress: Progress) => string;
}

/** How far the work is. */
export interface Progress {
  readonly total: number;
  readonly failed: number;
  /** The names of those that are done. */
  readonly done: readonly string[];
  /** The names of those for which a write was sent, and nothing is known of it or of what follows. */
  readonly uncertain: readonly string[];
}

/** How far the work is, in a sentence or two. */
export function progressText({ total, failed, done, uncertain }: Progress): string {
  const rest = total - failed - done.length - uncertain.length;
  const refused = failed === 0 ? "" : `, ${failed} failed`;
  const unknown = uncertain.length === 0 ? "" : ` Sent, but the answer is not known: ${uncertain.join(", ")}.`;
  return `${done.length} of ${total} are done${refused}.${unknown}${rest === 0 ? "" : ` Nothing was sent for the other ${rest}.`}`;
}

interface Result<T> {
  readonly target: T;
  readonly record?: unknown;
  readonly failure?: Failure | undefined;
}

/**
 * Processes targets, several at a time, and continues after a failure. Prints the records as one array in the order of
 * the targets, nothing if the only one failed, and every failure. Returns `partly` if some failed, or the exit name of the
 * first failure if all failed; throws the failure of a single target. Ctrl-C ends it, and what was done and sent is said; a
 * token that is not accepted ends it, too: no other target would be.
 */
export async function batch<T>(
  targets: readonly T[],
  work: (target: T) => Promise<BatchItem>,
  { out, system, options }: Pick<BaseContext, "out" | "system" | "options">,
  { jobs = 8, name = String, order, interrupted = progressText }: BatchOptions<T> = {},
): Promise<ExitName | undefined> {
  const done = new Set<T>();
  const sent = new Set<T>();
  const untried: T[] = [];
  const failures: { readonly target: T; readonly failure: Failure }[] = [];
  let isSignedOut = false;
  const one = async (target: T): Promise<Result<T>> => {
    if (isSignedOut) {
      untried.push(target);
      return { target };
    }
    try {
      const watched = await trackWrites(
        () => work(target),
        name(target),
        () => sent.add(target),
      );
      const { value, failure = value.failure, unchanged } = watched;
      if (failure !== undefined && value.message === undefined && !value.isPart) failures.push({ target, failure });
      else done.add(target);
      isSignedOut ||= failure?.code === "not_signed_in";
      const item =
        unchanged && failure === undefined ? { ...value, unchanged: true, message: alreadyText(value) } : value;
      if (!out.records) {
        await out.done(item.message, item);
        return { target, failure };
      }
      // What was done is said even if its record cannot be read afterwards.
      out.say(item.message, item);
      const record = typeof item.record === "function" ? await item.record() : item.record;
      const result = failure === undefined ? out.resultOf(item, name(target)) : undefined;
      return { target, record: record ?? result, failure };
    } catch (error) {
      if (error instanceof DryRun || system.signal.aborted) throw error;
      const result = { target, failure: asFailure(error) };
      failures.push(result);
      isSignedOut ||= result.failure.code === "not_signed_in";
      return result;
    }
  };
  // A dry run ends with the first write, so the targets are worked on one by one.
  const ended = await pMap(targets, one, { concurrency: options.dryRun ? 1 : jobs }).catch((error: unknown) => {
    if (system.signal.aborted && targets.length > 1) {
      const names = (set: ReadonlySet<T>) => targets.filter((target) => set.has(target)).map(name);
      const failed = new Set(failures.map(({ target }) => target));
      const uncertain = new Set([...sent].filter((target) => !done.has(target) && !failed.has(target)));
      for (const { target, failure } of failures) reportTarget(name(target), out.named(failure), { out, system });
      const counts = { total: targets.length, failed: failed.size };
      const progress = interrupted({ ...counts, done: names(done), uncertain: names(uncertain) });
      const { reason } = system.signal;
      if (out.records && reason instanceof Interruption) throw new Interruption(reason.signal, { hint: progress });
      out.note(progress);
      throw reason;
    }
    throw error;
  });

  const place = new Map(order?.map((target, index) => [target, index]));
  const results = ended.sort((one, other) => (place.get(one.target) ?? 0) - (place.get(other.target) ?? 0));
  const failed = results.flatMap(({ target, failure }) => (failure === undefined ? [] : [{ target, failure }]));
  // A target can have several.
  const records = results.flatMap(({ record }) => record ?? []);
  const isOnly = targets.length === 1 && failed.length === 1;
  if (out.records && (records.length > 0 || !isOnly)) await out.items(records);
  const [first] = failed;
  if (first === undefined) return undefined;
  if (isOnly) throw first.failure;
  for (const { target, failure } of failed) reportTarget(name(target), out.named(failure), { out, system });
  const all = failed.length + untried.length === targets.length;
  const rest = untried.length === 0 ? "" : ` Nothing was sent for the other ${untried.length}.`;
  const part = failed.filter(({ target }) => done.has(target)).length;
  const inPart = part === 0 ? "" : `, ${part} of them only in part`;
  out.note(`${failed.length} of ${targets.length} failed${inPart}.${rest}`);
  return all ? first.failure.exit : "partly";
}
