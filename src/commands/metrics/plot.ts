import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineCommand } from "../../app/define.ts";
import { many } from "../../command/args.ts";
import { integer, text, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { readInputs } from "../../metrics/inputs.ts";
import { addPoint, type Curve, createCurve } from "../../metrics/plot/curve.ts";
import { svgPlot } from "../../metrics/plot/svg-plot.ts";
import { textPlot } from "../../metrics/plot/text-plot.ts";
import { labelsOf, sourceName } from "../../metrics/reading/identity.ts";
import { wildcard } from "../../metrics/reading/select.ts";
import type { SourceKind } from "../../metrics/reading/values.ts";
import { readValues } from "../../metrics/stat/read-values.ts";
import { readingFlags, selection } from "./selection.ts";

// More do not fit on a screen.
const maxCurves = 16;

export const plot = defineCommand({
  summary: "Plot series of collectd readings",
  details:
    "A series is named host/plugin-instance/type-instance, followed by :NAME for one of several data sources. Gauges are " +
    `plotted as is, counters as rates per second; the line breaks at a counter reset. At most ${maxCurves} series.`,
  on: "nothing",
  effect: "read",
  args: { file: many("files with readings; - is stdin") },
  flags: {
    ...readingFlags,
    series: text("series to plot; * and ? are wildcards", { placeholder: "GLOB" }),
    width: integer("width in columns", { min: 24, max: 1000 }),
    height: integer("height of each plot in lines (default: 12)", { min: 4, max: 200 }),
    svg: text("write an SVG image to a file instead", { placeholder: "FILE" }),
    utc: toggle("show times in UTC instead of local time"),
  },
  exits: { invalid: "bad data", notFound: "no series matches" },
  examples: [
    ["Plot the load of a host", "tongs metrics plot readings.bin --series 'edge-01*/load/*'"],
    [
      "Write an SVG image of network traffic",
      "tongs metrics plot readings.bin --series '*/interface-eth0/if_octets*' --svg traffic.svg",
    ],
  ],
  async run({ system, out, args, flags }) {
    const { series, framing, skipErrors, lenient, utc } = flags;
    if (series === undefined)
      throw new UsageError("Missing required flag --series", "Run tongs metrics stat to list the series.");
    const matches = wildcard(series);
    const curves = new Map<string, { readonly curve: Curve; readonly kind: SourceKind }>();
    const available = new Set<string>();
    const handle = readValues(
      {
        sourceOf: (reading, index, kind) => {
          const name = sourceName(labelsOf(reading, index, kind));
          const isWanted = matches(name) || matches(name.replace(/:[^:/]*$/, ""));
          if (!isWanted || kind === "") {
            if (available.size < 1000) available.add(name);
            return undefined;
          }
          const key = `${kind} ${name}`;
          const known = curves.get(key) ?? { curve: createCurve(name, kind), kind: kind as SourceKind };
          curves.set(key, known);
          if (curves.size > maxCurves) {
            throw new UsageError(
              `'${series}' matches more than ${maxCurves} series`,
              "Use a narrower --series pattern.",
            );
          }
          return known;
        },
        value: (known, value, at) => {
          if (known !== undefined) addPoint(known.curve, known.kind, value, at);
        },
      },
      { lenient, ...selection(flags, system.now()) },
    );
    const read = await readInputs({ system, out }, args.file, {
      framing,
      skipErrors,
      handle,
      loadDecoder: async () => {},
    });
    if (curves.size === 0 && read.failure === undefined) {
      const examples = [...available].sort().slice(0, 10).join("\n");
      const hint = examples === "" ? undefined : `Available series include:\n${examples}`;
      throw new Failure("no_series", "notFound", `No series matches '${series}'`, { hint });
    }
    const drawn = [...curves.values()].map(({ curve }) => curve).sort((one, other) => (one.name < other.name ? -1 : 1));
    if (flags.svg !== undefined) {
      writeFileSync(resolve(system.cwd, flags.svg), svgPlot(drawn, utc));
      out.note(`Wrote ${drawn.length} ${drawn.length === 1 ? "plot" : "plots"} to ${flags.svg}`);
    } else {
      const plotOptions = { width: flags.width ?? out.width, height: flags.height ?? 12, utc, paint: out.palette };
      await out.raw(drawn.map((curve) => textPlot(curve, plotOptions)).join("\n"));
    }
    if (read.failure !== undefined) throw read.failure;
    return read.skipped > 0 ? "invalid" : undefined;
  },
});
