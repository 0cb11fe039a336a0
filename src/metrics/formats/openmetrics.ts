import { type Fields, kind } from "../decode/fields.ts";
import { kindNames, type Series, seriesOf } from "../decode/series.ts";
import { dataSource, type Identified, partOf } from "../reading/identity.ts";
import { fractionText, isUsual } from "../reading/moments.ts";
import { createLabelTable } from "../stat/label-table.ts";
import { createBlock } from "../wire/block.ts";
import { requireNanos } from "./check-time.ts";
import type { Output } from "./output.ts";
import type { Printer } from "./printer.ts";
import { familyName, isTotal, labelPairs } from "./prometheus-names.ts";
import { createSampleStore, type Samples } from "./samples.ts";
import { writeDouble, writeFraction, writeSigned, writeText, writeUnsigned, writeWhole } from "./write.ts";

interface Family {
  readonly name: string;
  readonly plugin: string;
  /** See `kind`. */
  readonly kind: number;
  /** Its place among the families, as text. */
  readonly number: string;
  /** The numbers of its metrics: OpenMetrics wants the samples of one together, in the order of time. */
  readonly metrics: number[];
  /** Whether one of its derives is negative. */
  isFalling: boolean;
}

/**
 * Collects readings for OpenMetrics text, named as collectd's write_prometheus does: `collectd_PLUGIN_TYPE_DS`. A metric
 * family must not be interleaved with others, so nothing can be printed before the end. Counters and derives become
 * counters, but derives that are negative somewhere have an unknown type, with the same name; gauges and absolute values
 * become gauges.
 */
export function createOpenMetricsPrinter(out: Output): Printer {
  const families = new Map<string, Family>();
  const names = new Set<string>();
  const store = createSampleStore();
  // By the number of the metric: the family, both instances and the host, by which its labels differ from those of others.
  const table = createLabelTable(4);
  const familyAt: Family[] = [];
  // By entry: the number of values, and the metric of each value and type.
  const counts: number[] = [];
  const known: (number | undefined)[][] = [];

  function familyOf(series: Series, index: number, which: number, count: number): Family {
    const parts = [partOf(series, "plugin"), partOf(series, "type"), dataSource(series, index, count)];
    const key = JSON.stringify([...parts, which]);
    const found = families.get(key);
    if (found !== undefined) return found;
    const plain = familyName(series, index, count);
    // Different names can become the same, and samples of a counter have names of their own.
    let name = plain;
    const ownNames = () => [name, ...(isTotal(which) ? [`${name}_total`, `${name}_created`] : [])];
    for (let number = 2; ownNames().some((one) => names.has(one)); number += 1)
      name = `${plain}_${kindNames[which]}${number === 2 ? "" : number}`;
    for (const one of ownNames()) names.add(one);
    const [plugin = ""] = parts;
    const family = { name, plugin, kind: which, number: String(families.size), metrics: [], isFalling: false };
    families.set(key, family);
    return family;
  }

  function metricOf(fields: Fields, index: number, which: number): number {
    const series = seriesOf(fields);
    const family = familyOf(series, index, which, fields.count);
    const [instance, ofType] = [partOf(series, "plugin_instance"), partOf(series, "type_instance")];
    // One alone is called like the plugin, whichever it is.
    const key = [family.number, instance || ofType, instance === "" ? "" : ofType, partOf(series, "host")];
    const found = table.find(key);
    if (found >= 0) return found;
    const created = table.add(key);
    familyAt[created] = family;
    family.metrics.push(store.add());
    return created;
  }

  const print: Printer["print"] = (fields, _tails, entry) => {
    const { count, kinds, high } = fields;
    // What a data source is called depends on the number of values.
    if (counts[entry] !== count) {
      counts[entry] = count;
      // As long as it gets: room for more takes most of the memory of many series.
      known[entry] = new Array<undefined>(count * kindNames.length);
    }
    const metrics = known[entry] ?? [];
    for (let index = 0; index < count; index += 1) {
      const which = kinds[index] ?? 0;
      if (which === 0) continue;
      const place = index * kindNames.length + which;
      const metric = metrics[place] ?? metricOf(fields, index, which);
      metrics[place] = metric;
      const family = familyAt[metric];
      if (which === kind.derive && (high[index] ?? 0) > 0x7fffffff && family !== undefined) family.isFalling = true;
      store.push(metric, fields, index, which === kind.gauge);
    }
  };

  let leftOut = 0;

  function end(): void {
    const { view, limit, send, copy } = out;
    let prefix = createBlock(1024);
    for (const { name, plugin, kind: which, metrics, isFalling } of families.values()) {
      const sample = `${name}${isTotal(which) ? "_total" : ""}`;
      // The family of a counter is called without the `_total` of its samples; any other is called as they are.
      const type = isFalling ? `${sample} unknown` : `${name} ${isTotal(which) ? "counter" : "gauge"}`;
      out.put(`# TYPE ${type}\n`);
      for (const metric of metrics) {
        const [, plugin_instance = "", type_instance = "", host = ""] = table.labels(metric);
        const labels = labelText({ identifier: { host, plugin, plugin_instance, type: "", type_instance } });
        const line = `${sample}${labels} `;
        if (3 * line.length > prefix.capacity) prefix = createBlock(6 * line.length);
        const { written } = encoder.encodeInto(line, prefix.bytes);
        leftOut += store.each(metric, (samples, at) => {
          let to = copy(prefix, 0, written, out.at);
          if (to > limit) to = send(to);
          to = writeTime(samples, at, view, writeSample(samples, at, which, view, to));
          view.setUint8(to, 0x0a);
          out.at = to + 1;
        });
      }
    }
    out.put("# EOF\n");
  }

  const added = (entry: number) => {
    counts[entry] = -1;
  };
  return { added, checkTime: requireNanos, print, end, leftOut: () => leftOut };
}

const encoder = new TextEncoder();

function writeSample({ doubles, halves }: Samples, at: number, which: number, view: DataView, to: number): number {
  if (which !== kind.gauge) {
    const write = which === kind.derive ? writeSigned : writeUnsigned;
    return write(view, to, halves[2 * at + 1] ?? 0, halves[2 * at] ?? 0);
  }
  const value = doubles[at] ?? 0;
  if (Number.isFinite(value)) return writeDouble(view, to, value);
  return writeText(view, to, Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf");
}

/** Writes the time with the space before it. */
function writeTime(samples: Samples, at: number, view: DataView, to: number): number {
  if (samples.timed[at] === 0) return to;
  view.setUint8(to, 0x20);
  const time = { seconds: samples.seconds[at] ?? 0, nanos: samples.nanos[at] ?? 0 };
  if (isUsual(time)) return writeFraction(view, writeWhole(view, to + 1, time.seconds), time.nanos);
  return writeText(view, to + 1, timeText(time.seconds, time.nanos));
}

function timeText(seconds: number, nanos: number): string {
  if (seconds < 0 && nanos > 0) return `-${Math.abs(seconds) - 1}${fractionText(1_000_000_000 - nanos)}`;
  return `${seconds}${fractionText(nanos)}`;
}

function labelText(reading: Identified): string {
  const texts = labelPairs(reading).map(
    ([name, value]) => `${name}="${value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`,
  );
  return texts.length === 0 ? "" : `{${texts.join()}}`;
}
