import { closeSync, fstatSync, readdirSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../../failure/disk.ts";
import { stateFolder } from "../../system/base-folders.ts";
import { createFolders, writeAll } from "../../system/files.ts";
import { type Lock, lock } from "../../system/lock.ts";
import { openBeside } from "../../system/open-beside.ts";
import type { System } from "../../system/system.ts";

/** A write that tongs sent. Secrets are masked. */
export interface Entry {
  readonly number: number;
  /** The number of the first write of the same command, if it is not this one. */
  readonly first?: number;
  /** When it was sent, RFC 3339. */
  readonly at: string;
  /** The command: `label edit`. */
  readonly command: string;
  readonly host: string;
  readonly profile: string | null;
  /** The username, if it is known. */
  readonly user: string | null;
  /** The administrator who acted as the user (--sudo), null if the name is not known; absent without --sudo. */
  readonly administrator?: string | null;
  readonly method: string;
  /** Path and query below the server's address. */
  readonly path: string;
  readonly body?: unknown;
  /** What was there before, as the undo of the write needs it: null if there was nothing. */
  readonly before?: unknown;
  /** The version of the server, if the undo of the write depends on it. */
  readonly version?: string | undefined;
  /** The status of the response; absent if none arrived. */
  readonly status?: number;
  readonly after?: unknown;
  /** Whether it was undone. */
  readonly undone?: boolean;
}

/** Written in place of text that is too long. */
export const cutMark = "(too long for the journal)";

/** How long entries are kept, in days. */
const keptDays = 90;
const day = 24 * 60 * 60_000;
const dayFile = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;

/** The folder of the journal. */
export function journalFolder(env: System["env"]): string {
  return join(stateFolder(env), "journal");
}

/**
 * Adds lines to the journal, one file a day. Several processes can do so at once: numbers are given under a lock, and a
 * line is appended by one write. Throws an error of the file system.
 */
export function journalWriter({ env, now, sleep, signal }: Pick<System, "env" | "now" | "sleep" | "signal">) {
  const folder = journalFolder(env);
  const file = () => join(folder, `${now().toISOString().slice(0, 10)}.jsonl`);
  let queue: Promise<unknown> = Promise.resolve();
  let isPurged = false;
  let first: number | undefined;

  /** Appends a new entry, and returns its number: the next one. All of a writer are of one command. */
  async function begin(entry: Omit<Entry, "number" | "first">): Promise<number> {
    const turn = queue.then(async () => {
      createFolders(folder, 0o700);
      if (!isPurged) purge(folder, now());
      isPurged = true;
      const release = await locked();
      try {
        const number = nextNumber(folder);
        append(file(), { number, ...(first === undefined ? {} : { first }), ...entry });
        first ??= number;
        return number;
      } finally {
        release();
      }
    });
    queue = turn.catch(() => undefined);
    return turn;
  }

  async function locked(): Promise<() => void> {
    for (let tries = 0; tries < 500; tries += 1) {
      const held = await lock(folder);
      if (held !== undefined) return held.release;
      await sleep(10, signal);
    }
    throw new Error("another process holds its lock");
  }

  return { begin, add: (line: Partial<Entry> & { readonly number: number }) => append(file(), line) };
}

/**
 * Claims the writes of a command, by the number of its first one, until it is released or the process ends; undefined if they
 * are being undone.
 */
export function claimUndo(first: number, { env }: Pick<System, "env">): Promise<Lock | undefined> {
  return lock(join(journalFolder(env), `undo-${first}`));
}

/** The next number; `last` has the last one, and is written before the entry, so that a number is never used twice. */
function nextNumber(folder: string): number {
  const path = join(folder, "last");
  const stored = Number(readIfThere(path)?.trim() ?? "");
  const last =
    Number.isSafeInteger(stored) && stored > 0
      ? stored
      : readLines(folder).reduce((most, { number }) => Math.max(most, number), 0);
  writeFileSync(path, `${last + 1}\n`, { mode: 0o600 });
  return last + 1;
}

function append(path: string, line: object): void {
  const file = openBeside(path, "a", 0o600);
  try {
    // A full disk may have left a line without its end.
    const { size } = fstatSync(file);
    const end = Buffer.alloc(1);
    if (size > 0) readSync(file, end, 0, 1, size - 1);
    const isCut = size > 0 && end[0] !== 0x0a;
    writeAll(file, Buffer.from(`${isCut ? "\n" : ""}${JSON.stringify(line)}\n`));
  } finally {
    closeSync(file);
  }
}

/** Deletes the files of days that are too old. */
function purge(folder: string, now: Date): void {
  for (const { name, date } of dayFiles(folder)) {
    if (now.getTime() - date.getTime() > keptDays * day) rmSync(join(folder, name), { force: true });
  }
}

function dayFiles(folder: string): { readonly name: string; readonly date: Date }[] {
  try {
    const names = readdirSync(folder).toSorted();
    return names.flatMap((name) => {
      const date = dayFile.exec(name)?.[1];
      return date === undefined ? [] : [{ name, date: new Date(date) }];
    });
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

type Line = Partial<Entry> & { readonly number: number };

/** The entries of the journal that are not too old, oldest first. A damaged line is left out. */
export function readEntries({ env, now }: Pick<System, "env" | "now">): Entry[] {
  const found = new Map<number, Line>();
  for (const line of readLines(journalFolder(env))) found.set(line.number, { ...found.get(line.number), ...line });
  const oldest = now().getTime() - keptDays * day;
  return [...found.values()].filter(isEntry).filter(({ at }) => Date.parse(at) >= oldest);
}

function readLines(folder: string): Line[] {
  return dayFiles(folder).flatMap(({ name }) =>
    (readIfThere(join(folder, name)) ?? "").split("\n").flatMap((text) => {
      const line = parsed(text);
      return isLine(line) ? [line] : [];
    }),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isLine(value: unknown): value is Line {
  return typeof value === "object" && value !== null && "number" in value && Number.isSafeInteger(value.number);
}

function isEntry(line: Line): line is Entry {
  const { at, command, host, method, path } = line;
  return [at, command, host, method, path].every((field) => typeof field === "string");
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
