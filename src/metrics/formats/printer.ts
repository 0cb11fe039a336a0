import type { Fields, Moment } from "../decode/fields.ts";
import type { Tail, TailCache } from "../decode/tail-cache.ts";
import { WireFault } from "../wire/fields.ts";

/** A valid reading that a format cannot represent. */
export class Unrepresentable extends Error {
  override readonly name = "Unrepresentable";
}

/** What an error of printing the message at `start` is to a reader of messages: `Unrepresentable` is bad data. */
export function faultOf(error: unknown, start: number): unknown {
  return error instanceof Unrepresentable ? new WireFault(start, error.message) : error;
}

/**
 * What prints or collects readings. What is the same in all readings of a series is made once, as the texts of a tail; values
 * and time are written as bytes.
 */
export interface Printer {
  /** Makes the texts of a series. Its tag is not negative. */
  readonly tail?: (fields: Fields) => Tail;
  /** Called with the entry of a series; it replaces any earlier series with the same number. */
  readonly added?: (entry: number, fields: Fields) => void;
  /** Throws `Unrepresentable` for a time that the format has no form for. Called before `print`, and before rates and spans. */
  readonly checkTime?: (time: Moment) => void;
  /** Throws `Unrepresentable` if the format has no form for the reading. */
  readonly print: (fields: Fields, tails: TailCache, entry: number) => void;
  /** Prints the end. */
  readonly end?: () => void;
  /** How many values the format has no form for, and were left out. */
  readonly leftOut?: () => number;
}
