import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "../profiles/files.ts";
import { mismatch } from "../shape/mismatch.ts";
import { type Infer, integer, map, record, string } from "../shape/shape.ts";
import { createFolders } from "../system/files.ts";
import type { System } from "../system/system.ts";

/** How much waits for the user, as `tongs status` last saw it: numbers only, no titles. */
const stored = record({
  /** When the servers were asked, RFC 3339. */
  at: string,
  /** How many items of each kind: `review_requested`, `assigned`, `failing`, `notification`. */
  counts: map(integer),
});

export type Waiting = Infer<typeof stored>;

/** Keeps the numbers, in `waiting.json` in the state folder (0600). A folder that cannot be written to is no error. */
export function keepWaiting({ env, now }: Pick<System, "env" | "now">, counts: Readonly<Record<string, number>>): void {
  const folder = stateFolder(env);
  const path = join(folder, "waiting.json");
  const part = `${path}.${randomUUID()}.part`;
  try {
    createFolders(folder, 0o700);
    writeFileSync(part, `${JSON.stringify({ at: now().toISOString(), counts })}\n`, { mode: 0o600, flag: "wx" });
    renameSync(part, path);
  } catch {
    rmSync(part, { force: true });
  }
}

/** The numbers that were kept last; undefined if there are none that can be read. */
export function keptWaiting({ env }: Pick<System, "env">): Waiting | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(stateFolder(env), "waiting.json"), "utf8"));
    return mismatch(stored, value) === undefined ? (value as Waiting) : undefined;
  } catch {
    return undefined;
  }
}
