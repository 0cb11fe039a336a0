import { Failure } from "../../../failure/failure.ts";
import type { CreateUserOption, EditUserOption } from "../../../forge/admin-users.ts";
import type { Forge } from "../../../forge/index.ts";
import type { User } from "../../../forge/users.ts";
import { DryRun } from "../../../http/debug.ts";
import { InvalidError } from "../../../http/errors.ts";
import { asFailure } from "../../../output/report-failure.ts";
import { type FieldValue, importFields } from "./fields.ts";
import type { Journal } from "./journal.ts";
import { existing } from "./on-server.ts";
import type { Outcome } from "./outcome.ts";
import type { PasswordFile } from "./passwords.ts";
import { differences, isOrganization, type OnExisting } from "./plan.ts";
import type { Row } from "./rows.ts";

/** What applying works with. */
export interface Applying {
  readonly forge: Forge;
  readonly journal: Journal;
  readonly passwords: PasswordFile | undefined;
  readonly onExisting: OnExisting;
  readonly signal: AbortSignal;
}

/** How far the clocks of server and client may differ when a crash left open who made an account, in milliseconds. */
const clockSkew = 5 * 60_000;

/** What a row came to; `noted` is fulfilled when the journal has it. */
export interface Applied {
  readonly row: Row;
  readonly outcome: Outcome;
  readonly noted: Promise<void>;
}

/** Imports one row: begun in the journal before it is sent, ended after the answer. Failures are outcomes. */
export async function applyRow(row: Row, applying: Applying): Promise<Applied> {
  const username = String(row.fields["username"]);
  const base = { line: row.line, username };
  const end = (outcome: Outcome, open: boolean) => {
    const noted = applying.journal.end(outcome, open);
    if (outcome.action !== "created" && !open) applying.passwords?.forget(username);
    return { row, outcome, noted };
  };
  try {
    const { open = false, ...result } = await importRow(row, username, applying);
    return end({ ...base, ...result }, open);
  } catch (error) {
    // Cut short: the journal has the beginning, and --resume finds out what became of it.
    if (error instanceof DryRun || applying.signal.aborted) throw error;
    // No fault of the row, and the next one would fail likewise.
    if (error instanceof Failure && error.code === "disk") throw error;
    // What the server refused is not there. With no answer, or a broken one, nobody knows.
    return end({ ...base, action: "failed", reason: asFailure(error).message }, !(error instanceof InvalidError));
  }
}

/** `open`: the row failed, and the account may be there nevertheless. */
type Result = Pick<Outcome, "action" | "reason" | "changes"> & { readonly open?: boolean };

async function importRow(row: Row, username: string, applying: Applying): Promise<Result> {
  const { forge, journal, passwords } = applying;
  const begun = journal.begun.get(row.line);
  if (begun !== undefined) {
    const account = await existing(forge, username);
    if (account !== undefined && isOurs(account, row, begun)) return complete(forge, account, row);
  }
  const noted = journal.begin(row.line, username);
  const local = Number(row.fields["source_id"] ?? 0) === 0;
  const password = row.fields["password"] ?? (local ? await passwords?.for(username) : undefined);
  await noted;
  const option = { ...only(row, "create"), ...(password === undefined ? {} : { password }) };
  let account: User;
  try {
    account = await forge.adminUsers.create(option as unknown as CreateUserOption);
  } catch (error) {
    // The servers say 422 for many things; whether the account is there is asked, not read from their words.
    const before = error instanceof InvalidError ? await existing(forge, username) : undefined;
    if (before === undefined) throw error;
    return settle(before, row, applying);
  }
  return complete(forge, account, row);
}

/** The account was there before. */
async function settle(account: User, row: Row, { forge, onExisting }: Applying): Promise<Result> {
  if (onExisting === "fail") return { action: "failed", reason: "the account exists already" };
  if (onExisting === "skip") return { action: "skipped", reason: "the account exists already" };
  const changes = differences(row, account);
  const names = Object.keys(changes);
  if (names.length === 0) return { action: "unchanged" };
  if (await forge.users.isOrganization(account.login)) return { action: "failed", reason: isOrganization };
  const edits = Object.fromEntries(names.map((name) => [name, row.fields[name]]));
  await forge.adminUsers.edit(account, edits as EditUserOption);
  return { action: "updated", changes };
}

/** Sends what the create operation lacks, if the row has any of it. */
async function complete(forge: Forge, account: User, row: Row): Promise<Result> {
  const rest = onlyNew(only(row, "edit"), account);
  if (Object.keys(rest).length > 0) {
    try {
      await forge.adminUsers.edit(account, rest as EditUserOption);
    } catch (error) {
      if (error instanceof DryRun) throw error;
      const names = Object.keys(rest).join(", ");
      const reason = `the account was created, but ${names} could not be set: ${asFailure(error).message}`;
      return { action: "failed", reason, open: true };
    }
  }
  return { action: "created" };
}

/** Without what the account has already, as far as its record shows that. */
function onlyNew(fields: Record<string, FieldValue>, account: User): Record<string, FieldValue> {
  const shown = (name: string) =>
    (account as unknown as Readonly<Record<string, unknown>>)[importFields[name]?.shown ?? ""];
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => shown(name) !== value));
}

/** The fields that only the edit takes, or all others. */
function only(row: Row, by: "edit" | "create"): Record<string, FieldValue> {
  const found: Record<string, FieldValue> = {};
  for (const name in row.fields) {
    const value = row.fields[name];
    if (value !== undefined && (importFields[name]?.by === "edit") === (by === "edit")) found[name] = value;
  }
  return found;
}

/** Whether an account that a crash left open was made by the interrupted import: same mail, made since it was begun. */
function isOurs(account: User, row: Row, begun: number): boolean {
  if (account.email.toLowerCase() !== String(row.fields["email"]).toLowerCase()) return false;
  const made = Date.parse(account.created);
  const dated = row.fields["created_at"];
  return dated === undefined ? made >= begun - clockSkew : made === Math.floor(Date.parse(String(dated)) / 1000) * 1000;
}
