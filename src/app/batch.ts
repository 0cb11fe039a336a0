import type { ExitName } from "../failure/exit-codes.ts";
import type { Failure } from "../failure/failure.ts";
import { DryRun } from "../http/debug.ts";
import { asFailure, failureJson, failureText } from "../output/report-failure.ts";
import type { BaseContext } from "./context.ts";

/** What one target of a batch came to. */
export interface BatchItem {
  /** What was done, for stderr. */
  readonly message: string;
  /** What a script wants on stdout, where the target made something. */
  readonly prints?: string | number | undefined;
  /** The record for JSON output, or how to fetch it. */
  readonly record?: unknown | (() => Promise<unknown>);
}

interface BatchOptions<T> {
  /** How many targets are worked on at once; 8 unless said otherwise. */
  readonly jobs?: number;
  /** What a target is called in messages. */
  readonly name?: (target: T) => string;
}

/**
 * Works on every target, several at once, goes on after a failure and reports each. Records are printed as one array,
 * in the order of the targets. Returns `partly` when some but not all failed; throws the first failure when all did.
 */
export async function batch<T>(
  targets: readonly T[],
  work: (target: T) => Promise<BatchItem>,
  { out, system, options }: Pick<BaseContext, "out" | "system" | "options">,
  { jobs = 8, name = String }: BatchOptions<T> = {},
): Promise<ExitName | undefined> {
  const records = new Map<number, unknown>();
  const failures = new Map<number, Failure>();
  let next = 0;

  async function worker(): Promise<void> {
    for (let index = next++; index < targets.length; index = next++) {
      const target = targets[index] as T;
      try {
        const item = await work(target);
        if (out.records) {
          records.set(index, typeof item.record === "function" ? await item.record() : item.record);
          await out.done(item.message);
        } else await out.done(item.message, { prints: item.prints });
      } catch (error) {
        if (error instanceof DryRun || system.signal.aborted) throw error;
        failures.set(index, asFailure(error));
      }
    }
  }
  // Under --dry-run the first write ends everything, so there must be one that is first.
  const width = options.dryRun ? 1 : Math.min(jobs, targets.length);
  await Promise.all(Array.from({ length: width }, worker));

  const made = [...records].sort(([a], [b]) => a - b).flatMap(([, record]) => (record === undefined ? [] : [record]));
  if (out.records) await out.items(made);
  const failed = [...failures]
    .sort(([a], [b]) => a - b)
    .map(([index, failure]) => ({ target: targets[index] as T, failure }));
  const [first] = failed;
  if (first === undefined) return undefined;
  if (failed.length === targets.length && targets.length === 1) throw first.failure;
  for (const { target, failure } of failed) {
    system.stderr.write(out.records ? failureJson(failure) : failureText(failure, out.notePalette, name(target)));
  }
  const all = failed.length === targets.length;
  out.note(`${failed.length} of ${targets.length} failed.`);
  return all ? first.failure.exit : "partly";
}
