import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Removes from an entry what was undone: what a kill leaves between the requests of an undo and their notes. */
export function forgetUndone(state: string, number: number): void {
  const file = join(state, "tongs", "journal", `${number}.jsonl`);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(/\n.*"undone":true.*/g, ""));
}
