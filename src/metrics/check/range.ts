import { UsageError } from "../../failure/failure.ts";

/** A range of monitoring plugins: values outside it alert, or with `@` those inside. Both ends belong to it. */
export interface AlertRange {
  /** As it was typed. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly inverted: boolean;
}

const number = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`;
const form = new RegExp(`^(@?)(?:(~|${number})?(:))?(${number})?$`);

/** Parses `10`, `10:`, `~:10`, `10:20` or `@10:20`; undefined if it was not given. Throws a usage error. */
export function readRange(typed: string | undefined, flag: string): AlertRange | undefined {
  if (typed === undefined) return undefined;
  const [whole, at = "", start = "0", colon, end] = form.exec(typed) ?? [];
  const from = start === "~" ? Number.NEGATIVE_INFINITY : Number(start);
  const to = end === undefined ? Number.POSITIVE_INFINITY : Number(end);
  if (whole === undefined || (colon === undefined && end === undefined)) {
    const hint =
      "Examples: 10 (0 to 10), 10: (at least 10), '~:10' (at most 10; shells replace ~ outside quotes), 10:20, @10:20 (alerts inside)";
    throw new UsageError(`Invalid range '${typed}' for ${flag}`, hint);
  }
  if (from > to) throw new UsageError(`Invalid range '${typed}' for ${flag}: ${from} is greater than ${to}`);
  return { text: typed, from, to, inverted: at !== "" };
}

/** Whether a value alerts. */
export function alerts({ from, to, inverted }: AlertRange, value: number): boolean {
  return (value >= from && value <= to) === inverted;
}
