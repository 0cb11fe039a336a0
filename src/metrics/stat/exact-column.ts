import { kind } from "../decode/fields.ts";
import type { Columns } from "../series/columns.ts";
import { emptySample, exactValue, type Sample } from "../series/samples.ts";

/** Adds a column of values to a table, exact for doubles and for integers of 64 bits; a row has none at first. It takes 9 bytes a row, where numbers and bigints would be objects. */
export function exactColumn(table: Columns) {
  const kinds = table.bytes();
  const [first, second] = [table.ints(), table.ints()];
  const held = emptySample();
  // The bits of a double.
  const double = new Float64Array(1);
  const halves = new Int32Array(double.buffer);

  function set(row: number, sample: Sample): void {
    kinds.at[row] = sample.kind;
    if (sample.kind === kind.gauge) {
      double[0] = sample.gauge;
      first.at[row] = halves[0] ?? 0;
      second.at[row] = halves[1] ?? 0;
    } else {
      first.at[row] = sample.low;
      second.at[row] = sample.high;
    }
  }

  /** Puts the value of a row into `held`; false without one. */
  function hold(row: number): boolean {
    held.kind = kinds.at[row] ?? 0;
    held.low = first.at[row] ?? 0;
    held.high = second.at[row] ?? 0;
    if (held.kind === kind.gauge) {
      halves[0] = held.low;
      halves[1] = held.high;
      held.gauge = double[0] ?? 0;
    }
    return held.kind !== 0;
  }

  return {
    set,
    get: (row: number) => (hold(row) ? exactValue(held) : undefined),
    /** Whether the row has no value, or this one is less or greater. */
    isBelow: (row: number, sample: Sample) => !hold(row) || compare(sample, held) < 0,
    isAbove: (row: number, sample: Sample) => !hold(row) || compare(sample, held) > 0,
  };
}

/** Compares exactly; without bigints for values of the same kind, which nearly all are. */
function compare(one: Sample, other: Sample): number {
  if (one.kind !== other.kind) {
    const [left, right] = [exactValue(one), exactValue(other)];
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (one.kind === kind.gauge) return one.gauge < other.gauge ? -1 : one.gauge > other.gauge ? 1 : 0;
  const upper = one.kind === kind.derive ? one.high - other.high : (one.high >>> 0) - (other.high >>> 0);
  return upper || (one.low >>> 0) - (other.low >>> 0);
}
