import type { SourceKind } from "../reading/values.ts";

/** A time in seconds and nanoseconds since 1970. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** The change of a counter between two readings. */
export interface Step {
  /** The increase. */
  readonly change: bigint;
  readonly event?: "wrap" | "reset";
}

/**
 * Computes the change between two readings. A counter that decreases has wrapped at 32 or 64 bits if that makes a small
 * step; otherwise it was reset and increased by its new value. A derive may decrease, but a drop by more than half that
 * stays at or above zero is a reset. An absolute value is itself the increase.
 */
export function stepOf(kind: Exclude<SourceKind, "gauge">, previous: bigint, current: bigint): Step {
  if (kind === "absolute") return { change: current };
  if (kind === "derive") {
    const isReset = previous > 0n && current >= 0n && current * 2n < previous;
    return isReset ? { change: current, event: "reset" } : { change: BigInt.asIntN(64, current - previous) };
  }
  if (current >= previous) return { change: current - previous };
  const range = previous < 2n ** 32n ? 2n ** 32n : 2n ** 64n;
  const wrapped = range - previous + current;
  return wrapped * 4n <= range ? { change: wrapped, event: "wrap" } : { change: current, event: "reset" };
}
