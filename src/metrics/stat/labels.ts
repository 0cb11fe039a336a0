import type { Reading } from "../reading/decode-reading.ts";
import { partOf } from "../reading/identity.ts";
import { shownText } from "../wire/raw-text.ts";
import type { Labels } from "./groups.ts";

/** Whose value the one at `index` of a reading is. */
export function labelsOf(reading: Reading, index: number, kind: string): Labels {
  return {
    host: shownText(partOf(reading, "host")),
    plugin: shownText(partOf(reading, "plugin")),
    plugin_instance: shownText(partOf(reading, "plugin_instance")),
    type: shownText(partOf(reading, "type")),
    type_instance: shownText(partOf(reading, "type_instance")),
    ds_name: shownText(reading.ds_names[index] ?? ""),
    kind,
  };
}

/** The name of one data source of a series: collectd's name of the series, `:`, and the source's, unless it is `value`. */
export function sourceName(labels: Labels): string {
  const join = (name: string, instance: string) => (instance === "" ? name : `${name}-${instance}`);
  const plugin = join(labels.plugin, labels.plugin_instance);
  const series = `${labels.host}/${plugin}/${join(labels.type, labels.type_instance)}`;
  return labels.ds_name === "" || labels.ds_name === "value" ? series : `${series}:${labels.ds_name}`;
}
