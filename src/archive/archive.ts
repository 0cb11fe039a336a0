import { type FileHandle, open } from "node:fs/promises";
import { type EntryLimit, readDirectory } from "./directory.ts";
import type { Entry } from "./entry.ts";

/** A zip archive on disk, its directory read. */
export interface Archive {
  readonly file: FileHandle;
  /** Bytes of the whole archive. */
  readonly length: number;
  readonly entries: readonly Entry[];
  close(): Promise<void>;
}

/**
 * Opens a zip archive; close it. Throws a `DamagedArchive` when it is none, and an `UnsafeArchive`, before its directory
 * is read, when that says that it has more entries than the limit.
 */
export async function openArchive(path: string, limit: EntryLimit): Promise<Archive> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    return { file, length: size, entries: await readDirectory(file, size, limit), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}
