import { displayText } from "../wire/text.ts";
import type { Reading } from "./codec.ts";

/** The five texts that name a series, in the order of the wire. */
export const identityParts = ["host", "plugin", "plugin_instance", "type", "type_instance"] as const;

/** One of them. */
export type IdentityPart = (typeof identityParts)[number];

/** The text of one part, empty where the reading has none. */
export function partOf(reading: Reading, part: IdentityPart): string {
  return reading.identifier?.[part] ?? "";
}

/** The series as collectd writes it: `host/plugin-instance/type-instance`, instances only where there are any. */
export function seriesName(reading: Reading): string {
  const plugin = withInstance(partOf(reading, "plugin"), partOf(reading, "plugin_instance"));
  const type = withInstance(partOf(reading, "type"), partOf(reading, "type_instance"));
  return `${partOf(reading, "host")}/${plugin}/${type}`;
}

function withInstance(name: string, instance: string): string {
  return instance === "" ? name : `${name}-${instance}`;
}

/** What series can be told apart by. */
export const groupKeys = [...identityParts, "ds_name", "kind"] as const;
export type GroupKey = (typeof groupKeys)[number];

/** One value of one data source, with the texts that say whose it is. */
export type Labels = Readonly<Record<GroupKey, string>>;

/** Whose value the one at `index` of a reading is. */
export function labelsOf(reading: Reading, index: number, kind: string): Labels {
  return {
    host: displayText(partOf(reading, "host")),
    plugin: displayText(partOf(reading, "plugin")),
    plugin_instance: displayText(partOf(reading, "plugin_instance")),
    type: displayText(partOf(reading, "type")),
    type_instance: displayText(partOf(reading, "type_instance")),
    ds_name: displayText(reading.ds_names[index] ?? ""),
    kind,
  };
}

/** The name of one data source of a series: collectd's name of the series, `:`, and the source's, unless it is `value`. */
export function sourceName(labels: Labels): string {
  const plugin = withInstance(labels.plugin, labels.plugin_instance);
  const series = `${labels.host}/${plugin}/${withInstance(labels.type, labels.type_instance)}`;
  return labels.ds_name === "" || labels.ds_name === "value" ? series : `${series}:${labels.ds_name}`;
}
