import { defineCommand } from "../../app/define.ts";
import { many } from "../../command/args.ts";
import { integer, text, texts, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import type { Series } from "../../metrics/decode/series.ts";
import { typeSource } from "../../metrics/encode/types-db.ts";
import { readInputs, warnLate } from "../../metrics/inputs.ts";
import { refuseInput, withSink } from "../../metrics/outputs.ts";
import { compare, forget } from "../../metrics/plot/compare.ts";
import { svgPlot } from "../../metrics/plot/svg-plot.ts";
import { textPlot } from "../../metrics/plot/text-plot.ts";
import { unitOf } from "../../metrics/plot/units.ts";
import { type Labels, type Named, namer, sourceKey, sourceName } from "../../metrics/reading/identity.ts";
import { instantText, intervalOf, nearestSeconds } from "../../metrics/reading/moments.ts";
import { namesLike } from "../../metrics/reading/names-like.ts";
import { addPointUpTo, type Curve, createCurve, finish, timeAfterGap, upToNow } from "../../metrics/series/curve.ts";
import { createMeters } from "../../metrics/series/meters.ts";
import { readValues } from "../../metrics/series/samples.ts";
import { utf8Bytes } from "../../metrics/wire/text.ts";
import { readingFlags, readSpan, readTypes, selection } from "./flags.ts";

// More do not fit on a screen.
const maxCurves = 16;
// Far more than the width of a screen.
const maxPoints = 65_536;

export const plot = defineCommand({
  summary: "Plot series of collectd readings",
  details:
    "A series is named as metrics stat names it: HOST/PLUGIN-INSTANCE/TYPE-INSTANCE:DS; the host and :DS may be omitted. Gauges " +
    "are plotted as is, counters as rates per second. A line breaks at a counter reset and where more than two readings are " +
    `missing. Readings ahead of the clock are left out unless --until is given. All series share one axis; at most ${maxCurves}.`,
  on: "nothing",
  effect: "read",
  asTool: "write",
  args: { file: many("files with readings, or directories of Parquet files", { dash: "stdin", names: "input file" }) },
  flags: {
    ...readingFlags,
    series: texts("series to plot; * and ? are wildcards", { placeholder: "GLOB" }),
    stack: toggle("draw each series on top of those before it"),
    compare: text("also draw the same time this long before (1h, 1d, 7d); without --since, the last such span", {
      placeholder: "SPAN",
    }),
    width: integer("width in columns", { min: 24, max: 1000 }),
    height: integer("height of the plot in lines (default: 12)", { min: 4, max: 200 }),
    svg: text("write an SVG image to a file", { dash: "stdout", names: "output file", placeholder: "FILE" }),
    utc: toggle("show times in UTC instead of local time"),
  },
  exclusive: [["stack", "compare"]],
  exits: { invalid: "bad data", notFound: "no series matches" },
  examples: [
    ["Plot the load of a host", "tongs metrics plot readings.bin --series 'edge-01.example.net/load/*'"],
    [
      "Compare the load of the last six hours with that of the day before",
      "tongs metrics plot readings.bin --series '*/load/load:shortterm' --since 6h --compare 1d",
    ],
    [
      "Write an SVG image of network traffic",
      "tongs metrics plot readings.bin --series 'interface-eth0/if_octets' --svg traffic.svg",
    ],
  ],
  async run({ system, out, args, flags }) {
    const { series, lenient, utc, stack } = flags;
    if (series.length === 0) throw new UsageError("--series is required", "Run tongs metrics stat to list the series.");
    if (flags.svg !== undefined) refuseInput(system, flags.svg, [...args.file, flags.typesDb, flags.authFile]);
    const names = namesLike(series);
    const shift = readSpan(flags.compare, "--compare");
    const most = shift === undefined ? maxCurves : maxCurves / 2;
    const types = readTypes(system, flags.typesDb);
    const meters = createMeters();
    const curves = new Map<string, { readonly curve: Curve; readonly labels: Labels }>();

    function curveOf(reading: Series, labels: Labels): Curve | undefined {
      if (!names.has(labels)) return undefined;
      const { kind } = labels;
      const key = sourceKey(labels);
      let known = curves.get(key);
      if (known === undefined) {
        const limits = typeSource(types, labels.type, labels.ds_name);
        const options = { name: sourceName(labels), unit: unitOf(types, labels.type, kind), kind, limits };
        known = { curve: createCurve(options, meters), labels };
        curves.set(key, known);
      }
      known.curve.interval = intervalOf(reading.interval);
      if (curves.size > most) {
        const hint = "Use a narrower --series pattern.";
        throw new UsageError(`'${series.join("' '")}' matches more than ${most} series`, hint);
      }
      return known.curve;
    }

    const chosen = selection(flags, system.now());
    const { since: from, until: to } = chosen.timeRange;
    const [since, until] = [from, to].map((time) => time && nearestSeconds(time));
    const latest = until ?? system.now().getTime() / 1000;
    const earliest = from && { ...from, seconds: from.seconds - (shift ?? 0) };
    const selected = { ...chosen, timeRange: { since: earliest, until: to } };
    const hasSeries = (one: Named) => selected.filter?.(one) !== false && names.hasAny(one);
    const handle = readValues(
      {
        sourceOf: curveOf,
        value: (curve, sample) => {
          if (curve === undefined) return;
          if (shift !== undefined && since === undefined && curve.points.length >= 2 * maxPoints) forget(curve, shift);
          addPointUpTo(latest, curve, meters, sample, maxPoints);
        },
      },
      { lenient, ...selected, wanted: names.hasAny },
    );
    const wanted = { ...selected, filter: hasSeries };
    const read = await readInputs({ system, out }, args.file, { flags, handle, wanted });
    if (curves.size === 0) throw read.failure ?? names.noneFound();
    const { drawn: found, warning } = upToNow([...curves.values()]);
    if (warning !== undefined) out.warn(warning);
    const nameOf = namer(found.map(({ labels }) => labels));
    const sorted = found
      .map(({ curve, labels }) => ({ ...curve, name: nameOf(labels) }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    sorted.forEach(finish);
    const afterGap = since === undefined && shift === undefined ? timeAfterGap(sorted) : undefined;
    if (afterGap !== undefined) {
      const start = instantText({ seconds: Math.floor(afterGap), nanos: 0 });
      out.warn(`Old readings take nine tenths of the axis; --since ${start} plots what follows them`);
    }
    let drawn: Curve[] = sorted;
    if (shift !== undefined) {
      const last = Math.max(...sorted.map(({ lastTime }) => lastTime));
      // Without readings since then, the time before is that until now.
      const to = until ?? (since === undefined || last >= since ? last + 0.001 : system.now().getTime() / 1000);
      const compared = { from: since ?? last - shift, to, shift };
      drawn = sorted.flatMap((curve) => compare(curve, compared, `${curve.name} ${flags.compare} before`));
      if (drawn.length > 0 && drawn.every(({ summary }, index) => index % 2 === 0 || summary.count === 0))
        out.warn(`No readings from ${flags.compare} before`);
    }
    if (flags.svg !== undefined) {
      await withSink(system, flags.svg, async (sink) => sink.write(utf8Bytes(svgPlot(drawn, { utc, stack }))));
      if (flags.svg !== "-") out.note(`Wrote ${drawn.length} series to ${flags.svg}`);
    } else if (drawn.length > 0) {
      const size = { width: flags.width ?? out.width, height: flags.height ?? 12 };
      await out.raw(textPlot(drawn, { ...size, utc, stack, paint: out.palette }));
    }
    warnLate(out, meters.late(), args.file, " in rates");
    if (read.failure !== undefined) throw read.failure;
    return read.skipped > 0 ? "invalid" : undefined;
  },
});
