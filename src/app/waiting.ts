import { mismatch } from "../shape/mismatch.ts";
import { type Infer, integer, map, record, string } from "../shape/shape.ts";
import type { System } from "../system/system.ts";
import { readState, writeState } from "./state-file.ts";

const file = "waiting.json";

/** How much waits for the user, as `tongs status` last saw it: numbers only, no titles. */
const stored = record({
  /** When the servers were asked, RFC 3339. */
  at: string,
  /** How many items of each kind: `review_requested`, `assigned`, `failing`, `notification`. */
  counts: map(integer),
});

export type Waiting = Infer<typeof stored>;

/** Keeps the numbers, in `waiting.json` in the state folder. A folder that cannot be written to is no error. */
export function keepWaiting(system: Pick<System, "env" | "now">, counts: Readonly<Record<string, number>>): void {
  try {
    writeState(system, file, { at: system.now().toISOString(), counts });
  } catch {
    // They are asked for again.
  }
}

/** The numbers that were kept last; undefined if there are none that can be read. */
export function keptWaiting(system: Pick<System, "env">): Waiting | undefined {
  const value = readState(system, file);
  return mismatch(stored, value) === undefined ? (value as Waiting) : undefined;
}
