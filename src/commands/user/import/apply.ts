import { Failure } from "../../../failure/failure.ts";
import type { CreateUserOption, EditUserOption } from "../../../forge/admin-users.ts";
import type { Forge } from "../../../forge/index.ts";
import type { User } from "../../../forge/users.ts";
import { DryRun } from "../../../http/debug.ts";
import { HttpError, InvalidError } from "../../../http/errors.ts";
import { NoAnswerError } from "../../../http/no-answer-error.ts";
import { asFailure } from "../../../output/report-failure.ts";
import type { Before } from "./before.ts";
import { type FieldValue, importFields } from "./fields.ts";
import type { Journal } from "./journal.ts";
import { existing } from "./on-server.ts";
import type { Outcome } from "./outcome.ts";
import type { PasswordFile } from "./passwords.ts";
import { differences, isOrganization, type OnExisting } from "./plan.ts";
import type { Row } from "./rows.ts";
import { type Begun, begunAgain, whose } from "./whose.ts";

/** What applying works with. */
export interface Applying {
  readonly forge: Forge;
  readonly journal: Journal;
  readonly passwords: PasswordFile | undefined;
  readonly before: Before;
  readonly onExisting: OnExisting;
  readonly signal: AbortSignal;
}

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
  const post: Post = { open: applying.journal.begun.has(row.line), refused: false };
  const end = (result: Result) => {
    const outcome = { ...base, ...result };
    const noted = applying.journal.end(outcome, post.open);
    if (post.refused) applying.passwords?.forget(username);
    return { row, outcome, noted };
  };
  try {
    return end(await importRow(row, username, applying, post));
  } catch (error) {
    // Cut short: the journal has the beginning, and --resume finds out what became of it.
    if (error instanceof DryRun || applying.signal.aborted) throw error;
    // No fault of the row, and the next one would fail likewise.
    if (error instanceof Failure && error.code === "disk") throw error;
    const { message } = asFailure(error);
    if (!post.open) return end({ action: "failed", reason: message });
    return end({ action: "unknown", reason: `may have been created; --resume settles it (${message})` });
  }
}

/** What the POST of a row came to so far. */
interface Post {
  /** The account may have been made, and that is not settled. */
  open: boolean;
  /** The server refused it, and the account that it asked for was certainly not made. */
  refused: boolean;
}

type Result = Pick<Outcome, "action" | "reason" | "changes">;

async function importRow(row: Row, username: string, applying: Applying, post: Post): Promise<Result> {
  const { forge, journal, passwords, before } = applying;
  const earlier = journal.begun.get(row.line);
  const wasThere = earlier === undefined ? await before.has(username) : true;
  if (wasThere) {
    const account = await existing(forge, username);
    if (account !== undefined) return found(account, row, earlier, applying, post);
  }
  // Where it was there according to the list or the journal, it is not there now.
  const begun = { line: row.line, username, at: await before.now(), absent: wasThere !== undefined };
  const noted = journal.begin(begun);
  const local = Number(row.fields["source_id"] ?? 0) === 0;
  const password = row.fields["password"] ?? (local ? await passwords?.for(username) : undefined);
  await noted;
  const option = { ...only(row, "create"), ...(password === undefined ? {} : { password }) };
  post.open = true;
  let account: User;
  try {
    const answer = await forge.adminUsers.createAnswered(option as unknown as CreateUserOption);
    before.heard(answer.headers["date"]);
    account = answer.value;
  } catch (error) {
    if (error instanceof HttpError) before.heard(error.exchange.headers["date"]);
    if (!(error instanceof InvalidError)) {
      post.open = earlier !== undefined || !neverActed(error);
      throw error;
    }
    // The servers say 422 for many things; whether the account is there is asked, not read from their words.
    const there = await existing(forge, username);
    if (there !== undefined) return refused(there, row, begunAgain(earlier, begun), earlier, applying, post);
    Object.assign(post, { open: false, refused: true });
    throw error;
  }
  const isLeft = Object.keys(only(row, "edit")).length > 0;
  if (isLeft && account.id !== undefined) await journal.made(row.line, account.id);
  return complete(forge, account, row, post);
}

/** Whether an error shows that a POST had no effect: it was never sent, or the server would not take it. */
function neverActed(error: unknown): boolean {
  if (error instanceof NoAnswerError) return error.progress === "unsent";
  if (!(error instanceof HttpError)) return false;
  const { status } = error.exchange;
  return status >= 400 && status < 500 && status !== 408;
}

/** The account is there before this run sends anything for it: of an earlier run, or of somebody else. */
function found(
  account: User,
  row: Row,
  earlier: Begun | undefined,
  applying: Applying,
  post: Post,
): Promise<Result> | Result {
  const by = earlier === undefined ? "another" : whose(account, row, earlier);
  if (by === "ours") return complete(applying.forge, account, row, post);
  if (by === "unclear") return unclear;
  post.open = false;
  return settle(account, row, applying);
}

/** The server would not create the account, for there is one; perhaps that of an earlier POST, which came late. */
function refused(
  account: User,
  row: Row,
  begun: Begun,
  earlier: Begun | undefined,
  applying: Applying,
  post: Post,
): Promise<Result> | Result {
  const by = whose(account, row, begun);
  if (by === "ours" && earlier !== undefined) return complete(applying.forge, account, row, post);
  if (by !== "another") return unclear;
  Object.assign(post, { open: false, refused: true });
  return settle(account, row, applying);
}

/** Nothing proves who made the account, so it is neither called created nor changed. */
const unclear: Result = {
  action: "unknown",
  reason:
    "the account exists, and nothing proves that this import created it; if it is yours, set its password with: " +
    "tongs user edit NAME --password-file FILE",
};

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
async function complete(forge: Forge, account: User, row: Row, post: Post): Promise<Result> {
  post.open = true;
  const rest = onlyNew(only(row, "edit"), account);
  if (Object.keys(rest).length > 0) {
    try {
      await forge.adminUsers.edit(account, rest as EditUserOption);
    } catch (error) {
      if (error instanceof DryRun) throw error;
      const names = Object.keys(rest).join(", ");
      const reason = `the account was created, but ${names} could not be set: ${asFailure(error).message}`;
      return { action: "failed", reason };
    }
  }
  post.open = false;
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
