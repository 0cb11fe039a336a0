import { Failure } from "../../../failure/failure.ts";
import { editUser, ownAccess, userCreate } from "../../../forge/admin-users.ts";
import type { CreateUserOption, EditUserOption } from "../../../forge/generated/operations.ts";
import { call } from "../../../forge/operation.ts";
import type { User } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { DryRun } from "../../../http/debug.ts";
import { HttpError } from "../../../http/errors.ts";
import { mayHaveActed } from "../../../http/no-answer-error.ts";
import { asFailure } from "../../../output/report-failure.ts";
import { isUnset, setTime } from "../../../shape/shape.ts";
import { alreadyExists, detailsOf, isLocalAccount, lacksPassword } from "./outcome.ts";
import type { PasswordFile } from "./passwords.ts";
import { type FieldValue, importFields, type Row } from "./rows.ts";

/** What to do with a user that already exists. */
export type OnExisting = "skip" | "update" | "fail";

/** How accounts are planned. */
export interface AccountOptions {
  readonly onExisting: OnExisting;
  /** Whether existing accounts get the password of the row, or a generated one. */
  readonly resetPasswords: boolean;
  /** Whether missing passwords are generated. */
  readonly generates: boolean;
  /** When an account can have been created that an import left unfinished; undefined if none is completed. */
  readonly since: Date | undefined;
}

/** What a row does with its account. */
export interface AccountPlan {
  readonly action: "create" | "update" | "unchanged" | "skip" | "invalid";
  readonly user?: User;
  /** Old and new values by field. */
  readonly changes?: Readonly<Record<string, readonly string[]>>;
  readonly reason?: string;
  /** The fields to edit of an existing account. */
  readonly edits?: readonly string[];
}

/** Compares a row with its account. An account that equals its row is unchanged, whatever `onExisting` is. */
export function planAccount(row: Row, user: User | undefined, options: AccountOptions): AccountPlan {
  if (user === undefined) return { action: "create" };
  const { onExisting, resetPasswords, generates } = options;
  const resets = resetPasswords && !lacksPassword(row, generates) && isLocalAccount(row);
  const changes = changedFields(row, user);
  const unseen = unseenFields(row, resets);
  const edits = [...Object.keys(changes), ...unseen];
  const isPartial = isUnfinished(changes, user, options.since);
  if (edits.length === 0 || (Object.keys(changes).length === 0 && onExisting !== "update" && !isPartial))
    return { action: "unchanged", user };
  if (onExisting === "update" || isPartial) {
    const shown = { ...changes, ...(resets ? { password: ["unknown", "new password"] } : {}) };
    const others = unseen.filter((name) => name !== "password" && name !== mustChange);
    const reason = others.length === 0 ? {} : { reason: `sets ${others.join(", ")}, which the server does not show` };
    return { action: "update", user, changes: shown, ...reason, edits };
  }
  if (onExisting === "skip") return { action: "skip", user, reason: alreadyExists };
  return { action: "invalid", user, reason: `${alreadyExists} (${detailsOf({ changes })})` };
}

/** The same plan, unless it takes the access of the one who imports away, which `user edit` asks about. */
export async function keepingOwnAccess(
  { fields }: Row,
  plan: AccountPlan,
  me: () => Promise<string>,
): Promise<AccountPlan> {
  const { user, changes = {} } = plan;
  const taken = Object.entries(ownAccess).find(([name, value]) => name in changes && fields[name] === value)?.[0];
  if (plan.action !== "update" || user === undefined || taken === undefined) return plan;
  if ((await me()).toLowerCase() !== user.login.toLowerCase()) return plan;
  return { action: "invalid", user, reason: `${taken} takes away your own access: use tongs user edit ${user.login}` };
}

/**
 * Whether an account is as an import leaves it that ends between the request that creates it and the one for the other fields:
 * it is new, nobody has signed in, and these fields alone differ and have their defaults.
 */
function isUnfinished(
  changes: Readonly<Record<string, readonly string[]>>,
  { created, last_login }: User,
  since: Date | undefined,
): boolean {
  if (since === undefined || !isUnset(last_login)) return false;
  if (!(Date.parse(setTime(created) ?? "") > since.getTime())) return false;
  const defaults: Readonly<Record<string, string>> = { admin: "false", active: "true", prohibit_login: "false" };
  return Object.entries(changes).every(
    ([name, [before]]) => importFields[name]?.operation === "edit" && before === (defaults[name] ?? ""),
  );
}

/** The fields of a row that differ from the account, as far as its record shows them. */
function changedFields(row: Row, user: User): Record<string, readonly string[]> {
  const record = user as unknown as Readonly<Record<string, unknown>>;
  const changes: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(row.fields)) {
    const { operation, recordField } = importFields[name] ?? {};
    if (operation === "create" || recordField === undefined) continue;
    const before = String(record[recordField] ?? "");
    if (!isSame(name, before, String(value))) changes[name] = [before, String(value)];
  }
  return changes;
}

/** An account that exists gets it only with a new password. */
const mustChange = "must_change_password";

/** The fields of a row to edit that no record shows, those about the password only if it is reset. */
function unseenFields(row: Row, resets: boolean): string[] {
  const names = Object.keys(row.fields).filter((name) => {
    const { operation, recordField } = importFields[name] ?? {};
    if (name === "password" || operation === "create" || recordField !== undefined) return false;
    return resets || name !== mustChange;
  });
  return resets ? ["password", ...names] : names;
}

/** Servers keep an email address if the new one differs in case only (docs/server-differences.md, Users: accounts). */
function isSame(name: string, before: string, value: string): boolean {
  return name === "email" ? before.toLowerCase() === value.toLowerCase() : before === value;
}

/** Whether a planned account gets a password that is generated. */
export function needsPassword(row: Row, { action, edits = [] }: AccountPlan): boolean {
  const isSet = action === "create" || edits.includes("password");
  return isSet && isLocalAccount(row) && row.fields["password"] === undefined;
}

/** What became of an account. */
export interface AccountResult {
  readonly action: "created" | "updated" | "failed" | "unknown";
  readonly failure?: Failure;
}

/**
 * Creates or edits the account of a row: POST /admin/users, and PATCH for fields that only the edit accepts. A creation that got
 * no answer is `unknown`: the next run finds out. Throws if nothing was changed.
 */
export async function makeAccount(
  http: Http,
  row: Row,
  { user, edits = [] }: AccountPlan,
  passwords: PasswordFile | undefined,
): Promise<AccountResult> {
  const password = row.fields["password"] ?? passwords?.of(String(row.fields["username"]));
  const fieldsOf = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value: FieldValue | undefined = name === "password" ? password : row.fields[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  if (user !== undefined) {
    await editUser(http, user, fieldsOf(edits) as EditUserOption);
    return { action: "updated" };
  }
  const isEdit = (name: string) => importFields[name]?.operation === "edit";
  const names = Object.keys(row.fields).filter((name) => name !== "password");
  const needsOne = isLocalAccount(row) || row.fields["password"] !== undefined;
  const option = fieldsOf([...names.filter((name) => !isEdit(name)), ...(needsOne ? ["password"] : [])]);
  let created: User;
  try {
    created = await call(http, userCreate, {}, option as unknown as CreateUserOption);
  } catch (error) {
    if (error instanceof HttpError && hadNoEffect(error)) passwords?.refused(String(row.fields["username"]));
    if (hadNoEffect(error)) throw error;
    const { code, message } = asFailure(error);
    const reason = `the account may have been created: run the same command again to find out (${message})`;
    return { action: "unknown", failure: new Failure(code, reason, { cause: error }) };
  }
  // The record of a new account shows which of these are its defaults.
  const differing = [...Object.keys(changedFields(row, created)), ...unseenFields(row, false)];
  const rest = fieldsOf(differing.filter(isEdit));
  if (Object.keys(rest).length === 0) return { action: "created" };
  try {
    await editUser(http, created, rest as EditUserOption);
    return { action: "created" };
  } catch (error) {
    if (error instanceof DryRun) throw error;
    const { code, message } = asFailure(error);
    const reason = `the account was created, but could not set ${Object.keys(rest).join(", ")}: ${message}`;
    return { action: "failed", failure: new Failure(code, reason, { cause: error }) };
  }
}

/** Whether an error proves that a POST had no effect: it was not sent, or the server rejected it. */
function hadNoEffect(error: unknown): boolean {
  const { status } = asFailure(error);
  if (mayHaveActed(error)) return false;
  return status === undefined || (status >= 400 && status < 500 && status !== 408);
}
