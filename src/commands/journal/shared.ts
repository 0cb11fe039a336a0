import { inverseOf } from "../../app/journal/inverse.ts";
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
});

/** An entry as it is printed. */
export function shownEntry(entry: Entry) {
  const inverse = inverseOf(entry);
  const reason = typeof inverse === "string" ? inverse : null;
  return { ...entry, first: firstOf(entry), undone: entry.undone === true, undoable: reason === null, reason };
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
