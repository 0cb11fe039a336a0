/** Sums that are too large for a double, by number, times `small`. Where such a sum was, there is NaN. */
export type LargeSums = number[];

// No number of values makes a sum too large that each is multiplied with this. A power of two changes no digit.
const small = 2 ** -64;

/** The sum with a value added; NaN if it is too large for a double and is kept as number `at` of `large` instead. */
export function addTo(sum: number, value: number, large: LargeSums, at = 0): number {
  const next = sum + value;
  if (Number.isFinite(next)) return next;
  large[at] = (Number.isNaN(sum) ? (large[at] ?? 0) : sum * small) + value * small;
  return Number.NaN;
}

/** What a mean is made of. */
export interface Summed {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** The mean of values that `addTo` added; NaN without any. Rounding does not make it larger than the largest of them. */
export function meanOf({ count, sum, min, max }: Summed, large: LargeSums, at = 0): number {
  if (!Number.isNaN(sum)) return sum / count;
  return Math.min(max, Math.max(min, (large[at] ?? 0) / count / small));
}
