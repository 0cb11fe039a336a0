import { setImmediate as nextTurn } from "node:timers/promises";
import { openArchive } from "./archive.ts";
import { checkPassed, readContent } from "./content.ts";
import { elsewhere } from "./directory.ts";
import type { Passed } from "./streaming-crc.ts";

/** Entries of an archive that is only checked: each takes some hundred bytes of memory. */
const mostChecked = 4_000_000;

/** How many entries are read at once: two keep zlib's threads and this one busy. */
export const lanes = 4;

/**
 * Reads a whole archive and checks every length and CRC, without writing anything; what has `passed` already is not read
 * again. Throws a `DamagedArchive`.
 */
export async function verifyArchive(
  path: string,
  signal: AbortSignal,
  passed: ReadonlyMap<number, Passed> = new Map(),
): Promise<void> {
  const archive = await openArchive(path, { most: mostChecked, hint: elsewhere });
  try {
    await inLanes(archive.entries, signal, (entry) => {
      // What is encrypted, or packed in a way unknown here, is for other tools to check.
      if (entry.encrypted || (entry.method !== 0 && entry.method !== 8)) return;
      const known = passed.get(entry.offset);
      // Some writers leave the sizes in the local header 0: then nothing of the content was seen.
      if (known?.size === entry.packed && entry.method === 0) return checkPassed(archive, entry, known);
      return readContent(archive, entry, () => undefined, signal);
    });
  } finally {
    await archive.close();
  }
}

/** Works on items, some at once; the first failure ends the others. Lets everything else have a turn now and then. */
export async function inLanes<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void> | undefined,
): Promise<void> {
  let next = 0;
  let failed = false;
  const lane = async () => {
    for (let index = next++; index < items.length && !failed; index = next++) {
      if (index % 64 === 0) await nextTurn();
      if (signal.aborted) throw signal.reason;
      await work(items[index] as T);
    }
  };
  const all = Array.from({ length: Math.min(lanes, items.length) }, () =>
    lane().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  // Every lane has ended before the caller closes or removes what they work on.
  const ended = await Promise.allSettled(all);
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}
