import { type Fields, kind } from "../decode/fields.ts";
import { kindNames, type Series, seriesOf } from "../decode/series.ts";
import { dataSource, type Identified, partOf } from "../reading/identity.ts";
import { fractionText, isUsual } from "../reading/moments.ts";
import { createBlock } from "../wire/block.ts";
import { utf8Bytes } from "../wire/text.ts";
import { requireNanos } from "./check-time.ts";
import type { Output } from "./output.ts";
import type { Printer } from "./printer.ts";
import { familyName, isTotal, labelPairs } from "./prometheus-names.ts";
import { createSampleStore, type Samples } from "./samples.ts";
import { writeDouble, writeFraction, writeSigned, writeText, writeUnsigned, writeWhole } from "./write.ts";

interface Family {
  readonly name: string;
  /** See `kind`. */
  readonly kind: number;
  /** Metrics by their labels: OpenMetrics wants the samples of one together, in the order of time. */
  readonly metrics: Map<string, Metric>;
  /** Whether one of its derives is negative. */
  isFalling: boolean;
}

interface Metric {
  readonly family: Family;
  /** Its number in the store of samples. */
  readonly number: number;
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
  // By entry: the number of values, and the metric of each value and type.
  const counts: number[] = [];
  const known: (Metric | undefined)[][] = [];

  function familyOf(series: Series, index: number, which: number, count: number): Family {
    const parts = [partOf(series, "plugin"), partOf(series, "type"), dataSource(series, index, count)];
    const key = JSON.stringify([...parts, which]);
    const found = families.get(key);
    if (found !== undefined) return found;
    const plain = familyName(series, index, count);
    // Different names can become the same, and a counter may also have samples of when it was created.
    let name = plain;
    const ownNames = () => [name, ...(isTotal(which) ? [`${name}_created`] : [])];
    for (let number = 2; ownNames().some((one) => names.has(one)); number += 1)
      name = `${plain}_${kindNames[which]}${number === 2 ? "" : number}`;
    for (const one of ownNames()) names.add(one);
    const family = { name, kind: which, metrics: new Map<string, Metric>(), isFalling: false };
    families.set(key, family);
    return family;
  }

  function metricOf(fields: Fields, index: number, which: number): Metric {
    const series = seriesOf(fields);
    const family = familyOf(series, index, which, fields.count);
    const labels = labelText(series);
    const metric = family.metrics.get(labels) ?? { family, number: store.add() };
    family.metrics.set(labels, metric);
    return metric;
  }

  const print: Printer["print"] = (fields, _tails, entry) => {
    const { count, kinds, high } = fields;
    // What a data source is called depends on the number of values.
    if (counts[entry] !== count) {
      counts[entry] = count;
      known[entry] = [];
    }
    const metrics = known[entry] ?? [];
    for (let index = 0; index < count; index += 1) {
      const which = kinds[index] ?? 0;
      if (which === 0) continue;
      const place = index * kindNames.length + which;
      const metric = metrics[place] ?? metricOf(fields, index, which);
      metrics[place] = metric;
      if (which === kind.derive && (high[index] ?? 0) > 0x7fffffff) metric.family.isFalling = true;
      store.push(metric.number, fields, index, which === kind.gauge);
    }
  };

  let leftOut = 0;

  function end(): void {
    const { view, limit, send, copy } = out;
    for (const { name, kind: which, metrics, isFalling } of families.values()) {
      const sample = `${name}${isTotal(which) ? "_total" : ""}`;
      // The family of a counter is called without the `_total` of its samples; any other is called as they are.
      const type = isFalling ? `${sample} unknown` : `${name} ${isTotal(which) ? "counter" : "gauge"}`;
      out.put(`# TYPE ${type}\n`);
      for (const [labels, metric] of metrics) {
        const line = utf8Bytes(`${sample}${labels} `);
        const prefix = createBlock(line.length);
        prefix.bytes.set(line);
        leftOut += store.each(metric.number, (samples, at) => {
          let to = copy(prefix, 0, line.length, out.at);
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
  return { tail: () => ({ texts: [], tag: 0 }), added, checkTime: requireNanos, print, end, leftOut: () => leftOut };
}

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
