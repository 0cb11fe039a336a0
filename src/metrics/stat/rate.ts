import type { SourceKind } from "../reading/values.ts";

/** A moment in seconds and nanoseconds since 1970. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** What became of a count between two readings. */
export interface Step {
  /** By how much it grew. */
  readonly change: bigint;
  readonly event?: "wrap" | "reset";
}

/**
 * The step from one reading of a count to the next, as collectd's kinds are meant. A counter that falls has wrapped at
 * 32 or 64 bits if that makes a small step, else it was reset and grew by what it shows now. A derive may fall; falling
 * by more than half, but not below zero, is taken for a reset. An absolute value is the growth itself.
 */
export function stepOf(kind: Exclude<SourceKind, "gauge">, before: bigint, now: bigint): Step {
  if (kind === "absolute") return { change: now };
  if (kind === "derive") {
    const isReset = before > 0n && now >= 0n && now * 2n < before;
    return isReset ? { change: now, event: "reset" } : { change: BigInt.asIntN(64, now - before) };
  }
  if (now >= before) return { change: now - before };
  const range = before < 2n ** 32n ? 2n ** 32n : 2n ** 64n;
  const wrapped = range - before + now;
  return wrapped * 4n <= range ? { change: wrapped, event: "wrap" } : { change: now, event: "reset" };
}
