import { displayText } from "../wire/text.ts";

/** The five parts of an identifier, in the order of their field numbers. */
export const identityParts = ["host", "plugin", "plugin_instance", "type", "type_instance"] as const;

/** A part of an identifier. */
export type IdentityPart = (typeof identityParts)[number];

/** Anything with an identifier: a decoded reading, or what the readings of a series have in common. */
export interface Identified {
  readonly identifier?: Readonly<Record<IdentityPart, string>> | undefined;
}

/** The same with the names of data sources. */
export interface Named extends Identified {
  readonly ds_names: readonly string[];
}

/** A part of the identifier of a reading; empty if it is not set. */
export function partOf(reading: Identified, part: IdentityPart): string {
  return reading.identifier?.[part] ?? "";
}

/** The series name as collectd writes it: `host/plugin-instance/type-instance`, without empty instances. */
export function seriesName(reading: Identified): string {
  const plugin = withInstance(partOf(reading, "plugin"), partOf(reading, "plugin_instance"));
  const type = withInstance(partOf(reading, "type"), partOf(reading, "type_instance"));
  return `${partOf(reading, "host")}/${plugin}/${type}`;
}

/** What tells series apart: two may have one name, such as those of plugin `df-a` and of `df` with instance `a`. */
export function seriesKey(reading: Identified): string {
  return JSON.stringify(identityParts.map((part) => partOf(reading, part)));
}

/** The name of a data source; some senders leave names out, so several are `value_1`, `value_2`, and so on. */
export function dataSource({ ds_names }: Named, index: number, count: number): string {
  const name = ds_names[index] ?? "";
  if (name !== "") return name;
  return count === 1 ? "value" : `value_${index + 1}`;
}

function withInstance(name: string, instance: string): string {
  return instance === "" ? name : `${name}-${instance}`;
}

/** Labels that series can be grouped by. */
export const groupKeys = [...identityParts, "ds_name", "kind"] as const;
export type GroupKey = (typeof groupKeys)[number];

/** The labels of a data source. */
export type Labels = Readonly<Record<GroupKey, string>>;

/** The labels of the value at `index` of a reading with so many values. */
export function labelsOf(reading: Named, index: number, count: number, kind: string): Labels {
  return {
    host: displayText(partOf(reading, "host")),
    plugin: displayText(partOf(reading, "plugin")),
    plugin_instance: displayText(partOf(reading, "plugin_instance")),
    type: displayText(partOf(reading, "type")),
    type_instance: displayText(partOf(reading, "type_instance")),
    ds_name: displayText(count === 1 ? (reading.ds_names[index] ?? "") : dataSource(reading, index, count)),
    kind,
  };
}

/** The series name without the host. */
function withoutHost(labels: Labels): string {
  const plugin = withInstance(labels.plugin, labels.plugin_instance);
  return `${plugin}/${withInstance(labels.type, labels.type_instance)}`;
}

/** The name of a data source without its host. */
export function shortName(labels: Labels): string {
  const { ds_name } = labels;
  return ds_name === "" || ds_name === "value" ? withoutHost(labels) : `${withoutHost(labels)}:${ds_name}`;
}

/**
 * The name of a data source in every list, table and plot: `HOST/PLUGIN-INSTANCE/TYPE-INSTANCE:DS`, without empty
 * instances and without `:value`.
 */
export function sourceName(labels: Labels): string {
  return `${labels.host}/${shortName(labels)}`;
}

/** What tells data sources apart. */
export function sourceKey(labels: Labels): string {
  return JSON.stringify(groupKeys.map((key) => labels[key]));
}

/** Names data sources as `sourceName` does, without the host if all of them have the same. */
export function namer(all: Iterable<Labels>): (labels: Labels) => string {
  const hosts = new Set<string>();
  for (const { host } of all) {
    hosts.add(host);
    if (hosts.size > 1) return sourceName;
  }
  return shortName;
}

/** The names that a data source is found by: with and without its host, and with and without `:DS`. */
export function searchNames(labels: Labels): readonly string[] {
  const series = withoutHost(labels);
  const names = labels.ds_name === "" ? [series] : [series, `${series}:${labels.ds_name}`];
  return names.flatMap((name) => [name, `${labels.host}/${name}`]);
}
