import { column } from "../../../output/table.ts";
import { type Infer, integer, list, map, optional, record, string, words } from "../../../shape/shape.ts";
import { importFields, type Row } from "./rows.ts";

/** What is to happen, or has happened, with one line of an import. */
export const outcome = record({
  line: integer,
  username: string,
  /** `unknown`: the account may have been created, and only `--resume` can find out. */
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
  /** Old and new values by field, as far as they can be read. */
  changes: optional(map(list(string))),
  /** Why. */
  reason: optional(string),
});

export type Outcome = Infer<typeof outcome>;

/** What to do with an account that is there already. */
export type OnExisting = "skip" | "update" | "fail";

/** Why a row cannot update what has its name. */
export const isOrganization = "the name belongs to an organization";

/** An outcome in one line. */
export const columns = [
  column<Outcome>("LINE", (item) => item.line),
  column<Outcome>("NAME", (item) => item.username),
  column<Outcome>("ACTION", (item) => item.action),
  column<Outcome>("DETAILS", details, true),
];

function details({ changes, reason }: Outcome): string {
  const changed = Object.entries(changes ?? {}).map(([name, [before, after]]) => `${name}: ${before} → ${after}`);
  return [...changed, ...(reason === undefined ? [] : [reason])].join(", ");
}

/** The counts of outcomes by action, as one line. */
export function summary(counts: ReadonlyMap<string, number>): string {
  const parts = [...counts].map(([action, count]) => `${count} ${action}`);
  return parts.length === 0 ? "Nothing to do" : parts.join(", ");
}

/** What a plan has to know of an account: the fields that an import can change, by their names in the user record. */
export type Account = Readonly<Record<string, unknown>>;

/** Old and new values of the fields that a row would change; what the server does not show is listed as unknown. */
export function differences(row: Row, account: Account): Record<string, readonly string[]> {
  const changes: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(row.fields)) {
    const field = importFields[name];
    if (field === undefined || field.by === "create") continue;
    if (field.shown === undefined) {
      changes[name] = ["unknown", name === "password" ? "the one given" : String(value)];
      continue;
    }
    const before = account[field.shown];
    if (String(before) !== String(value)) changes[name] = [String(before), String(value)];
  }
  return changes;
}
