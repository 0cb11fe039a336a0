import { inverseOf, leftNothing } from "../../app/journal/inverse.ts";
import { type Entry, readEntries } from "../../app/journal/store.ts";
import { wholeNumber } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { actorLabel } from "../../profiles/server.ts";
import { anything, boolean, integer, nullable, optional, record, string, time } from "../../shape/shape.ts";
import type { System } from "../../system/system.ts";

/** A write in the journal. */
export const entryShape = record({
  number: integer,
  /** The number of the first write of the same command. */
  first: integer,
  at: time,
  command: string,
  host: string,
  profile: nullable(string),
  user: nullable(string),
  /** The administrator who acted as the user. */
  administrator: optional(nullable(string)),
  method: string,
  path: string,
  body: optional(anything),
  before: optional(anything),
  version: optional(string),
  status: optional(integer),
  after: optional(anything),
  undone: boolean,
  undoable: boolean,
  /** Why it cannot be undone. */
  reason: nullable(string),
  /** Whether all requests of its command can be undone that left anything; otherwise some can, with --only. */
  command_undoable: boolean,
});

/** An entry as it is printed. */
export type ShownEntry = ReturnType<typeof shownEntries>[number];

/** Entries as they are printed; those of whole commands. */
export function shownEntries(entries: readonly Entry[]) {
  const shown = entries.map((entry) => {
    const inverse = inverseOf(entry);
    const reason = typeof inverse === "string" ? inverse : null;
    const lasts = reason !== null && !leftNothing(entry, reason);
    const undone = entry.undone === true;
    return { lasts, entry: { ...entry, first: firstOf(entry), undone, undoable: reason === null, reason } };
  });
  const lasting = new Set(shown.filter(({ lasts }) => lasts).map(({ entry }) => entry.first));
  const undoable = new Set(shown.filter(({ entry }) => entry.undoable).map(({ entry }) => entry.first));
  return shown.map(({ entry }) => ({
    ...entry,
    command_undoable: undoable.has(entry.first) && !lasting.has(entry.first),
  }));
}

/** The entry of a number among those of its command, as it is printed. */
export function shownEntry({ number }: Entry, entries: readonly Entry[]): ShownEntry {
  const found = shownEntries(entries).find((one) => one.number === number);
  if (found === undefined) throw new Error(`entry ${number} is not among those of its command`);
  return found;
}

/** Whether a request is undone by undoing its command, or how else. */
export function undoWord({ undone, undoable, command_undoable }: ShownEntry): "undone" | "yes" | "--only" | "no" {
  if (undone) return "undone";
  if (!undoable) return "no";
  return command_undoable ? "yes" : "--only";
}

/** Who sent a write: `jonas, by warden`. Empty if that is not known. */
export function actor({ user, administrator }: Pick<Entry, "user" | "administrator">): string {
  return user === null ? "" : actorLabel({ user, ...(administrator === undefined ? {} : { administrator }) });
}

/** The number of the first write of the command that a write is of. */
export function firstOf({ first, number }: Entry): number {
  return first ?? number;
}

/** The writes of the command that an entry is of, newest first. */
export function entriesOfCommand(entry: Entry, system: System): readonly Entry[] {
  return readEntries(system)
    .filter((one) => firstOf(one) === firstOf(entry))
    .toReversed();
}

/** The entry with a number. Throws a `not_found` failure if there is none. */
export function findEntry(typed: string, system: System): Entry {
  const number = wholeNumber(typed.replace(/^#/, ""), "N", 1);
  const found = readEntries(system).find((entry) => entry.number === number);
  if (found !== undefined) return found;
  throw new Failure("not_found", `Entry ${number} not found in the journal`, {
    hint: "List the entries with: tongs journal list",
  });
}
