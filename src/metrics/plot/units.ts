import type { TypesDb } from "../encode/types-db.ts";

// types.db has no units, but its names say what is measured.
const units: readonly (readonly [RegExp, string])[] = [
  [/octets|bytes|^df$|df_complex|^memory$|^swap$|ps_rss|ps_vm|file_size|^vs_memory$/, "B"],
  [/bitrate|^bits/, "bit"],
  [/percent|^humidity$|^charge_percent$/, "%"],
  [/^temperature$/, "°C"],
  [/frequency|^clock_(?!last|mode|stratum)/, "Hz"],
  [/latency|delay|duration|^ping$|^uptime$|response_time|^time_offset$/, "s"],
  [/^voltage$/, "V"],
  [/^current$/, "A"],
  [/^power$/, "W"],
];

/** The unit of a data source, ` B/s` or empty, for types that types.db has. A rate without another unit is `/s`. */
export function unitOf(types: TypesDb | undefined, type: string, kind: string): string {
  const rate = kind === "gauge" ? "" : "/s";
  if (types?.get(type) === undefined) return rate;
  const [, unit = ""] = units.find(([pattern]) => pattern.test(type)) ?? [];
  return unit === "" ? rate : ` ${unit}${rate}`;
}
