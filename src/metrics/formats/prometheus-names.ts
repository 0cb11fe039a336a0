import { kind } from "../decode/fields.ts";
import { dataSource, type Identified, type Named, partOf } from "../reading/identity.ts";
import { displayText } from "../wire/text.ts";

/**
 * The name of the metric of a value as collectd's write_prometheus makes it, `collectd_PLUGIN_TYPE_DS`, without the `_total`
 * of those that `isTotal`.
 */
export function familyName(series: Named, index: number, count: number): string {
  const parts = [partOf(series, "plugin"), partOf(series, "type"), dataSource(series, index, count)];
  const [plugin = "", type = "", source = ""] = parts.map(displayText);
  const words = ["collectd", plugin, ...(type === plugin ? [] : [type]), ...(source === "value" ? [] : [source])];
  return words
    .join("_")
    .replace(/[^a-zA-Z0-9_:]/g, "_")
    .replace(/_total$/, "");
}

/** Whether the names of values of a kind (see `kind`) end in `_total`: counters and derives. */
export function isTotal(which: number): boolean {
  return which === kind.counter || which === kind.derive;
}

const reserved = new Set(["type", "instance", "__name__"]);

/**
 * The labels of write_prometheus: the host is `instance`, and the instances are named after the plugin and `type`. Empty ones
 * are left out.
 */
export function labelPairs(reading: Identified): (readonly [name: string, value: string])[] {
  const plugin = displayText(partOf(reading, "plugin"))
    .replace(/[^a-zA-Z0-9_]/g, "_")
    .replace(/^(?=\d)|^$/, "_");
  const pairs: (readonly [string, string])[] = [
    [plugin, partOf(reading, "plugin_instance")],
    [partOf(reading, "plugin_instance") === "" ? plugin : "type", partOf(reading, "type_instance")],
    ["instance", partOf(reading, "host")],
  ];
  const used = new Set<string>();
  return pairs.flatMap(([label, value]) => {
    if (value === "") return [];
    // A plugin may be called `type` or `instance`.
    const name = used.has(label) || (label === plugin && reserved.has(plugin)) ? `plugin_${label}` : label;
    used.add(name);
    return [[name, displayText(value)] as const];
  });
}
