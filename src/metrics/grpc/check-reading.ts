import type { Reading } from "../reading/decode-reading.ts";
import { partOf } from "../reading/identity.ts";

/** What collectd answers INVALID_ARGUMENT to, in its own words; undefined for a reading that it takes. */
export function refusalOf(reading: Reading): string | undefined {
  if (partOf(reading, "host") === "") return "missing host name";
  if (partOf(reading, "plugin") === "") return "missing plugin name";
  if (partOf(reading, "type") === "") return "missing type name";
  if (reading.values.some(({ value }) => value === undefined)) return "unknown value type";
  if ([...reading.meta_data.values()].some(({ value }) => value === undefined)) return "Metadata of unknown type";
  return undefined;
}
