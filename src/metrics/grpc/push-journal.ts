import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readSync, rmSync } from "node:fs";
import { diskFailure } from "../../failure/disk.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { readBeside } from "../../system/open-beside.ts";
import { replaceBeside } from "../scratch.ts";

/** The content of the file. */
interface Journal {
  readonly tongs: typeof kind;
  /** The hash of what the push is about. */
  readonly push: string;
  readonly done: number;
}

const kind = "metrics push";

/** Remembers how far a push came, so that it can be resumed. */
export interface PushJournal {
  /** The number of the last message that need not be sent again. */
  readonly start: number;
  /** Writes that nothing was sent yet, so that a push that ends before its first answer can be resumed. */
  readonly begin: () => void;
  /** Writes the number of the last message that was sent. */
  readonly save: (done: number) => void;
  /** Removes the file after the last message. */
  readonly finish: () => void;
}

/** A journal for inputs that cannot be read again, such as a pipe. */
export const noJournal: PushJournal = { start: 0, begin: () => {}, save: () => {}, finish: () => {} };

/**
 * Opens the journal of a push at `path`. `about` is what has to be the same to resume it: the server, the files and what
 * is selected of them. Throws a `Failure` if `resume` is set and there is no journal of this push, and if the file is
 * not a journal.
 */
export function openPushJournal(path: string, about: readonly unknown[], resume: boolean, name: string): PushJournal {
  const push = createHash("sha256").update(JSON.stringify(about)).digest("hex");
  const known = readJournal(path, name);
  if (resume && known === undefined) throw new UsageError(`Nothing to resume: there is no ${name}`);
  if (resume && known?.push !== push)
    throw new UsageError(`${name} is from another push`, "Pass the same server, files and flags as for that push.");
  const start = resume ? (known?.done ?? 0) : 0;
  // One of another push is left to be resumed.
  let exists = known?.push === push;
  function save(done: number): void {
    try {
      replaceBeside(path, Buffer.from(`${JSON.stringify({ tongs: kind, push, done })}\n`));
      exists = true;
    } catch (error) {
      throw diskFailure(error, name, { hint: "The push cannot be resumed from here." }) ?? error;
    }
  }

  return {
    start,
    begin() {
      if (known === undefined || (!resume && exists)) save(0);
    },
    save,
    finish() {
      if (exists) rmSync(path, { force: true });
    },
  };
}

// A reading with its time: two recordings do not start alike.
const startSize = 256;

/**
 * The first bytes of a file, which tell a recording from the one that was there before a rotation, and stay the same while
 * it grows. Empty for a file that cannot be read: that is reported when it is.
 */
export function startOf(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(startSize);
      return bytes.subarray(0, readSync(file, bytes, 0, startSize, 0)).toString("base64");
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (diskFailure(error) === undefined) throw error;
    return "";
  }
}

function readJournal(path: string, name: string): Journal | undefined {
  if (!existsSync(path)) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(readBeside(path).toString());
  } catch (error) {
    throw diskFailure(error, name) ?? notOurs(name);
  }
  const { tongs, push, done } = (read ?? {}) as Partial<Journal>;
  if (tongs !== kind || typeof push !== "string" || !Number.isSafeInteger(done)) throw notOurs(name);
  return read as Journal;
}

function notOurs(name: string): Failure {
  return new Failure("not_a_journal", `${name} exists, but is not the journal of a push`, {
    hint: "Move it away.",
  });
}
