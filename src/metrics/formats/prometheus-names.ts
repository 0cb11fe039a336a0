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

/**
 * The labels of write_prometheus: the host is `instance`, and the instances are named after the plugin and `type`. Empty ones
 * are left out. No name occurs twice: that of a plugin called `type`, `instance` or `__name` gets `plugin_` before it.
 */
export function labelPairs(reading: Identified): (readonly [name: string, value: string])[] {
  const plugin = displayText(partOf(reading, "plugin"))
    .replace(/[^a-zA-Z0-9_]/g, "_")
    .replace(/^(?=\d)|^$/, "_")
    .replace(/^(?=(?:type|instance)$|__)/, "plugin_");
  const instance = partOf(reading, "plugin_instance");
  const pairs: (readonly [string, string])[] = [
    [plugin, instance],
    [instance === "" ? plugin : "type", partOf(reading, "type_instance")],
    ["instance", partOf(reading, "host")],
  ];
  return pairs.flatMap(([name, value]) => (value === "" ? [] : [[name, displayText(value)] as const]));
}
