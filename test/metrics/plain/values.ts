import type { Value } from "../../../src/metrics/generated/collectd/types.ts";

/** Types of data sources. */
export type SourceKind = "counter" | "gauge" | "derive" | "absolute";

/** The type of a value, empty if the oneof is not set. */
export function kindOf({ value }: Value): SourceKind | "" {
  return value?.$case ?? "";
}

/** An integer value as decimal text; undefined for gauges and values without a type. */
export function integerOf({ value }: Value): string | undefined {
  switch (value?.$case) {
    case "counter":
      return value.counter.toString();
    case "derive":
      return value.derive.toString();
    case "absolute":
      return value.absolute.toString();
    default:
      return undefined;
  }
}

/** A double as the shortest text that parses to the same value; also `-0`, `NaN` and `Infinity`. */
export function doubleText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** A value as text; empty if it has no type. */
export function valueText(value: Value): string {
  return value.value?.$case === "gauge" ? doubleText(value.value.gauge) : (integerOf(value) ?? "");
}
