import { inverseOf, leftNothing } from "../../app/journal/inverse.ts";
import { type Entry, readEntry, type SentRequest } from "../../app/journal/store.ts";
import { wholeNumber } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { actorLabel } from "../../profiles/server.ts";
import { anything, boolean, integer, list, nullable, optional, record, string, time } from "../../shape/shape.ts";
import type { System } from "../../system/system.ts";

const request = record({
  method: string,
  path: string,
  body: optional(anything),
  before: optional(anything),
  same: optional(list(string)),
  status: optional(integer),
  after: optional(anything),
  undone: boolean,
  undoable: boolean,
  /** Why it cannot be undone, or not all of it. */
  reason: nullable(string),
});

/** A command in the journal. */
export const entryShape = record({
  number: integer,
  at: time,
  command: string,
  line: string,
  about: string,
  host: string,
  profile: nullable(string),
  user: nullable(string),
  /** The administrator who acted as the user. */
  administrator: optional(nullable(string)),
  /** Whether a request of it was refused or got no response. */
  failed: boolean,
  /** Whether something of it can be undone. */
  undoable: boolean,
  /** Why not all of it can be undone. */
  reason: nullable(string),
  requests: list(request),
});

/** An entry as it is printed. */
export type ShownEntry = ReturnType<typeof shownEntry>;

export function shownEntry(entry: Entry) {
  const requests = entry.requests.map((one) => {
    const inverse = inverseOf({ ...one, user: entry.user });
    const undoable = typeof inverse !== "string";
    const reason = undoable ? (inverse.remaining ?? []).join("; ") || null : inverse;
    return { ...one, undone: one.undone === true, undoable, reason };
  });
  const undoable = requests.some((one) => one.undoable);
  const left = requests.filter((one) => one.reason !== null && !(undoable && leftNothing(one, one.reason)));
  const reasons = [...new Set(left.flatMap(({ reason }) => reason ?? []))];
  const reason = reasons.length === 0 ? null : reasons.join("; ");
  return { ...entry, failed: requests.some(isFailed), undoable, reason, requests };
}

/** Whether a request was refused or got no response. */
export function isFailed({ status = 0 }: SentRequest): boolean {
  return status < 100 || status >= 300;
}

/** Whether a command can be undone. */
export function undoWord({ undoable, reason, requests }: ShownEntry): "undone" | "yes" | "partly" | "no" {
  if (undoable) return reason === null ? "yes" : "partly";
  return requests.some(({ undone }) => undone) ? "undone" : "no";
}

/** Who sent it: `jonas, by warden`. Empty if that is not known. */
export function actor({ user, administrator }: Pick<Entry, "user" | "administrator">): string {
  return user === null ? "" : actorLabel({ user, ...(administrator === undefined ? {} : { administrator }) });
}

/** The entry with a number. Throws a `not_found` failure if there is none. */
export function findEntry(typed: string, system: System): Entry {
  const number = wholeNumber(typed.replace(/^#/, ""), "N", 1);
  const found = readEntry(number, system);
  if (found !== undefined) return found;
  throw new Failure("not_found", `Entry ${number} not found in the journal`, {
    hint: "List the entries with: tongs journal list",
  });
}
