import { Failure } from "../../../failure/failure.ts";
import { editUser, userCreate } from "../../../forge/admin-users.ts";
import type { CreateUserOption, EditUserOption } from "../../../forge/generated/operations.ts";
import { respond } from "../../../forge/operation.ts";
import { isPasswordOf } from "../../../forge/tokens.ts";
import { isOrganization, type User } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { DryRun } from "../../../http/debug.ts";
import { HttpError, InvalidError } from "../../../http/errors.ts";
import { NoAnswerError } from "../../../http/no-answer-error.ts";
import { asFailure } from "../../../output/report-failure.ts";
import { commandOn, type Server } from "../../../profiles/server.ts";
import { type Attempt, addAttempt, creatorOf, findUser, type ServerState } from "./existing-users.ts";
import type { Journal } from "./journal.ts";
import {
  alreadyExists,
  changedFields,
  isLocalAccount,
  lacksPassword,
  missingPassword,
  type OnExisting,
  type Outcome,
  takenByOrganization,
  unseenFields,
  unseenReason,
} from "./outcome.ts";
import type { PasswordFile } from "./passwords.ts";
import { type FieldValue, importFields, type Row } from "./rows.ts";

/** What all rows of an import share. */
interface ImportContext {
  readonly http: Http;
  readonly journal: Journal;
  readonly passwords: PasswordFile | undefined;
  readonly serverState: ServerState;
  readonly onExisting: OnExisting;
  readonly signal: AbortSignal;
  readonly server: Server;
  /** The command that continues after an interruption. */
  readonly continuing: string;
}

/** The result of one row. `recorded` resolves when the outcome is in the journal. */
interface RowResult {
  readonly row: Row;
  readonly outcome: Outcome;
  readonly recorded: Promise<void>;
}

/**
 * Imports one row: records the start in the journal before sending anything, and the outcome after the response.
 * Failures are outcomes; throws only for an interruption, a dry run, a disk error and a token that is not accepted.
 */
export async function importRow(row: Row, context: ImportContext): Promise<RowResult> {
  const username = String(row.fields["username"]);
  const earlier = context.journal.attempts.get(row.line);
  const creation: Creation = { unsettled: earlier !== undefined, rejected: false, id: undefined };
  const end = (result: Result) => {
    const outcome = { line: row.line, username, ...result };
    const recorded = context.journal.end(outcome, creation.unsettled, creation.id);
    if (creation.rejected) context.passwords?.discard(username);
    return { row, outcome, recorded };
  };
  try {
    return end(await createOrUpdate({ ...context, row, username, earlier, creation }));
  } catch (error) {
    // Interrupted: the journal has the start of the row, and --resume finds out whether the user was created.
    if (error instanceof DryRun || context.signal.aborted) throw error;
    // Not specific to this row: the next one would fail, too.
    if (error instanceof Failure && (error.code === "disk" || error.code === "not_signed_in")) throw error;
    const { message } = asFailure(error);
    if (!creation.unsettled) return end({ action: "failed", reason: message });
    return end({ action: "unknown", reason: `user may have been created; use --resume to find out (${message})` });
  }
}

/** The state of the request that creates a row's user. */
interface Creation {
  /** The user may have been created, and nothing has confirmed or ruled it out yet. */
  unsettled: boolean;
  /** The server rejected the request, so this import did not create the user. */
  rejected: boolean;
  /** The user that was created, or exists. */
  id: number | undefined;
}

/** A row that is being imported. */
interface RowJob extends ImportContext {
  readonly row: Row;
  readonly username: string;
  /** What an earlier run sent for this row. */
  readonly earlier: Attempt | undefined;
  readonly creation: Creation;
}

type Result = Pick<Outcome, "action" | "reason" | "changes">;

async function createOrUpdate(job: RowJob): Promise<Result> {
  const { row, username, earlier, creation, http, journal, passwords, serverState } = job;
  const existed = earlier === undefined ? await serverState.has(username) : true;
  const isLocal = isLocalAccount(row);
  const lacks = lacksPassword(row, passwords !== undefined);
  if (existed || lacks) {
    const user = await findUser(http, username);
    if (user !== undefined) return handleExisting(job, user);
  }
  if (lacks) return { action: "failed", reason: missingPassword };
  // A user who was listed before, or may have been created by an earlier run, does not exist now.
  const attempt = { line: row.line, username, at: await serverState.now(), absent: existed !== undefined };
  const recorded = journal.begin(attempt);
  const password = row.fields["password"] ?? (isLocal ? await passwords?.for(username) : undefined);
  await recorded;
  const option = { ...pickFields(row, "create"), ...(password === undefined ? {} : { password }) };
  creation.unsettled = true;
  let user: User;
  try {
    const response = await respond(http, userCreate, {}, option as unknown as CreateUserOption);
    serverState.syncClock(response.headers["date"]);
    user = response.value;
  } catch (error) {
    if (error instanceof HttpError) serverState.syncClock(error.exchange.headers["date"]);
    if (!(error instanceof InvalidError)) {
      creation.unsettled = earlier !== undefined || !hadNoEffect(error);
      throw error;
    }
    // A 422 has many reasons; look the user up instead of parsing the server's message.
    const existing = await findUser(http, username);
    if (existing !== undefined) return handleRejected(job, existing, addAttempt(earlier, attempt));
    Object.assign(creation, { unsettled: false, rejected: true });
    throw error;
  }
  const needsEdit = Object.keys(pickFields(row, "edit")).length > 0;
  if (needsEdit && user.id !== undefined) await journal.created(row.line, user.id);
  return setEditFields(job, user);
}

/** Whether an error proves that a POST had no effect: it was not sent, or the server rejected it. */
function hadNoEffect(error: unknown): boolean {
  if (error instanceof NoAnswerError) return error.progress === "unsent";
  if (!(error instanceof HttpError)) return false;
  const { status } = error.exchange;
  return status >= 400 && status < 500 && status !== 408;
}

/** The user exists before this run sends anything for the row: created by an earlier run, or by somebody else. */
async function handleExisting(job: RowJob, user: User): Promise<Result> {
  const { earlier, creation, onExisting } = job;
  const creator = earlier === undefined ? "another" : await provenCreator(job, user, earlier);
  if (creator === "import") return setEditFields(job, user);
  if (creator === "unknown" && onExisting !== "update") return uncertain(job);
  creation.unsettled = false;
  return applyToExisting(job, user);
}

/** The server rejected the request because the user exists; a delayed request of an earlier run may have created it. */
async function handleRejected(job: RowJob, user: User, attempt: Attempt): Promise<Result> {
  const { earlier, creation, onExisting } = job;
  const creator = await provenCreator(job, user, attempt);
  if (creator === "import" && earlier !== undefined) return setEditFields(job, user);
  if (creator !== "another" && onExisting !== "update") return uncertain(job);
  Object.assign(creation, { unsettled: false, rejected: creator === "another" });
  return applyToExisting(job, user);
}

/**
 * Who created a user, by the times of the requests, or else by the password that they had: nobody but this import knows a
 * generated one, and one of the file proves it of a user who was not there before.
 */
async function provenCreator({ http, row, username, passwords }: RowJob, user: User, attempt: Attempt) {
  const creator = creatorOf(user, row, attempt);
  if (creator !== "unknown" || !isLocalAccount(row)) return creator;
  const given = row.fields["password"];
  const password = given === undefined ? passwords?.saved(username) : attempt.absent ? String(given) : undefined;
  if (password === undefined) return creator;
  return (await isPasswordOf(http, { name: user.login, password })) ? "import" : creator;
}

/** Nothing proves who created the user, so the row is neither reported as created nor applied. */
function uncertain({ row, username, continuing, server }: RowJob): Result {
  const settle = `user exists, but may not have been created by this run; to continue with it: ${continuing} --on-existing update`;
  if (!isLocalAccount(row) || row.fields["password"] !== undefined) return { action: "unknown", reason: settle };
  const edit = commandOn(server, `tongs user edit ${username} --password-file FILE`);
  return { action: "unknown", reason: `${settle}, then set its password: ${edit}` };
}

/** Applies `--on-existing` to a user that this import did not create. */
async function applyToExisting({ http, onExisting, row, creation }: RowJob, user: User): Promise<Result> {
  creation.id = user.id;
  if (onExisting === "fail") return { action: "failed", reason: alreadyExists };
  if (onExisting === "skip") return { action: "skipped", reason: alreadyExists };
  const changes = changedFields(row, user);
  const unseen = unseenFields(row);
  const names = [...Object.keys(changes), ...unseen];
  if (names.length === 0) return { action: "unchanged" };
  if (await isOrganization(http, user.login)) return { action: "failed", reason: takenByOrganization };
  const edits = Object.fromEntries(names.map((name) => [name, row.fields[name]]));
  await editUser(http, user, edits as EditUserOption);
  if (Object.keys(changes).length === 0) return { action: "unchanged", reason: unseenReason(unseen) };
  return { action: "updated", changes };
}

/** Sets the fields of a new user that only the edit operation accepts, if the row has any. */
async function setEditFields({ http, row, creation }: RowJob, user: User): Promise<Result> {
  Object.assign(creation, { unsettled: true, id: user.id });
  const remaining = withoutUnchanged(pickFields(row, "edit"), user);
  if (Object.keys(remaining).length > 0) {
    try {
      await editUser(http, user, remaining as EditUserOption);
    } catch (error) {
      if (error instanceof DryRun || asFailure(error).code === "not_signed_in") throw error;
      const names = Object.keys(remaining).join(", ");
      return { action: "failed", reason: `user was created, but could not set ${names}: ${asFailure(error).message}` };
    }
  }
  creation.unsettled = false;
  return { action: "created" };
}

/** The fields whose value differs from the user record, or is not part of it. */
function withoutUnchanged(fields: Record<string, FieldValue>, user: User): Record<string, FieldValue> {
  const current = (name: string) =>
    (user as unknown as Readonly<Record<string, unknown>>)[importFields[name]?.recordField ?? ""];
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => current(name) !== value));
}

/** The fields of a row that only the edit operation accepts, or all others. */
function pickFields(row: Row, operation: "edit" | "create"): Record<string, FieldValue> {
  const found: Record<string, FieldValue> = {};
  for (const name in row.fields) {
    const value = row.fields[name];
    const isEdit = importFields[name]?.operation === "edit";
    if (value !== undefined && isEdit === (operation === "edit")) found[name] = value;
  }
  return found;
}
