import type { Value } from "../generated/collectd/types.ts";

/** The kinds of values. */
export type SourceKind = "counter" | "gauge" | "derive" | "absolute";

/** The kind of a value, empty when the oneof is unset. */
export function kindOf({ value }: Value): SourceKind | "" {
  return value?.$case ?? "";
}

/** The exact decimal text of an integer value; undefined for gauges and values without a kind. */
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

/** The text of a double: shortest form that reads back the same, `-0`, `NaN`, `Infinity`. */
export function doubleText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** The text of any value; empty when it has no kind. */
export function valueText(value: Value): string {
  return value.value?.$case === "gauge" ? doubleText(value.value.gauge) : (integerOf(value) ?? "");
}
