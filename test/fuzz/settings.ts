import { randomFrom } from "../metrics/mutate.ts";

/** The seed and the number of rounds of a fuzzing test: short ones, or those of `npm run fuzz`. */
export interface FuzzSettings {
  readonly seed: number;
  readonly rounds: number;
  /** An integer from 0 to below a number. */
  below(limit: number): number;
  /** One of some values. */
  pick<T>(values: readonly [T, ...T[]]): T;
}

/** The settings of a run; the seed determines all of it. */
export function fuzzSettings(rounds: number): FuzzSettings {
  const seed = Number(process.env["TONGS_FUZZ_SEED"] ?? 1);
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  return {
    seed,
    rounds: Number(process.env["TONGS_FUZZ_ROUNDS"] ?? rounds),
    below,
    pick: ([first, ...more]) => more[below(more.length + 1) - 1] ?? first,
  };
}
