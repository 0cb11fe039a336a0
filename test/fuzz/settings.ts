import { type Choices, choicesFrom } from "../support/random.ts";

/** The seed and the number of rounds of a fuzzing test: short ones, or those of `npm run fuzz`. */
export interface FuzzSettings extends Choices {
  readonly seed: number;
  readonly rounds: number;
}

/** The settings of a run; the seed determines all of it. */
export function fuzzSettings(rounds: number): FuzzSettings {
  const seed = Number(process.env["TONGS_FUZZ_SEED"] ?? 1);
  return { seed, rounds: Number(process.env["TONGS_FUZZ_ROUNDS"] ?? rounds), ...choicesFrom(seed) };
}
