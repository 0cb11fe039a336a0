import { close, existsSync, fsync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync, write } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { privateFolder } from "./folders.ts";

/** A change of one record; `null` deletes it. */
export type Change = readonly [table: string, key: string, value: unknown];

/** A log of changes on disk. */
export interface Journal {
  /** The changes read from disk, oldest first. */
  readonly before: readonly Change[];
  /** Writes a batch as one line and syncs it to disk. */
  append(batch: readonly Change[]): Promise<void>;
  /** Replaces the journal with a snapshot of all records. */
  compact(everything: readonly Change[]): Promise<void>;
  /** The number of changes a restart would read. */
  readonly length: () => number;
  close(): Promise<void>;
}

const [writeTo, sync, closeFile] = [promisify(write), promisify(fsync), promisify(close)];

/**
 * Opens the journal of a folder. `snapshot.json`, replaced atomically, names the journal that continues it:
 * `journal-N.ndjson`, one batch per line. An incomplete last line was never acknowledged and is dropped.
 */
export async function openJournal(folder: string): Promise<Journal> {
  await privateFolder(folder);
  const snapshot = readSnapshot(join(folder, "snapshot.json"));
  let generation = snapshot.generation;
  const nameOf = (number: number) => `journal-${number}.ndjson`;
  const { batches, length } = readBatches(join(folder, nameOf(generation)));
  for (const name of readdirSync(folder)) {
    if (name.endsWith(".new") || (/^journal-\d+\.ndjson$/.test(name) && name !== nameOf(generation))) {
      rmSync(join(folder, name), { force: true });
    }
  }
  let file = openSync(join(folder, nameOf(generation)), "a", 0o600);
  ftruncateSync(file, length);
  const before = [...snapshot.changes, ...batches.flat()];
  let count = before.length;
  let size = length;

  return {
    before,
    length: () => count,
    async append(batch) {
      const line = Buffer.from(`${JSON.stringify(batch)}\n`);
      try {
        for (let at = 0; at < line.length; ) at += (await writeTo(file, line, at)).bytesWritten;
        await sync(file);
      } catch (error) {
        // Remove a partial line: it would corrupt the next one.
        ftruncateSync(file, size);
        throw error;
      }
      size += line.length;
      count += batch.length;
    },
    async compact(everything) {
      const next = openSync(join(folder, nameOf(generation + 1)), "w", 0o600);
      await sync(next);
      const text = JSON.stringify({ generation: generation + 1, changes: everything });
      await writeWhole(folder, "snapshot.json", text);
      await closeFile(file);
      rmSync(join(folder, nameOf(generation)), { force: true });
      file = next;
      generation += 1;
      size = 0;
      count = everything.length;
    },
    close: () => closeFile(file),
  };
}

interface Snapshot {
  readonly generation: number;
  readonly changes: readonly Change[];
}

function readSnapshot(path: string): Snapshot {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Snapshot) : { generation: 0, changes: [] };
}

/** The complete lines of a journal and their length in bytes. */
function readBatches(path: string): { batches: Change[][]; length: number } {
  if (!existsSync(path)) return { batches: [], length: 0 };
  const bytes = readFileSync(path);
  const length = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.subarray(0, length).toString("utf8").split("\n").slice(0, -1);
  return { batches: lines.map((line) => JSON.parse(line) as Change[]), length };
}

async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  const draft = await open(join(folder, `${name}.new`), "w", 0o600);
  await draft.writeFile(text);
  await draft.sync();
  await draft.close();
  await rename(join(folder, `${name}.new`), join(folder, name));
  // Sync the rename to disk. Windows cannot open folders and does not need this.
  const directory = await open(folder).catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}
