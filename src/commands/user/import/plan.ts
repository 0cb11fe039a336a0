import { importFields } from "./fields.ts";
import type { Account, OnServer } from "./on-server.ts";
import type { Outcome } from "./outcome.ts";
import type { Row } from "./rows.ts";

/** What to do with an account that is there already. */
export type OnExisting = "skip" | "update" | "fail";

/** Why a row cannot update what has its name. */
export const isOrganization = "the name belongs to an organization";

/** What would happen with a row. Sends reads only. */
export async function planRow(server: OnServer, row: Row, onExisting: OnExisting): Promise<Outcome> {
  const username = String(row.fields["username"]);
  const base = { line: row.line, username };
  const invalid = (reason: string): Outcome => ({ ...base, action: "invalid", reason });
  const account = await server.accountOf(username);
  if (account !== undefined && onExisting === "fail") return invalid("the account exists already");
  if (account !== undefined && onExisting === "skip") {
    return { ...base, action: "skip", reason: "the account exists already" };
  }
  if (account !== undefined && (await server.isOrganization(username))) return invalid(isOrganization);
  const email = String(row.fields["email"]);
  const owner = await server.ownerOf(email);
  if (owner !== undefined && owner.toLowerCase() !== username.toLowerCase()) {
    return invalid(`${email} is the mail address of ${owner}`);
  }
  if (account === undefined) return { ...base, action: "create" };
  const changes = differences(row, account);
  const named = Object.keys(changes);
  return named.length === 0 ? { ...base, action: "unchanged" } : { ...base, action: "update", changes };
}

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
