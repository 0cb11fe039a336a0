import { anything, list, map, optional, record, string } from "../../shape/shape.ts";

/** A reading as JSON prints it: the canonical JSON of `collectd.types.ValueList`. 64-bit integers are strings. */
export const readingRecord = record({
  values: optional(list(anything)),
  time: optional(anything),
  interval: optional(anything),
  identifier: optional(
    record({
      host: optional(string),
      plugin: optional(string),
      plugin_instance: optional(string),
      type: optional(string),
      type_instance: optional(string),
    }),
  ),
  ds_names: optional(list(string)),
  meta_data: optional(map(anything)),
  invalid_utf8: optional(list(string)),
});
