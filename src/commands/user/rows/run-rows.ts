import type { BaseContext } from "../../../app/context.ts";
import { counter } from "../../../output/progress.ts";
import type { Column } from "../../../output/table.ts";
import { inOrder } from "../../../system/concurrency.ts";
import { brokenReason } from "../../../system/output-stream.ts";
import { safe } from "../../../text/safe.ts";

/** What was done for a row. `recorded` resolves when it is in the journal. */
export interface Worked<O> {
  readonly outcomes: readonly O[];
  readonly recorded: Promise<void>;
}

/** The rows of a file, and what is done for each. */
export interface Rows<R, O> {
  readonly rows: readonly R[] | AsyncIterable<R>;
  /** Their number. */
  readonly count: number;
  /** What the progress says: `imported 350 of 1000`. */
  readonly did: string;
  readonly jobs: number | undefined;
  readonly work: (row: R) => Promise<Worked<O>>;
  readonly columns: readonly Column<O>[];
  /** Called with each outcome, in the order of the rows; returns what is printed on stderr of a failed one. */
  readonly onOutcome: (outcome: O, row: R) => string | undefined;
  /** Called when all rows were worked on; throws if they are not complete. */
  readonly complete: () => Promise<void>;
  /** Closes files, whether or not all rows were worked on. */
  readonly close: (completed: boolean) => void;
  /** What was done so far: `12 created`; empty for nothing. */
  readonly soFar: () => string;
  readonly journal: string;
  /** The command that continues. */
  readonly continuing: string;
}

/**
 * Works on rows, several at a time, and prints the outcomes in their order. An interruption is named with the command that
 * continues. Returns false if the output could not be printed.
 */
export async function runRows<R, O extends object>(
  { rows, count, did, jobs = 8, work, columns, onOutcome, complete, close, soFar, journal, continuing }: Rows<R, O>,
  { out, system, options }: BaseContext,
): Promise<boolean> {
  const progress = await counter(did, count, { system, out, quiet: options.quiet });

  async function* worked(): AsyncGenerator<O, void, undefined> {
    // With --dry-run the first write ends the command, so rows must not run at the same time.
    const each = inOrder(rows, options.dryRun ? 1 : jobs, async (row: R) => ({ row, ...(await work(row)) }));
    for await (const { row, outcomes, recorded } of each) {
      await recorded;
      progress.step();
      for (const outcome of outcomes) {
        const failed = onOutcome(outcome, row);
        if (failed !== undefined) {
          progress.end();
          system.stderr.write(`${safe(failed)}\n`);
        }
        yield outcome;
      }
    }
  }

  let completed = false;
  try {
    if (out.records) await out.list({ take: worked, total: undefined }, columns, { unlimited: true });
    else for await (const _outcome of worked());
    await complete();
    completed = true;
  } finally {
    progress.end();
    close(completed);
    const done = soFar();
    if (!completed && !options.dryRun)
      out.note(`Interrupted${done === "" ? "" : ` (${done})`}. To continue, run: ${continuing}`);
  }
  const unprinted = await system.stdout.flushed();
  if (unprinted !== undefined) out.warn(`Could not print all results: ${brokenReason(unprinted)}. See ${journal}`);
  return unprinted === undefined || unprinted.code === "EPIPE";
}
