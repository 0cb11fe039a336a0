import type { BaseContext, ServerContext } from "../../app/context.ts";
import { isTransient } from "../../failure/failure.ts";
import { asFailure } from "../../output/report-failure.ts";
import { safeLine } from "../../text/safe.ts";
import { type CheckRow, type Checks, checkLine, checksText, overall, summary } from "./check-rows.ts";

interface WatchFlags {
  readonly failFast: boolean;
  readonly interval: number | undefined;
}

type WatchContext = Pick<BaseContext, "out" | "system"> & Pick<ServerContext, "server">;

/** How many refreshes in a row may fail before the watch ends. */
const maxFailures = 10;

/**
 * Polls until no check is pending, or one failed with `failFast`, and returns the last result. A terminal shows the
 * table, redrawn in place; a pipe gets a line for each change, JSON lines a record. Transient failures are retried;
 * throws the failure after 10 in a row.
 */
export async function watchChecks(
  first: Checks,
  poll: () => Promise<Checks>,
  flags: WatchFlags,
  context: WatchContext,
): Promise<Checks> {
  const { out, system } = context;
  const interval = (flags.interval ?? 10) * 1000;
  const show = out.terminal ? screen(interval, context) : printChanges(context);
  let current = first;
  let failures = 0;
  let note: string | undefined;
  for (;;) {
    await show(current, note);
    const pending = current.rows.some((row) => row.verdict === "pending");
    if (!pending || (flags.failFast && overall(current.rows) === "failed")) return current;
    await system.sleep(interval, system.signal);
    note = undefined;
    try {
      const next = await poll();
      if (next.sha !== current.sha) note = `the head is now ${next.sha.slice(0, 10)}`;
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

/** Shows the checks, and a note about the last refresh. */
type Show = (checks: Checks, note: string | undefined) => Promise<void>;

/** Draws over what was drawn before, line by line, so that nothing flickers; the whole never outgrows the screen. */
function screen(interval: number, context: WatchContext): Show {
  const { out, system } = context;
  let drawn = 0;
  return async ({ rows }, note) => {
    const room = Math.max(3, (system.stdout.rows || 24) - 4);
    const telling = rows.length > room ? [...rows].sort((one, other) => rank(one) - rank(other)).slice(0, room) : rows;
    const hidden = rows.length > room ? [`${rows.length - room} not shown`] : [];
    const lines = (await checksText(telling, context)).trimEnd().split("\n");
    if (rows.some((row) => row.verdict === "pending")) {
      const said = [summary(rows), ...hidden, ...(note === undefined ? [] : [safeLine(note)])].join(", ");
      const footer = `${said} · again every ${interval / 1000} s, Ctrl-C ends`;
      lines.push(out.palette("dim", footer.slice(0, (system.stdout.columns || out.width) - 1)));
    }
    const back = drawn === 0 ? "" : `\u001b[${drawn}A\r`;
    await out.raw(`${back}${lines.map((line) => `${line}\u001b[K\n`).join("")}\u001b[J`);
    drawn = lines.length;
  };
}

function rank({ verdict }: CheckRow): number {
  return { failed: 0, pending: 1, passed: 2 }[verdict];
}

/** Prints each check once, and again when it changes. Whole JSON is printed in the end, by the caller. */
function printChanges(context: WatchContext): Show {
  const { out } = context;
  const seen = new Map<string, string>();
  return async ({ sha, rows }, note) => {
    if (note !== undefined) out.note(`${note.charAt(0).toUpperCase()}${note.slice(1)}.`);
    const changed = rows.filter((row) => {
      const key = `${sha} ${row.context}`;
      const value = `${row.state} ${row.status?.id ?? ""}`;
      if (seen.get(key) === value) return false;
      seen.set(key, value);
      return true;
    });
    if (out.format === "text") for (const row of changed) await out.raw(checkLine(row, context));
    else if (out.format === "jsonl") await out.items(changed.flatMap(({ status }) => status ?? []));
  };
}
