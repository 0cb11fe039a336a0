import type { BaseContext, ServerContext } from "../../app/context.ts";
import { isTransient } from "../../failure/failure.ts";
import { asFailure } from "../../output/report-failure.ts";
import { once } from "../../system/concurrency.ts";
import { capitalized } from "../../text/format.ts";
import { safeLine } from "../../text/safe.ts";
import { compose } from "../../text/styled.ts";
import { type CheckRow, type Checks, checkLine, checkLines, overall, summary } from "./check-rows.ts";

interface WatchFlags {
  readonly failFast: boolean;
  readonly interval: number | undefined;
  /** In a pipe: notes instead of lines of output. */
  readonly asNotes?: boolean;
}

type WatchContext = Pick<BaseContext, "out" | "system"> & Pick<ServerContext, "server">;

/** How many refreshes in a row may fail before the watch ends. */
const maxFailures = 10;

/**
 * Polls until `isDone`, by default until no check is pending, or one failed with `failFast`, and returns the last result. A
 * commit has no checks at first, which counts as pending; if none is reported for `patience`, in milliseconds, the result is
 * empty. A run that waits for an approval ends it, too, and so does `limit`, in milliseconds. A terminal shows the table, redrawn in place; a pipe gets a line for each change, JSON lines a record. Transient failures
 * are retried; throws the failure after 10 in a row.
 */
export async function watchChecks(
  first: Checks,
  watched: Watched,
  flags: WatchFlags,
  context: WatchContext,
): Promise<Checks> {
  const interval = (flags.interval ?? 10) * 1000;
  const view = context.out.redraws ? await screen(interval, context) : printChanges(context, flags.asNotes === true);
  try {
    return await watch(first, { ...watched, interval, failFast: flags.failFast, show: view.show }, context);
  } finally {
    view.end();
  }
}

/** What is watched, and how long. */
interface Watched {
  poll(): Promise<Checks>;
  patience(sha: string): Promise<number>;
  readonly limit?: number;
  isDone?(rows: readonly CheckRow[]): boolean;
}

async function watch(
  first: Checks,
  {
    poll,
    patience,
    limit = Number.POSITIVE_INFINITY,
    isDone = (rows) => !isPending(rows),
    interval,
    failFast,
    show,
  }: Watched & { readonly interval: number; readonly failFast: boolean; readonly show: Show },
  { out, system }: WatchContext,
): Promise<Checks> {
  const patienceOf = once((sha: string) => sha, patience);
  let current = first;
  let failures = 0;
  let empty = 0;
  let waited = 0;
  let note: string | undefined;
  for (;;) {
    await show(current, note);
    const { rows, sha, unapproved } = current;
    if (isDone(rows) || (failFast && overall(rows) === "failed")) return current;
    if (unapproved !== undefined || waited >= limit) return current;
    if (rows.length === 0) {
      const most = await patienceOf(sha);
      if (empty >= most) return current;
      if (empty === 0)
        out.note(`No checks reported on ${sha.slice(0, 10)} yet. Waiting at most ${most / 1000} s for the first.`);
    }
    const pause = Math.min(interval, limit - waited);
    await system.sleep(pause, system.signal);
    waited += pause;
    empty = current.rows.length === 0 ? empty + pause : 0;
    note = undefined;
    try {
      const next = await poll();
      if (next.sha !== current.sha) {
        note = `the head is now ${next.sha.slice(0, 10)}`;
        empty = 0;
      }
      current = next;
      failures = 0;
    } catch (error) {
      const failure = asFailure(error);
      failures += 1;
      if (!isTransient(failure) || failures >= maxFailures || system.signal.aborted) throw error;
      note = failure.message;
    }
  }
}

function isPending(rows: readonly CheckRow[]): boolean {
  return rows.length === 0 || rows.some(({ verdict }) => verdict === "pending");
}

/** Shows the checks, and a note about the last refresh. */
type Show = (checks: Checks, note: string | undefined) => Promise<void>;

/** Where the checks are shown while they are watched. */
interface View {
  readonly show: Show;
  readonly end: () => void;
}

/**
 * A table on the terminal, redrawn in place each second: finished checks above, then those that are pending, with a mark on
 * what the last refresh changed. If it does not fit, failed and pending checks come first.
 */
async function screen(interval: number, context: WatchContext): Promise<View> {
  const { out, system } = context;
  const [{ live }, { ticking }] = await Promise.all([
    import("../../output/live.ts"),
    import("../../output/ticking.ts"),
  ]);
  const block = live(system.stdout, out);
  const clock = ticking(system);
  let before: ReadonlyMap<string, string> | undefined;
  const show: Show = async ({ rows }, note) => {
    const pending = isPending(rows);
    const fits = rows.length + 2 <= block.rows;
    const order = fits ? (row: CheckRow) => (row.verdict === "pending" ? 1 : 0) : rank;
    const ordered = [...rows].sort((one, other) => order(one) - order(other));
    const table = await checkLines(ordered, context, block.columns - 2);
    const changed = ordered.map(({ context: name, state }) => before !== undefined && before.get(name) !== state);
    const marked = table.map(
      (line, index) => compose`${changed[index - 1] === true ? out.palette("strong", "→ ") : "  "}${line}`,
    );
    before = new Map(rows.map((row) => [row.context, row.state]));
    const status = [
      rows.length === 0 ? "no checks yet" : summary(rows),
      ...(note === undefined ? [] : [safeLine(note)]),
    ].join(", ");
    clock.each((frame, passed) => {
      const left = Math.max(0, interval / 1000 - passed);
      const footer = `${frame} ${status} · ${left === 0 ? "refreshing" : `refreshing in ${left} s`}, press Ctrl-C to quit`;
      block.draw(marked, pending ? [footer] : []);
    });
  };
  return {
    show,
    end() {
      clock.end();
      block.done();
    },
  };
}

function rank({ verdict }: CheckRow): number {
  return { failed: 0, pending: 1, passed: 2 }[verdict];
}

/** Prints each check once, and again when it changes. The caller prints the final result of --json. */
function printChanges(context: WatchContext, asNotes: boolean): View {
  const { out } = context;
  const seen = new Map<string, string>();
  const show: Show = async ({ sha, rows }, note) => {
    if (note !== undefined) out.note(`${capitalized(note)}.`);
    const changed = rows.filter((row) => {
      const key = `${sha} ${row.context}`;
      const value = `${row.state} ${row.status?.id ?? ""}`;
      if (seen.get(key) === value) return false;
      seen.set(key, value);
      return true;
    });
    if (asNotes) for (const row of changed) out.note(`${row.context}: ${row.state}`);
    else if (out.format === "text") for (const row of changed) await out.raw(checkLine(row, context));
    else if (out.format === "jsonl") await out.items(changed.flatMap(({ status }) => status ?? []));
  };
  return { show, end: () => {} };
}
