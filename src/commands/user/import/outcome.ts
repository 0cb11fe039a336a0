import { column } from "../../../output/table.ts";
import { type Infer, integer, list, map, optional, record, string, words } from "../../../shape/shape.ts";
import { grouped } from "../../../text/grouped.ts";
import type { Row } from "./rows.ts";

/** The planned or actual outcome of one row of an import. */
export const outcome = record({
  line: integer,
  username: string,
  /** `unknown`: the account may have been created; the next run finds out. */
  action: words(...(["create", "update", "invalid", "created", "updated", "failed", "unknown"] as const)),
  /** Old and new values by field. */
  changes: optional(map(list(string))),
  reason: optional(string),
});

export type Outcome = Infer<typeof outcome>;

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
export function detailsOf({
  changes,
  reason,
}: {
  readonly changes?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly reason?: string | undefined;
}): string {
  const changed = Object.entries(changes ?? {}).map(([name, [before, after]]) => `${name}: ${before} → ${after}`);
  return [...changed, ...(reason === undefined ? [] : [reason])].join(", ");
}

/** The number of outcomes by action: `2 created, 1 failed`. */
export function summary(actions: readonly string[]): string {
  return [...grouped(actions, String)].map(([action, all]) => `${all.length} ${action}`).join(", ");
}

/** The row of an account that was not changed. */
export function outcomeRow(row: Outcome, action: "plan" | "stopped" | "failed", reason = row.reason): Outcome {
  if (action === "plan") return row;
  return { ...row, action: action === "failed" ? "failed" : "invalid", ...(reason === undefined ? {} : { reason }) };
}
