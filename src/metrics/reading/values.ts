/** Types of data sources. */
export type SourceKind = "counter" | "gauge" | "derive" | "absolute";

/** A double as the shortest text that parses to the same value; also `-0`, `NaN` and `Infinity`. */
export function doubleText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
