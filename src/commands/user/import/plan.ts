import type { Forge } from "../../../forge/index.ts";
import type { User } from "../../../forge/records/user.ts";
import { NotFoundError } from "../../../http/errors/not-found-error.ts";
import { importFields } from "./fields.ts";
import type { Outcome } from "./outcome.ts";
import type { Row } from "./rows.ts";

/** What to do with an account that is there already. */
export type OnExisting = "skip" | "update" | "fail";

/** The account of that name, or undefined. One that only used to have it is another. */
export async function existing(forge: Forge, username: string): Promise<User | undefined> {
  try {
    const found = await forge.users.get(username);
    return found.login.toLowerCase() === username.toLowerCase() ? found : undefined;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Why a row cannot update what has its name. */
export const isOrganization = "the name belongs to an organization";

/** What would happen with a row. Sends reads only. */
export async function planRow(forge: Forge, row: Row, onExisting: OnExisting): Promise<Outcome> {
  const username = String(row.fields["username"]);
  const account = await existing(forge, username);
  const base = { line: row.line, username };
  if (account === undefined) return { ...base, action: "create" };
  if (onExisting === "fail") return { ...base, action: "invalid", reason: "the account exists already" };
  if (onExisting === "skip") return { ...base, action: "skip", reason: "the account exists already" };
  if (await forge.users.isOrganization(username)) return { ...base, action: "invalid", reason: isOrganization };
  const changes = differences(row, account);
  const named = Object.keys(changes);
  return named.length === 0 ? { ...base, action: "unchanged" } : { ...base, action: "update", changes };
}

/** Old and new values of the fields that a row would change; what the server does not show is listed as unknown. */
export function differences(row: Row, account: User): Record<string, readonly string[]> {
  const changes: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(row.fields)) {
    const field = importFields[name];
    if (field === undefined || field.by === "create") continue;
    if (field.shown === undefined) {
      changes[name] = ["unknown", name === "password" ? "the one given" : String(value)];
      continue;
    }
    const before = (account as unknown as Readonly<Record<string, unknown>>)[field.shown];
    if (String(before) !== String(value)) changes[name] = [String(before), String(value)];
  }
  return changes;
}
