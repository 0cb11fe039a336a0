import type { BaseContext, ServerContext } from "../../app/context.ts";
import { isTransient } from "../../failure/failure.ts";
import { asFailure } from "../../output/report-failure.ts";
import { safeLine } from "../../text/safe.ts";
import { type CheckRow, type Checks, counts, overall, rowLine, rowsText } from "./check-rows.ts";

interface WatchFlags {
  readonly failFast: boolean;
  readonly interval: number | undefined;
}

type WatchContext = Pick<BaseContext, "out" | "system"> & Pick<ServerContext, "server">;

/** How many looks in a row may fail to reach the server before the watch ends. */
const patience = 10;

/**
 * Looks again and again until no check is pending, or one failed with `failFast`, and returns the last state. A terminal
 * shows the table, redrawn in place; a pipe gets a line for each change, JSON lines a record. A server that cannot be
 * reached for a while is waited for; throws the failure when it stays away.
 */
export async function watchChecks(
  first: Checks,
  look: () => Promise<Checks>,
  flags: WatchFlags,
  context: WatchContext,
): Promise<Checks> {
  const { out, system } = context;
  const interval = (flags.interval ?? 10) * 1000;
  const show = out.terminal ? screen(interval, context) : changes(context);
  let current = first;
  let missed = 0;
  let remark: string | undefined;
  for (;;) {
    await show(current, remark);
    const waits = current.rows.some((row) => row.verdict === "pending");
    if (!waits || (flags.failFast && overall(current.rows) === "failed")) return current;
    await system.sleep(interval, system.signal);
    remark = undefined;
    try {
      const next = await look();
      if (next.sha !== current.sha) remark = `the head is now ${next.sha.slice(0, 10)}`;
      current = next;
      missed = 0;
    } catch (error) {
      const failure = asFailure(error);
      missed += 1;
      if (!isTransient(failure) || missed >= patience || system.signal.aborted) throw error;
      remark = failure.message;
    }
  }
}

/** Shows the checks, and a remark on the last look. */
type Show = (checks: Checks, remark: string | undefined) => Promise<void>;

/** Draws over what was drawn before, line by line, so that nothing flickers; the whole never outgrows the screen. */
function screen(interval: number, context: WatchContext): Show {
  const { out, system } = context;
  let drawn = 0;
  return async ({ rows }, remark) => {
    const room = Math.max(3, (system.stdout.rows || 24) - 4);
    const telling = rows.length > room ? [...rows].sort((one, other) => rank(one) - rank(other)).slice(0, room) : rows;
    const hidden = rows.length > room ? [`${rows.length - room} not shown`] : [];
    const lines = (await rowsText(telling, context)).trimEnd().split("\n");
    if (rows.some((row) => row.verdict === "pending")) {
      const said = [counts(rows), ...hidden, ...(remark === undefined ? [] : [safeLine(remark)])].join(", ");
      const footer = `${said} · again every ${interval / 1000} s, Ctrl-C ends`;
      lines.push(out.palette("dim", footer.slice(0, (system.stdout.columns || out.width) - 1)));
    }
    const back = drawn === 0 ? "" : `\u001b[${drawn}A\r`;
    await out.raw(`${back}${lines.map((line) => `${line}\u001b[K\n`).join("")}\u001b[J`);
    drawn = lines.length;
  };
}

function rank({ verdict }: CheckRow): number {
  return { failed: 0, pending: 1, good: 2 }[verdict];
}

/** Prints each check once, and again when it changes. Whole JSON is printed in the end, by the caller. */
function changes(context: WatchContext): Show {
  const { out } = context;
  const seen = new Map<string, string>();
  return async ({ sha, rows }, remark) => {
    if (remark !== undefined) out.note(`${remark.charAt(0).toUpperCase()}${remark.slice(1)}.`);
    const changed = rows.filter((row) => {
      const key = `${sha} ${row.context}`;
      const value = `${row.state} ${row.status?.id ?? ""}`;
      if (seen.get(key) === value) return false;
      seen.set(key, value);
      return true;
    });
    if (out.format === "text") for (const row of changed) await out.raw(rowLine(row, context));
    else if (out.format === "jsonl") await out.items(changed.flatMap(({ status }) => status ?? []));
  };
}
