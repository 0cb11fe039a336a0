import pMap from "p-map";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { inverseOf, leftNothing } from "../../app/journal/inverse.ts";
import { claimUndo, type Entry, noteUndone, readEntry, type SentRequest } from "../../app/journal/store.ts";
import { one } from "../../command/args.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { changed, Failure, UsageError, withHint } from "../../failure/failure.ts";
import { ignoredError } from "../../failure/ignored.ts";
import { call } from "../../forge/operation.ts";
import { readerOf, undoPast } from "../../forge/past-writes.ts";
import { currentUserPath } from "../../forge/read-paths.ts";
import { type Inverse, isMasked, unmasked, unrestored } from "../../forge/undo.ts";
import { currentUserGet } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import { DryRun } from "../../http/debug.ts";
import { HttpError, NotFoundError } from "../../http/errors.ts";
import { reportTarget } from "../../output/report-failure.ts";
import { serverOf } from "../../profiles/choose.ts";
import { accountLabel, addressText, type Server } from "../../profiles/server.ts";
import { capitalized } from "../../text/format.ts";
import { jsonText } from "../../text/json.ts";
import { entryShape, findEntry, shownEntry } from "./shared.ts";

/** A request of a command, and how it is undone. */
interface Part {
  readonly request: SentRequest;
  readonly index: number;
  readonly inverse: Inverse;
}

/** What stays, and why. */
interface Left {
  readonly request: SentRequest;
  readonly failure: Failure;
}

/** `tongs journal undo`: sends the requests that undo a command, the last one first, where nothing has changed since. */
export const undo = defineCommand({
  summary: "Undo a command",
  details:
    "Undoes edits, closes, renames, archiving, locks, pins, stars, follows, blocks, reactions, dependencies, and changes of " +
    "labels, milestones, assignees, reviewers, protections, access, settings, topics and variables, after a confirmation. " +
    "Undoes the requests of the command, the last one first. Skips what cannot be undone, has changed since or is refused, " +
    "and says at the end what is left and why. What was so already is not undone to the opposite. --dry-run of a command, " +
    "and the question of one that deletes, say what cannot be undone.",
  on: "profiles",
  effect: "destroy",
  asTool: "destroy",
  args: { n: one("number of the entry") },
  output: entryShape,
  exits: {
    failure: "the server did not restore a field",
    refused: "nothing of it can be undone, or it has changed since",
    partly: "some of it was undone, the rest was not",
  },
  examples: [["Undo a command", "tongs journal undo 12"]],
  async run(context) {
    const { args, system } = context;
    const { number } = findEntry(args.n, system);
    const claim = await claimUndo(number, system);
    if (claim === undefined)
      throw new Failure("being_undone", `Entry ${number} is being undone by another process`, {
        hint: `See: tongs journal view ${number}`,
      });
    try {
      // As another process may have left it.
      return await undoEntry(findEntry(args.n, system), context);
    } finally {
      claim.release();
    }
  },
});

async function undoEntry(entry: Entry, context: BaseContext): Promise<ExitName | undefined> {
  const { options, out, prompt, system } = context;
  const planned = partsOf(entry);
  const { server, http } = await serverOfEntry(entry, context);
  await refuseOtherUser(entry, planned.parts, { server, http });
  const { parts, done, moved } = await asLeft(entry, planned.parts, http);
  const left = [...planned.left, ...moved];
  if (parts.length === 0) throw nothingUndone(entry, left);
  const sent = parts.filter((part) => !done.has(part));
  if (!options.yes) {
    for (const { inverse } of sent) {
      const { method, path, body } = inverse.request;
      out.note(`${method} ${path}${body === undefined ? "" : ` ${jsonText(body)}`}`);
    }
    for (const one of left) out.warn(`This leaves ${leftText(one)}`);
  }
  for (const { inverse } of sent) for (const lost of unrestored(inverse)) out.warn(capitalized(lost));
  if (sent.length > 0)
    await prompt.confirmAction({ what: `Undo ${entryText(entry)} on ${entry.host}`, sends: undefined });
  const undone: Part[] = [];
  const kept = new Set<string>();
  for (const part of parts) {
    const { path } = part.inverse.request;
    try {
      // Who took over is asked for a review as long as the leaver cannot be.
      if (kept.has(path)) throw new Failure("changed_since", "what was done after it is not undone");
      if (isAgain(planned.parts, part) && (await isUndone(entry, part, http))) done.add(part);
      if (!done.has(part)) await undoPart(entry, part, http);
    } catch (error) {
      // Whether this undo could be undone would read as if it could not be done.
      if (error instanceof DryRun) throw new DryRun(error.method, error.url, error.body, {}, error.sudo);
      if (!(error instanceof Failure)) throw error;
      if (isRefusal(error)) {
        kept.add(path);
        left.push({ request: part.request, failure: error });
        continue;
      }
      const before = undone.map(({ request: { method, path } }) => `${method} ${path}`);
      throw before.length === 0 ? error : withHint(error, `Undone so far: ${before.join(", ")}.`);
    }
    undone.push(part);
    if (!options.dryRun) noteUndone(entry, part.index, system);
  }
  if (undone.length === 0) throw nothingUndone(entry, left);
  for (const { request, inverse } of undone)
    if (inverse.remaining?.length)
      left.push({ request, failure: new Failure("not_undoable", inverse.remaining.join("; ")) });
  const whole = undone.filter(({ inverse }) => !inverse.remaining?.length).length;
  const part = whole === 0 ? "a part of " : `${whole} of ${whole + left.length} requests of `;
  const what = `${left.length === 0 ? "" : part}${entryText(entry)}`;
  const record = shownEntry(readEntry(entry.number, system) ?? entry);
  const unchanged = undone.every((one) => done.has(one));
  const message = unchanged ? `${capitalized(what)} was already undone` : `Undid ${what} ${accountLabel(server)}`;
  await out.done(message, { record, unchanged });
  for (const { request, failure } of left) reportTarget(`${request.method} ${request.path}`, failure, { out, system });
  return left.length === 0 ? undefined : "partly";
}

/** Undoes a request. Throws a `Failure` for the fields that the server did not restore. */
async function undoPart(entry: Entry, { request, inverse }: Part, http: Http): Promise<void> {
  const { notRestored = () => [], orElse, unmaskedAt } = inverse;
  const { body, ...sent } = inverse.request;
  const now = unmaskedAt !== undefined && isMasked(body) ? await readerOf(http, null).record(unmaskedAt) : undefined;
  const missing = notRestored(await undoPast(http, { ...sent, body: unmasked(body, now) }));
  const lost = missing.length > 0 && orElse ? notRestored(await undoPast(http, orElse)) : missing;
  const what = entry.requests.length === 1 ? `entry ${entry.number}` : `${request.method} ${request.path}`;
  if (lost.length > 0) throw ignoredError(lost, `the undo of ${what}`);
}

/** The failure where nothing was undone, for the reason that all have or those of each. */
function nothingUndone({ number }: Entry, left: readonly Left[]): Failure {
  const [first] = left;
  const reasons = [...new Set(left.map(leftText))].join("; ");
  const message = `Nothing of entry ${number} can be undone: ${reasons}`;
  if (first === undefined || left.some(({ failure }) => failure.code !== first.failure.code))
    return new Failure("not_undoable", message);
  return left.length === 1 ? first.failure : changed(first.failure, { message });
}

/** `entry 12 (policy apply)` */
function entryText({ number, command }: Entry): string {
  return `entry ${number} (${command})`;
}

function leftText({ request: { method, path }, failure }: Left): string {
  return `${method} ${path}: ${failure.message}`;
}

/** Whether what a write left changed since, or is gone. */
function isMoved(error: unknown): error is Failure {
  return error instanceof NotFoundError || (error instanceof Failure && error.code === "changed_since");
}

/** Whether the undo of one request failed, and that of others need not. */
function isRefusal(error: Failure): boolean {
  if (error instanceof HttpError) return error.status !== 401 && error.status !== 429;
  return error.code === "ignored" || isMoved(error);
}

/** The requests whose results are as they left them or undone already (`done`), and those that have changed since. */
async function asLeft(
  entry: Entry,
  parts: readonly Part[],
  http: Http,
): Promise<{ readonly parts: readonly Part[]; readonly done: Set<Part>; readonly moved: readonly Left[] }> {
  const moved = new Map<Part, Left>();
  const done = new Set<Part>();
  const look = async (part: Part) => {
    // What a later request of the command changed again is looked at when that is undone.
    if (isAgain(parts, part)) return;
    try {
      if (await isUndone(entry, part, http)) done.add(part);
    } catch (error) {
      if (!isMoved(error)) throw error;
      moved.set(part, { request: part.request, failure: error });
    }
  };
  await pMap(parts, look, { concurrency: 4 });
  return { parts: parts.filter((part) => !moved.has(part)), done, moved: [...moved.values()] };
}

/** How the requests are undone that changed something, the last one first, and those that cannot be. */
function partsOf(entry: Entry): { readonly parts: readonly Part[]; readonly left: readonly Left[] } {
  const parts: Part[] = [];
  const left: Left[] = [];
  const all = entry.requests.map((request, index) => ({ request, index })).toReversed();
  for (const { request, index } of all) {
    const inverse = inverseOf({ ...request, user: entry.user });
    if (typeof inverse !== "string") parts.push({ request, index, inverse });
    else if (!leftNothing(request, inverse) || all.length === 1)
      left.push({ request, failure: new Failure("not_undoable", cannotText(entry, inverse)) });
  }
  if (parts.length > 0) return { parts, left };
  if (left.length > 0) throw nothingUndone(entry, left);
  const isUndone = entry.requests.some(({ undone }) => undone);
  throw new Failure("not_undoable", cannotText(entry, isUndone ? "already undone" : "it changed nothing"));
}

function cannotText({ number, requests }: Entry, why: string): string {
  return requests.length === 1 ? `Entry ${number} cannot be undone: ${why}` : why;
}

/** Whether a request is undone after another one at its path or below it, such as an attachment of a comment. */
function isAgain(parts: readonly Part[], part: Part): boolean {
  const { path } = part.inverse.request;
  const later = parts.slice(0, parts.indexOf(part));
  return later.some(({ inverse: { request } }) => `${request.path}/`.startsWith(`${path}/`));
}

/** The server that the write was sent to, as the same profile. Throws a usage error for another server. */
async function serverOfEntry(entry: Entry, context: BaseContext): Promise<ServerContext> {
  const { profiles, options } = context;
  const isChosen = options.profile !== undefined || options.host !== undefined || entry.profile === null;
  const server = isChosen
    ? await context.choose()
    : serverOf(profiles, profiles.read(), entry.profile, "the profile of the entry");
  const address = addressText(server.base);
  if (address === entry.host) return context.connectTo(sameActor(server, entry));
  throw new UsageError(
    `Entry ${entry.number} was sent to ${entry.host}, not to ${address}`,
    "Pass --profile or --host.",
  );
}

/** What --sudo wrote is undone as the same user. */
function sameActor(server: Server, { user, administrator }: Entry): Server {
  if (user === null || administrator === undefined) return server;
  return { ...server, user, administrator: server.user ?? null };
}

/** Throws a usage error if the write was to the account of a user, such as a star, and another one is signed in now. */
async function refuseOtherUser(
  { number, user }: Entry,
  parts: readonly Part[],
  { server, http }: ServerContext,
): Promise<void> {
  if (user === null || !parts.some(({ request }) => request.path.startsWith(`${currentUserPath}/`))) return;
  const now = server.user ?? (await call(http, currentUserGet, {})).login;
  if (now === user) return;
  throw new UsageError(
    `Entry ${number} changed the account of ${user}, and you are signed in as ${now}`,
    "Pass --profile.",
  );
}

/**
 * Whether all is as it was before the write. Throws a `Failure` if it is neither so nor as the write left it, or if others
 * use what it left.
 */
async function isUndone(entry: Entry, { inverse }: Part, http: Http): Promise<boolean> {
  const reader = readerOf(http, entry.user);
  const isLeft = await inverse.isAsLeft(reader);
  if (isLeft && (await inverse.isUsed?.(reader)) !== true) return false;
  if (!isLeft && (await inverse.isAsBefore?.(reader)) === true) return true;
  const hint = entry.requests.length === 1 ? { hint: `See: tongs journal view ${entry.number}` } : {};
  const why = isLeft ? "it is in use by now" : "it has changed since";
  throw new Failure("changed_since", cannotText(entry, why), hint);
}
