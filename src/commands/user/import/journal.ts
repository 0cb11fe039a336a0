import {
  type About,
  type Entry,
  type JournalFile,
  openJournalFile,
  refuseUnfinished as refuseUnfinishedOf,
  unwrittenJournalFile,
} from "../../../app/rows/journal-file.ts";
import type { KeptCommand } from "./command-line.ts";
import { type Attempt, addAttempt } from "./existing-users.ts";
import type { Outcome } from "./outcome.ts";

/** The journal of an import: when each row was started and its outcome. */
export interface Journal {
  /** The lines of the file that are finished. */
  readonly done: ReadonlySet<number>;
  /** The requests of earlier runs for lines that are not finished. */
  readonly attempts: ReadonlyMap<number, Attempt>;
  /**
   * Records the start of a row; when it resolves the request may be sent. `at` is the server's time, in milliseconds
   * since 1970; `absent` is whether the user did not exist.
   */
  begin(row: {
    readonly line: number;
    readonly username: string;
    readonly at: number | undefined;
    readonly absent: boolean;
  }): Promise<void>;
  /** Records that the server created the user of a line; when it resolves the remaining fields may be sent. */
  created(line: number, id: number): Promise<void>;
  /**
   * Records the outcome of a row, with the ID of the user that it made or found. `unsettled`: the user may have been created
   * although the row failed.
   */
  end(outcome: Outcome, unsettled: boolean, id: number | undefined): Promise<void>;
  finish(): Promise<void>;
  close(): void;
}

const writer = { by: "tongs user import", noun: "import" } as const;

type ImportAbout = Omit<About, "by" | "noun" | "kept"> & { readonly kept: KeptCommand };

/** Throws a usage error for the journal of an unfinished import, with the command that continues it. */
export function refuseUnfinished(path: string, about: Pick<ImportAbout, "host" | "flagOf">, continuing: string): void {
  refuseUnfinishedOf(path, { ...writer, ...about }, continuing);
}

/** Opens the journal of an import, as `openJournalFile`. */
export function openJournal(path: string, about: ImportAbout): Journal {
  return journalOf(openJournalFile(path, { ...about, ...writer }));
}

/** A journal that is read for `resume` and records nothing, for `--dry-run`. */
export function unwrittenJournal(path: string, about: ImportAbout): Journal {
  return journalOf(unwrittenJournalFile(path, { ...about, ...writer }));
}

/** The journal of an import in a file that has other entries, too. */
export function journalOf({ entries, add, finish, close }: JournalFile): Journal {
  return {
    ...restored(entries),
    begin: ({ line, username, at, absent }) => add({ begin: line, username, server: at, absent }),
    created: (line, id) => add({ made: line, id }),
    end({ changes: _changes, ...outcome }, unsettled, id) {
      if (unsettled) return add({ ...outcome, open: true });
      return add(id === undefined || outcome.action === "failed" ? outcome : { ...outcome, id });
    },
    finish,
    close,
  };
}

/** The IDs of the users that earlier runs made or found, by line. */
export function accountsOf(entries: readonly Entry[]): ReadonlyMap<number, number> {
  const accounts = new Map<number, number>();
  for (const { made, line = made, id } of entries)
    if (typeof line === "number" && typeof id === "number") accounts.set(line, id);
  return accounts;
}

/** The state of an interrupted import. */
function restored(entries: readonly Entry[]): Pick<Journal, "done" | "attempts"> {
  const [done, attempts] = [new Set<number>(), new Map<number, Attempt>()];
  for (const entry of entries) {
    const { begin, server, absent, made, id, line } = entry;
    if (typeof begin === "number") {
      const at = typeof server === "number" ? server : undefined;
      attempts.set(begin, addAttempt(attempts.get(begin), { at, absent: absent === true }));
    }
    const attempt = typeof made === "number" ? attempts.get(made) : undefined;
    if (typeof made === "number" && typeof id === "number" && attempt !== undefined)
      attempts.set(made, { ...attempt, id });
    if (typeof line !== "number" || entry["open"] === true) continue;
    attempts.delete(line);
    if (entry["action"] !== "failed") done.add(line);
  }
  return { done, attempts };
}
