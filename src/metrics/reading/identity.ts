import type { Reading } from "./decode-reading.ts";

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
