import type { PlainContext } from "../../app/context.ts";
import type { Order } from "../../metrics/top/order.ts";
import type { TopSnapshot } from "../../metrics/top/series-table.ts";
import { plainRow, shownTable, tableDrawer } from "../../output/table.ts";
import { safeLine } from "../../text/safe.ts";
import { type TopRecord, topColumns, topRecord, topSummary } from "./top-rows.ts";

type Context = Pick<PlainContext, "out" | "system">;

/** What is shown, and how. */
interface ViewOptions {
  readonly source: string;
  readonly order: Order;
  /** The number of rows; undefined for as many as fit, or all in a pipe. */
  readonly top: number | undefined;
  /** The series at the moment, with so many rows. */
  readonly snapshot: (most: number) => TopSnapshot;
}

/** Where snapshots are shown. */
export interface TopView {
  /** Shows the series as they are now, and what is wrong with the source. */
  readonly show: (problem: string | undefined) => Promise<void>;
  readonly end: () => void;
}

/** A table on the terminal that is redrawn in place each second, and fits it also after it was resized. */
export async function topScreen(
  { source, order, top, snapshot }: ViewOptions,
  { out, system }: Context,
): Promise<TopView> {
  const [{ live }, { ticking }, drawTable] = await Promise.all([
    import("../../output/live.ts"),
    import("../../output/ticking.ts"),
    tableDrawer(),
  ]);
  const block = live(system.stdout, out);
  const clock = ticking(system);
  // Warnings would scroll the table away, again and again; the footer says what is wrong.
  out.hold(true);
  const show: TopView["show"] = async (problem) => {
    const at = system.now();
    // The largest terminals have some hundred rows.
    const most = snapshot(top ?? maxRows);
    const records = most.rows.map((row) => topRecord(row, at));
    clock.each((frame) => {
      const status = `${frame} ${topSummary(most)} · ${safeLine(source)}, by ${order} · press Ctrl-C to quit`;
      const footer = [status, ...(problem === undefined ? [] : [out.palette("warn", safeLine(problem))])];
      const room = Math.max(1, block.rows - footer.length - 1);
      const columns = topColumns(order, { terminal: true, hosts: most.hosts });
      const look = { width: block.columns, palette: out.palette, now: system.now() };
      block.draw(drawTable(records.slice(0, room), columns, look), footer);
    });
  };
  return {
    show,
    end() {
      clock.end();
      block.done();
      out.hold(false);
    },
  };
}

const maxRows = 1000;

/** A table after the other, with an empty line between them; of JSON lines, only the records. */
export function topLines({ source, order, top, snapshot }: ViewOptions, { out, system }: Context): TopView {
  let isFirst = true;
  let before: string | undefined;
  const show: TopView["show"] = async (problem) => {
    if (problem !== undefined && problem !== before) out.note(`${problem}.`);
    if (problem === undefined && before !== undefined) out.note(`There are readings of ${source} again.`);
    before = problem;
    if (problem !== undefined) return;
    const at = system.now();
    const { rows, hosts } = snapshot(top ?? Number.POSITIVE_INFINITY);
    const records = rows.map((row) => topRecord(row, at));
    if (out.records) await out.items(records);
    else await out.raw(await text(records, hosts));
    isFirst = false;
  };

  async function text(records: readonly TopRecord[], hosts: number) {
    const columns = topColumns(order, { terminal: out.terminal, hosts });
    const gap = isFirst ? "" : "\n";
    if (!out.terminal) return gap + records.map((one) => plainRow(one, columns)).join("");
    await out.raw(gap);
    return shownTable(records, columns, { width: out.width, palette: out.palette, now: system.now() });
  }

  return { show, end: () => {} };
}
