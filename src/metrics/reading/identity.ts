import { displayText } from "../wire/text.ts";
import type { Reading } from "./codec.ts";

/** The five parts of an identifier, in the order of their field numbers. */
export const identityParts = ["host", "plugin", "plugin_instance", "type", "type_instance"] as const;

/** A part of an identifier. */
export type IdentityPart = (typeof identityParts)[number];

/** A part of the identifier of a reading; empty if it is not set. */
export function partOf(reading: Reading, part: IdentityPart): string {
  return reading.identifier?.[part] ?? "";
}

/** The series name as collectd writes it: `host/plugin-instance/type-instance`, without empty instances. */
export function seriesName(reading: Reading): string {
  const plugin = withInstance(partOf(reading, "plugin"), partOf(reading, "plugin_instance"));
  const type = withInstance(partOf(reading, "type"), partOf(reading, "type_instance"));
  return `${partOf(reading, "host")}/${plugin}/${type}`;
}

function withInstance(name: string, instance: string): string {
  return instance === "" ? name : `${name}-${instance}`;
}

/** Labels that series can be grouped by. */
export const groupKeys = [...identityParts, "ds_name", "kind"] as const;
export type GroupKey = (typeof groupKeys)[number];

/** The labels of a data source. */
export type Labels = Readonly<Record<GroupKey, string>>;

/** The labels of the value at `index` of a reading. */
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

/** The name of a data source: the series name and, unless it is `value`, a colon and the name of the source. */
export function sourceName(labels: Labels): string {
  const plugin = withInstance(labels.plugin, labels.plugin_instance);
  const series = `${labels.host}/${plugin}/${withInstance(labels.type, labels.type_instance)}`;
  return labels.ds_name === "" || labels.ds_name === "value" ? series : `${series}:${labels.ds_name}`;
}
