import { pathToFileURL } from "node:url";
import { defineCommand } from "../../app/define.ts";
import { many } from "../../command/args.ts";
import { text, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import type { Series } from "../../metrics/decode/series.ts";
import { typeSource } from "../../metrics/encode/types-db.ts";
import { readInputs, warnLate } from "../../metrics/inputs.ts";
import { refuseInput, withSink } from "../../metrics/outputs.ts";
import { unitOf } from "../../metrics/plot/units.ts";
import { type Labels, sourceKey, sourceName } from "../../metrics/reading/identity.ts";
import { intervalOf } from "../../metrics/reading/moments.ts";
import type { ReportLine } from "../../metrics/report/data.ts";
import { addPoint, createCurve } from "../../metrics/series/curve.ts";
import { createMeters } from "../../metrics/series/meters.ts";
import { readValues } from "../../metrics/series/samples.ts";
import { utf8Bytes } from "../../metrics/wire/text.ts";
import { fullPath } from "../../system/files.ts";
import { readingFlags, readTypes, selection } from "./flags.ts";

// More would make a page that browsers open slowly.
const maxLines = 20_000;
// Points of all series in memory.
const maxPoints = 2_000_000;

export const report = defineCommand({
  summary: "Write readings as a page with charts",
  details:
    "Writes one self-contained HTML file: a list of hosts and their plugins, or of plugins and their hosts, with search, and charts with zoom. Gauges " +
    "are shown as is, counters as rates per second. A series with too many points is reduced to the minimum and the maximum " +
    `of each interval, and the page says so. At most ${maxLines} series.`,
  on: "nothing",
  effect: "read",
  asTool: "write",
  args: { file: many("files with readings, or directories of Parquet files", { dash: "stdin", names: "input file" }) },
  flags: {
    ...readingFlags,
    output: text("the file to write", { dash: "stdout", short: "o", names: "output file", placeholder: "FILE" }),
    open: toggle("open the page in the browser", { opensBrowser: true }),
  },
  exits: { invalid: "bad data; the readings before it are in the report", notFound: "no readings with a time" },
  examples: [
    ["Make a page of a recording, and open it", "tongs metrics report readings.bin -o report.html --open"],
    ["Only one host, for a colleague", "tongs metrics report readings.bin --host edge-01.example.net -o edge-01.html"],
  ],
  async run({ system, out, args, flags }) {
    const { lenient, output } = flags;
    if (output === undefined) throw new UsageError("--output is required", "Use -o report.html.");
    if (flags.open && output === "-") throw new UsageError("--open requires a file");
    refuseInput(system, output, [...args.file, flags.typesDb, flags.authFile]);
    const types = readTypes(system, flags.typesDb);
    const meters = createMeters();
    const lines = new Map<string, ReportLine>();

    function lineOf(reading: Series, labels: Labels): ReportLine {
      const { kind } = labels;
      const key = sourceKey(labels);
      let line = lines.get(key);
      if (line === undefined) {
        if (lines.size === maxLines) {
          throw new UsageError(`More than ${maxLines} series`, "Use --host, --plugin or --type to select fewer.");
        }
        const limits = typeSource(types, labels.type, labels.ds_name);
        const options = { name: sourceName(labels), unit: unitOf(types, labels.type, kind), kind, limits };
        const { host, plugin_instance: instance, type, type_instance, ds_name } = labels;
        const plugin = instance === "" ? labels.plugin : `${labels.plugin}-${instance}`;
        const label =
          [type_instance, ds_name === "value" ? "" : ds_name].filter((part) => part !== "").join(" ") || type;
        line = { curve: createCurve(options, meters), host, plugin, type, label };
        lines.set(key, line);
      }
      line.curve.interval = intervalOf(reading.interval);
      return line;
    }

    const wanted = selection(flags, system.now());
    const handle = readValues(
      {
        sourceOf: lineOf,
        value: ({ curve }, sample) => {
          addPoint(curve, meters, sample, Math.min(16_384, Math.max(1024, Math.floor(maxPoints / lines.size))));
        },
      },
      { lenient, ...wanted },
    );
    const read = await readInputs({ system, out }, args.file, { flags, handle, wanted });
    const drawn = [...lines.values()]
      .filter(({ curve }) => curve.points.length > 0)
      .sort((one, other) => (one.curve.name < other.curve.name ? -1 : 1));
    if (drawn.length === 0) throw read.failure ?? new Failure("no_series", "No readings with a time");
    const { reportPage } = await import("../../metrics/report/page.ts");
    await withSink(system, output, async (sink) => sink.write(utf8Bytes(reportPage(drawn))));
    if (output !== "-") out.note(`Wrote ${drawn.length} series to ${output}`);
    warnLate(out, meters.late(), args.file, " in rates");
    if (read.failure !== undefined) throw read.failure;
    if (flags.open) {
      const { openPage } = await import("../../output/browser.ts");
      await openPage(system, pathToFileURL(fullPath(output, system)).href);
    }
    return read.skipped > 0 ? "invalid" : undefined;
  },
});
