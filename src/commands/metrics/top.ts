import type { PlainContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { optional } from "../../command/args.ts";
import { choiceOr, integer, seconds, texts, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import type { Named } from "../../metrics/reading/identity.ts";
import { namesLike } from "../../metrics/reading/names-like.ts";
import { type Order, orderNames } from "../../metrics/top/order.ts";
import { createTopTable, maxTopSeries } from "../../metrics/top/series-table.ts";
import { anything, boolean, list, optional as maybe, record, string } from "../../shape/shape.ts";
import { filterFlags, readingFlags, readTypes, selection, tlsFlags } from "./flags.ts";
import { sourceFields } from "./records.ts";
import { topColumns, topRecord, topSummary } from "./top-rows.ts";
import { type TopView, topLines, topScreen } from "./top-screen.ts";
import { openTopSource, type TopSource } from "./top-source.ts";

type TopTable = ReturnType<typeof createTopTable>;

const standard = "127.0.0.1:50051";

// Further warnings are not printed.
const maxWarnings = 3;
// A server has a second reading of most series by then.
const maxWait = 60;

export const top = defineCommand({
  summary: "Watch the series of a fleet, sorted by rate, value, change or host",
  details:
    "Redraws a table until interrupted. SOURCE is a server that answers queries, such as collectd with its grpc plugin or " +
    "tongs metrics serve (HOST:PORT), the socket of collectd's unixsock plugin (unix:PATH), or a recording that another " +
    "process writes to, such as tongs metrics listen. It is followed when it is rotated; a file whose name has a colon needs ./ before it. - reads stdin.\n\n" +
    "Counters are shown as rates per second, gauges as values. CHANGE is how much the rate or the value is more than at the reading before. Series of which more than two readings are missing are " +
    `stale: they are dim, and come last. At most ${maxTopSeries} series are kept. A source that goes away is named, and waited for.\n\n` +
    "Without a terminal, a table is printed at each interval; --once prints one, and so do --json, --csv and --jq. --jsonl prints the " +
    "records of each interval. To have rates, the first table of a server waits until there are two readings, at most a minute. " +
    "A recording is read from its start; --since reads only the end of a large one.",
  on: "nothing",
  effect: "read",
  asTool: "none",
  args: {
    source: optional(`what to watch: HOST:PORT, unix:PATH, a recording, or Parquet files (default: ${standard})`, {
      names: "input file",
      dash: "stdin",
    }),
  },
  flags: {
    sort: choiceOr(orderNames, "rate", "how to sort", { short: "s" }),
    top: integer("number of rows (default: as many as the terminal has)", { short: "n", min: 1 }),
    interval: seconds("time between refreshes (2)", { short: "i" }),
    count: integer("stop after so many refreshes", { min: 1 }),
    once: toggle("print one table, and stop"),
    series: texts("only these series; * and ? are wildcards", { placeholder: "GLOB" }),
    ...filterFlags,
    typesDb: readingFlags.typesDb,
    ...tlsFlags,
  },
  exclusive: [["count", "once"]],
  output: list(
    record({
      ...sourceFields,
      rate: maybe(anything),
      value: maybe(anything),
      change: maybe(anything),
      time: string,
      stale: boolean,
      at: string,
    }),
  ),
  exits: { noAnswer: "no response from the server at the first try", invalid: "the file is not a recording" },
  examples: [
    ["Watch the counters that increase fastest", "tongs metrics top readings.bin"],
    ["Watch the load of all hosts", "tongs metrics top 127.0.0.1:50051 --plugin load --sort value"],
    ["Print the ten series that changed most, as JSON", "tongs metrics top readings.bin --sort change --top 10 --json"],
    ["Watch what collectd has on this machine", "tongs metrics top unix:/var/run/collectd-unixsock"],
  ],
  async run({ system, options, out, args, flags }) {
    const interval = flags.interval ?? 2;
    if (interval < 0.1) throw new UsageError("--interval must be at least 0.1 seconds");
    const isSingle = flags.once || (out.records && out.format !== "jsonl");
    if (isSingle && flags.count !== undefined) throw new UsageError("--count needs a table or --jsonl");
    const name = args.source ?? standard;
    const names = flags.series.length === 0 ? undefined : namesLike(flags.series);
    const selected = selection(flags, system.now());
    const { filter, timeRange } = selected;
    const types = readTypes(system, flags.typesDb);
    const table = createTopTable({ filter, timeRange, names, types, now: system.now });
    const isWanted = (one: Named) => filter?.(one) !== false && names?.hasAny(one) !== false;
    const wanted = { ...selected, filter: filter === undefined && names === undefined ? undefined : isWanted };
    let skipped = 0;
    const onSkipped = (fault: string) => {
      skipped += 1;
      if (skipped <= maxWarnings) out.warn(fault);
    };
    const source = openTopSource(
      name,
      { handle: table.handle, wanted, onSkipped, interval },
      { system, options, out, flags },
    );
    try {
      if (isSingle) await printOnce(source, table, { order: flags.sort, top: flags.top, interval }, { system, out });
      else {
        const snapshot = (most: number) => table.snapshot(flags.sort, most);
        const view = { source: name, order: flags.sort, top: flags.top, snapshot };
        const shown = out.redraws ? await topScreen(view, { out, system }) : topLines(view, { out, system });
        try {
          await watch(source, table, shown, { interval, count: flags.count, waits: !out.redraws }, system);
        } finally {
          shown.end();
        }
      }
    } finally {
      source.close();
    }
    const { ahead, isFull } = table.snapshot(flags.sort, 0);
    if (skipped > maxWarnings) out.warn(`Skipped ${skipped} bad messages`);
    if (ahead > 0)
      out.warn(`Left out ${ahead} ${ahead === 1 ? "value that is" : "values that are"} ahead of the clock`);
    if (isFull) out.warn(`There are more than ${maxTopSeries} series. Use --host, --plugin or --type to select fewer.`);
  },
});

async function printOnce(
  source: TopSource,
  table: TopTable,
  {
    order,
    top: most,
    interval,
  }: { readonly order: Order; readonly top: number | undefined; readonly interval: number },
  { system, out }: Pick<PlainContext, "system" | "out">,
): Promise<void> {
  await pollWithRates(source, table, interval, system);
  const at = system.now();
  const snapshot = table.snapshot(order, most ?? Number.POSITIVE_INFINITY);
  const columns = topColumns(order, { terminal: out.terminal, hosts: snapshot.hosts });
  const records = snapshot.rows.map((row) => topRecord(row, at));
  const csvFields = ["host", "series", "kind", "rate", "value", "change", "time", "stale"];
  await out.list(records, columns, { unlimited: true, csvFields });
  if (out.terminal) out.note(topSummary(snapshot));
}

/** Polls a server again until its counters have rates, if a second reading may come within a minute. */
async function pollWithRates(
  source: TopSource,
  table: TopTable,
  interval: number,
  system: Pick<PlainContext["system"], "sleep" | "signal">,
): Promise<string | undefined> {
  let problem = await source.poll();
  for (let waited = 0; source.isLast && waited < Math.min(maxWait, 1.5 * table.unrated()); waited += interval) {
    await system.sleep(interval * 1000, system.signal);
    system.signal.throwIfAborted();
    problem = await source.poll();
  }
  return problem;
}

async function watch(
  source: TopSource,
  table: TopTable,
  view: TopView,
  {
    interval,
    count = Number.POSITIVE_INFINITY,
    waits,
  }: { readonly interval: number; readonly count: number | undefined; readonly waits: boolean },
  system: Pick<PlainContext["system"], "sleep" | "signal">,
): Promise<void> {
  let problem = waits ? await pollWithRates(source, table, interval, system) : await source.poll();
  for (let shown = 0; ; ) {
    await view.show(problem);
    if (problem === undefined) shown += 1;
    if (shown >= count || source.hasEnded()) return;
    await system.sleep(interval * 1000, system.signal);
    system.signal.throwIfAborted();
    problem = await source.poll();
  }
}
