import type { Reading } from "../../../src/metrics/reading/codec.ts";
import { dataSource, partOf } from "../../../src/metrics/reading/identity.ts";
import { displayText } from "../../../src/metrics/wire/text.ts";
import { checkTime, fractionText } from "./moments.ts";
import { doubleText, integerOf, kindOf } from "./values.ts";

interface Family {
  readonly name: string;
  readonly kind: string;
  /** Samples by their labels: OpenMetrics wants those of a metric together, in the order of time. */
  readonly metrics: Map<string, { readonly order: number; readonly text: string }[]>;
  isFalling: boolean;
}

/**
 * Collects readings for OpenMetrics text, named as collectd's write_prometheus does: `collectd_PLUGIN_TYPE_DS`. A metric
 * family must not be interleaved with others, so nothing can be printed before the end. Counters and derives become
 * counters, but derives that are negative somewhere have an unknown type, with the same name; gauges and absolute values become gauges.
 */
export function createOpenMetrics() {
  const families = new Map<string, Family>();
  const names = new Set<string>();

  function familyOf(reading: Reading, index: number, kind: string): Family {
    const parts = [
      partOf(reading, "plugin"),
      partOf(reading, "type"),
      dataSource(reading, index, reading.values.length),
    ];
    const key = JSON.stringify([...parts, kind]);
    const known = families.get(key);
    if (known !== undefined) return known;
    const [plugin = "", type = "", source = ""] = parts.map(displayText);
    const words = ["collectd", plugin, ...(type === plugin ? [] : [type]), ...(source === "value" ? [] : [source])];
    const plain = words
      .join("_")
      .replace(/[^a-zA-Z0-9_:]/g, "_")
      .replace(/_total$/, "");
    // Different names can become the same.
    let name = plain;
    const ends = kind === "counter" || kind === "derive" ? ["", "_total", "_created"] : [""];
    for (let number = 2; ends.some((end) => names.has(`${name}${end}`)); number += 1)
      name = `${plain}_${kind || "unknown"}${number === 2 ? "" : number}`;
    for (const end of ends) names.add(`${name}${end}`);
    const family = { name, kind, metrics: new Map(), isFalling: false };
    families.set(key, family);
    return family;
  }

  /** Throws `Unrepresentable` for invalid nanoseconds. */
  function add(reading: Reading): void {
    checkTime(reading.time);
    reading.values.forEach((value, index) => {
      const kind = kindOf(value);
      if (kind === "") return;
      const family = familyOf(reading, index, kind);
      const text = value.value?.$case === "gauge" ? numberText(value.value.gauge) : (integerOf(value) ?? "");
      if (kind === "derive" && text.startsWith("-")) family.isFalling = true;
      const labels = labelText(reading);
      const samples = family.metrics.get(labels) ?? [];
      family.metrics.set(labels, samples);
      const seconds = reading.time?.seconds.toNumber() ?? 0;
      const time = reading.time === undefined ? "" : ` ${timeText(seconds, reading.time.nanos)}`;
      samples.push({ order: seconds + (reading.time?.nanos ?? 0) / 1e9, text: `${text}${time}` });
    });
  }

  function* print() {
    for (const { name, kind, metrics, isFalling } of families.values()) {
      const isTotal = kind === "counter" || kind === "derive";
      const sample = isTotal ? `${name}_total` : name;
      yield isFalling ? `# TYPE ${sample} unknown\n` : `# TYPE ${name} ${isTotal ? "counter" : "gauge"}\n`;
      for (const [labels, samples] of metrics) {
        samples.sort((one, other) => one.order - other.order);
        // With a time each, or none.
        const timed = samples.filter(({ text }) => text.includes(" "));
        for (const { text } of timed.length > 0 ? timed : samples) yield `${sample}${labels} ${text}\n`;
      }
    }
    yield "# EOF\n";
  }

  return { add, print };
}

function timeText(seconds: number, nanos: number): string {
  if (seconds < 0 && nanos > 0) return `-${Math.abs(seconds) - 1}${fractionText(1_000_000_000 - nanos)}`;
  return `${seconds}${fractionText(nanos)}`;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? doubleText(value) : value > 0 ? "+Inf" : "-Inf";
}

/** The labels of write_prometheus: the host is `instance`, and the instances are named after the plugin and `type`. */
function labelText(reading: Reading): string {
  const plugin = displayText(partOf(reading, "plugin"))
    .replace(/[^a-zA-Z0-9_]/g, "_")
    .replace(/^(?=\d)|^$/, "_")
    .replace(/^(type|instance|__.*)$/, "plugin_$1");
  const pairs: (readonly [string, string])[] = [
    [plugin, partOf(reading, "plugin_instance")],
    [partOf(reading, "plugin_instance") === "" ? plugin : "type", partOf(reading, "type_instance")],
    ["instance", partOf(reading, "host")],
  ];
  const texts = pairs.flatMap(([name, value]) => {
    if (value === "") return [];
    return [`${name}="${displayText(value).replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`];
  });
  return texts.length === 0 ? "" : `{${texts.join()}}`;
}
