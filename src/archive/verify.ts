import { openArchive } from "./archive.ts";
import { checkPassed, forEachEntry, readContent } from "./content.ts";
import { elsewhere } from "./directory.ts";
import type { Passed } from "./streaming-crc.ts";

/** Entries of an archive that is only checked: each takes some hundred bytes of memory. */
const mostChecked = 4_000_000;

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
    await forEachEntry(archive.entries, signal, (entry) => {
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
