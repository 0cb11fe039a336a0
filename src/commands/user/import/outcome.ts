import { column } from "../../../output/table.ts";
import { type Infer, integer, list, map, optional, record, string, words } from "../../../shape/shape.ts";
import { type FieldValue, importFields, type Row } from "./rows.ts";

/** The planned or actual outcome of one row of an import. */
export const outcome = record({
  line: integer,
  username: string,
  /** `unknown`: the user may have been created; only `--resume` can find out. */
  action: words(
    ...([
      "create",
      "update",
      "unchanged",
      "skip",
      "invalid",
      "created",
      "updated",
      "skipped",
      "failed",
      "unknown",
    ] as const),
  ),
  /** Old and new values by field. */
  changes: optional(map(list(string))),
  reason: optional(string),
});

export type Outcome = Infer<typeof outcome>;

/** What to do with a user that already exists. */
export type OnExisting = "skip" | "update" | "fail";

export const alreadyExists = "user already exists";
export const takenByOrganization = "name is taken by an organization";

export const missingPassword = "missing password (add a password column or pass --generate-passwords)";

/** Whether the account of a row signs in with a password of the server. */
export function isLocalAccount({ fields }: Row): boolean {
  return Number(fields["source_id"] ?? 0) === 0;
}

/** Whether a new user of a row would have no password. `generates`: those that are missing are generated. */
export function lacksPassword(row: Row, generates: boolean): boolean {
  return isLocalAccount(row) && row.fields["password"] === undefined && !generates;
}

/** The columns of a table of outcomes. */
export const outcomeColumns = [
  column<Outcome>("LINE", "line"),
  column<Outcome>("NAME", "username"),
  column<Outcome>("ACTION", "action"),
  column<Outcome>("DETAILS", "changes", { cell: detailsOf, flexible: true }),
];

/** The changes and the reason as one line. */
export function detailsOf({ changes, reason }: Pick<Outcome, "changes" | "reason">): string {
  const changed = Object.entries(changes ?? {}).map(([name, [before, after]]) => `${name}: ${before} → ${after}`);
  return [...changed, ...(reason === undefined ? [] : [reason])].join(", ");
}

const planned: Readonly<Record<string, string>> = { create: "to create", update: "to update", skip: "to skip" };

/** A summary line of the number of outcomes by action: `2 created, 1 failed`. */
export function summary(counts: ReadonlyMap<string, number>): string {
  const parts = [...counts].map(([action, count]) => `${count} ${planned[action] ?? action}`);
  return parts.length === 0 ? "Nothing to do" : parts.join(", ");
}

/** The fields of a user record that an import can change. */
export type UserFields = Readonly<Record<string, unknown>>;

/** Old and new values of the fields that a row would change, as far as the user record shows them, and a new password. */
export function changedFields(row: Row, user: UserFields): Record<string, readonly string[]> {
  const changes: Record<string, readonly string[]> = {};
  for (const [name, value] of editable(row)) {
    const recordField = importFields[name]?.recordField;
    if (recordField !== undefined) {
      const before = user[recordField];
      if (!isSame(name, String(before), String(value))) changes[name] = [String(before), String(value)];
    } else if (name === "password") changes[name] = ["unknown", "new password"];
  }
  return changes;
}

/** The fields of a row that no user record shows: they are sent each time, and are no change that can be foreseen. */
export function unseenFields(row: Row): string[] {
  return editable(row).flatMap(([name]) => (name === "password" || importFields[name]?.recordField ? [] : [name]));
}

/** What is said of a row that sets such fields alone. */
export function unseenReason(names: readonly string[]): string {
  return `sets ${names.join(", ")}, which the server does not show`;
}

/** The fields of a row that an existing user gets. */
function editable(row: Row): [string, FieldValue][] {
  return Object.entries(row.fields).filter(([name]) => {
    const field = importFields[name];
    return field?.operation !== "create" && (field?.ofPassword !== true || row.fields["password"] !== undefined);
  });
}

/** Servers keep an email address if the new one differs in case only (docs/server-differences.md, Users: accounts). */
function isSame(name: string, before: string, value: string): boolean {
  return name === "email" ? before.toLowerCase() === value.toLowerCase() : before === value;
}
