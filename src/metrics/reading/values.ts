/** Types of data sources. */
export type SourceKind = "counter" | "gauge" | "derive" | "absolute";

/** A double as the shortest text that parses to the same value; also `-0`, `NaN` and `Infinity`. */
export function doubleText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** A value in JSON: 64-bit integers, NaN and the infinities are strings, because it has no such numbers. */
export function printable(value: number | bigint): number | string {
  if (typeof value === "bigint") return value.toString();
  return Number.isFinite(value) ? value : doubleText(value);
}
