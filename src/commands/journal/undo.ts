import pMap from "p-map";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { changedOnlyUnseen, type Inverse, inverseOf, leftNothing } from "../../app/journal/inverse.ts";
import { fieldsOf, readerOf } from "../../app/journal/state.ts";
import { claimUndo, type Entry, journalWriter } from "../../app/journal/store.ts";
import { one } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { Failure, UsageError, withHint } from "../../failure/failure.ts";
import { ignoredError } from "../../failure/ignored.ts";
import { call } from "../../forge/operation.ts";
import { listPast, type PastRequest, readPast, undoPast } from "../../forge/past-writes.ts";
import { currentUserPath } from "../../forge/read-paths.ts";
import { notRestored } from "../../forge/undo.ts";
import { currentUserGet } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import { DryRun } from "../../http/debug.ts";
import { DeniedError, HttpError, NotFoundError, ServerError } from "../../http/errors.ts";
import { serverOf } from "../../profiles/choose.ts";
import { accountLabel, addressText, type Server } from "../../profiles/server.ts";
import { capitalized } from "../../text/format.ts";
import { jsonText } from "../../text/json.ts";
import { entriesOfCommand, entryShape, findEntry, firstOf, shownEntry } from "./shared.ts";

/** A write, and how it is undone. */
interface Part {
  readonly entry: Entry;
  readonly inverse: Inverse;
}

/** `tongs journal undo`: sends the requests that undo a command, the last one first, if nothing has changed since. */
export const undo = defineCommand({
  summary: "Undo a command",
  details:
    "Undoes edits, closes, renames, archiving, locks, pins, stars, follows, blocks, reactions, dependencies, and changes of " +
    "labels, milestones, assignees, reviewers, protections, access, settings, topics and variables, after a confirmation. " +
    "Undoes all requests of the command, the last one first; if one of them cannot be undone, none is, unless --partial. " +
    "What was so already is not undone to the opposite. Refuses if what was written has changed since. --dry-run of a " +
    "command, and the question of one that deletes, say what cannot be undone.",
  on: "profiles",
  effect: "destroy",
  asTool: "destroy",
  args: { n: one("number of the entry") },
  flags: {
    only: toggle("undo this request, and not the others of its command"),
    partial: toggle("undo what can be undone of the command, and leave the rest"),
  },
  output: entryShape,
  exits: {
    failure: "the server did not restore a field",
    refused: "it cannot be undone, or it has changed since",
    partly: "with --partial, something changed while it was undone",
  },
  examples: [
    ["Undo a command", "tongs journal undo 12"],
    ["Undo one request of it", "tongs journal undo 12 --only"],
    ["Undo what can be undone of it", "tongs journal undo 12 --partial --yes"],
  ],
  async run(context) {
    const { args, system } = context;
    const first = firstOf(findEntry(args.n, system));
    const claim = await claimUndo(first, system);
    if (claim === undefined)
      throw new Failure("being_undone", `Entry ${args.n} is being undone by another process`, {
        hint: `See: tongs journal view ${args.n}`,
      });
    try {
      // As another process may have left it.
      return await undoEntry(findEntry(args.n, system), context);
    } finally {
      claim.release();
    }
  },
});

type UndoContext = BaseContext & { readonly flags: { readonly only: boolean; readonly partial: boolean } };

async function undoEntry(entry: Entry, context: UndoContext): Promise<ExitName | undefined> {
  const { flags, options, system } = context;
  if (flags.only && flags.partial) throw new UsageError("Cannot use --only with --partial");
  const planned = partsOf(entry, flags.only ? [entry] : entriesOfCommand(entry, system), flags.partial);
  const connected = await serverOfEntry(entry, context);
  const isChosen = options.profile !== undefined || options.host !== undefined;
  return undoParts(entry, planned, connected, context).catch((error: unknown) => {
    if (!(error instanceof DeniedError) || isChosen) throw error;
    const other = `tongs journal undo ${entry.number}${flags.only ? " --only" : ""} --profile NAME`;
    throw withHint(
      error,
      `This was sent ${accountLabel(connected.server)}, as the entry was. To send it as somebody else: ${other}`,
    );
  });
}

async function undoParts(
  entry: Entry,
  planned: ReturnType<typeof partsOf>,
  { server, http }: ServerContext,
  context: UndoContext,
): Promise<ExitName | undefined> {
  const { flags, options, out, prompt, system } = context;
  for (const part of planned.parts) await refuseOtherUser(part.entry, { server, http });
  const { parts, left } = await undoable(entry, planned, flags.partial, http);
  // What a later request of the command changed again is looked at when that is undone.
  const isAgain = (index: number) => parts.slice(0, index).some((later) => overlaps(later, parts[index]));
  if (!options.yes) {
    for (const { inverse } of parts) {
      const { method, path, body } = inverse.request;
      out.note(`${method} ${path}${body === undefined ? "" : ` ${jsonText(body)}`}`);
    }
  }
  for (const { inverse } of parts) for (const lost of inverse.leaves ?? []) out.warn(capitalized(lost));
  if (left.length > 0) out.warn(`This leaves ${left.join("; ")}`);
  const numbers = parts.map((part) => part.entry.number);
  const named = entriesText(entry, numbers);
  await prompt.confirmAction({ what: `Undo ${named} on ${entry.host}`, sends: undefined });
  const journal = journalWriter(system);
  const undone: number[] = [];
  const moved: string[] = [];
  for (const [index, part] of parts.entries()) {
    try {
      if (isAgain(index) || flags.partial) await refuseIfChanged(part, http);
      const { notRestored: unrestored = () => [], orElse } = part.inverse;
      const request = await completed(http, part.inverse, out);
      const missing = unrestored(await undoOrLook(http, request, unrestored));
      const lost = missing.length > 0 && orElse ? unrestored(await undoPast(http, orElse)) : missing;
      if (lost.length > 0) throw ignoredError(lost, `the undo of entry ${part.entry.number}`);
    } catch (error) {
      // Whether this undo could be undone would read as if it could not be done.
      if (error instanceof DryRun) throw new DryRun(error.method, error.url, error.body, {}, error.sudo);
      if (flags.partial && isMoved(error)) {
        moved.push(leftText(part.entry, error.message));
        continue;
      }
      if (undone.length === 0 || !(error instanceof Failure)) throw error;
      throw withHint(error, `Undone so far: ${undone.join(", ")} of ${named}.`);
    }
    undone.push(part.entry.number);
    journal.add({ number: part.entry.number, undone: true });
  }
  if (moved.length > 0) out.warn(`Left ${moved.join("; ")}`);
  const record = shownEntry(entry, entriesOfCommand(entry, system));
  if (undone.length > 0) await out.done(`Undid ${entriesText(entry, undone)} ${accountLabel(server)}`, { record });
  return moved.length === 0 ? undefined : "partly";
}

function noneIfRefused(error: unknown): readonly unknown[] {
  if (error instanceof HttpError) return [];
  throw error;
}

/** The request of an undo, with what only the server has of it. Warns of what it does not have. */
async function completed(http: Http, { request, resends = [], takes }: Inverse, out: BaseContext["out"]) {
  const added: [name: string, value: unknown][] = [];
  if (resends.length > 0) {
    const now = fieldsOf(await readPast(http, request.path));
    added.push(...resends.map((name): [string, unknown] => [name, now[name]]));
  }
  if (takes !== undefined) {
    const events = (await listPast(http, takes.at).catch(noneIfRefused))
      .map(fieldsOf)
      .filter(({ type }) => type === takes.type);
    const value = events.at(-1)?.["body"];
    if (events.length === 0) out.warn(capitalized(notRestored(takes.what)));
    else if (value !== "") added.push(...takes.as.map((name): [string, unknown] => [name, value]));
  }
  return added.length === 0
    ? request
    : { ...request, body: { ...fieldsOf(request.body), ...Object.fromEntries(added) } };
}

/** `entries 12, 11 (policy apply)` */
function entriesText({ command }: Entry, numbers: readonly number[]): string {
  return `${numbers.length === 1 ? "entry" : "entries"} ${numbers.join(", ")} (${command})`;
}

function leftText({ number, method, path }: Entry, why: string): string {
  return `entry ${number} (${method} ${path}): ${why}`;
}

/** Whether what a write left changed since, or is gone. */
function isMoved(error: unknown): error is Failure {
  return error instanceof NotFoundError || (error instanceof Failure && error.code === "changed_since");
}

/**
 * What can be undone now. Throws for the first part that changed since, unless the rest is to be undone, and if nothing is left
 * to undo.
 */
async function undoable(
  entry: Entry,
  { parts, left }: ReturnType<typeof partsOf>,
  isPartial: boolean,
  http: Http,
): Promise<ReturnType<typeof partsOf>> {
  const isAgain = (index: number) => parts.slice(0, index).some((later) => overlaps(later, parts[index]));
  const look = async (part: Part, index: number) => {
    if (isAgain(index)) return { part };
    try {
      await refuseIfChanged(part, http);
      return { part };
    } catch (error) {
      if (!isMoved(error)) throw error;
      return { part, failure: error };
    }
  };
  const looked = await pMap(parts, look, { concurrency: 4 });
  const kept = looked.flatMap(({ part, failure }) => (failure === undefined ? [part] : []));
  const moved = looked.flatMap(({ part, failure }) =>
    failure === undefined ? [] : [leftText(part.entry, failure.message)],
  );
  const [first] = looked.flatMap(({ failure }) => failure ?? []);
  if (first !== undefined && parts.length === 1) throw first;
  if (first !== undefined && !isPartial) {
    const only = kept.map(({ entry: { number } }) => `tongs journal undo ${number} --only`);
    const all = [`tongs journal undo ${entry.number} --partial`, ...(only.length > 3 ? [] : only)];
    throw withHint(first, `Nothing was undone.${kept.length === 0 ? "" : ` To undo the others: ${all.join("; ")}`}`);
  }
  const rest = [...left, ...moved];
  if (kept.length > 0) return { parts: kept, left: rest };
  throw new Failure("not_undoable", `Nothing of ${entry.command} can be undone: ${rest.join("; ")}`);
}

/** Sends an undo. A server can fail although it restored all (docs/server-differences.md, "Repositories"): that is looked at. */
async function undoOrLook(
  http: Http,
  request: PastRequest,
  notRestored: (now: unknown) => unknown[],
): Promise<unknown> {
  return undoPast(http, request).catch(async (error: unknown) => {
    if (!(error instanceof ServerError) || request.method !== "PATCH") throw error;
    const now = await readPast(http, request.path).catch(() => undefined);
    if (now === undefined || notRestored(now).length > 0) throw error;
    return now;
  });
}

/**
 * How the writes are undone that changed something, and those that cannot be. Throws a `Failure` for one of them, unless the
 * rest is to be undone, and if nothing is to undo.
 */
function partsOf(
  entry: Entry,
  entries: readonly Entry[],
  isPartial: boolean,
): { readonly parts: readonly Part[]; readonly left: readonly string[] } {
  const found = entries.map((one) => ({ entry: one, inverse: inverseOf(one) }));
  const kept = found.flatMap(({ entry: one, inverse }) =>
    typeof inverse === "string" && !leftNothing(one, inverse) ? [{ one, why: inverse }] : [],
  );
  const left = kept.map(({ one, why }) => leftText(one, why));
  const holdsUp = !isPartial && kept.some(({ one }) => !changedOnlyUnseen(one));
  const parts = found.flatMap(({ entry: one, inverse }) =>
    typeof inverse === "string" ? [] : [{ entry: one, inverse }],
  );
  if (parts.length === 0 && left.length > 0 && entries.some(({ undone }) => undone === true))
    throw new Failure("not_undoable", `Nothing of ${entry.command} is left to undo: ${left.join("; ")}`, {
      hint: "The rest was undone before.",
    });
  if (left.length > 0 && entries.length > 1 && (holdsUp || parts.length === 0)) {
    const [one] = parts;
    const rest =
      one === undefined
        ? ""
        : `\nTo undo the others: tongs journal undo ${entry.number} --partial` +
          `\nTo undo one request of it: tongs journal undo ${one.entry.number} --only`;
    throw new Failure("not_undoable", `${entry.command} cannot be undone as a whole: ${left.join("; ")}`, {
      hint: `Nothing was undone.${rest}`,
    });
  }
  if (parts.length > 0) return { parts, left };
  throw new Failure("not_undoable", `Entry ${entry.number} cannot be undone: ${String(inverseOf(entry))}`);
}

/** Whether the undo of two requests of a command sets the same field, or the first one changes something within the other. */
function overlaps({ inverse: { request } }: Part, other: Part | undefined): boolean {
  const path = other?.inverse.request.path;
  // An attachment, which the record of the comment that was created shows.
  if (other?.inverse.request.method === "DELETE" && request.path.startsWith(`${path}/`)) return true;
  if (other === undefined || request.path !== path) return false;
  const fields = Object.keys(other.inverse.request.body ?? {});
  const own = Object.keys(request.body ?? {});
  return own.length === 0 || fields.length === 0 || fields.some((name) => own.includes(name));
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
async function refuseOtherUser({ number, path, user }: Entry, { server, http }: ServerContext): Promise<void> {
  if (user === null || !path.startsWith(`${currentUserPath}/`)) return;
  const now = server.user ?? (await call(http, currentUserGet, {})).login;
  if (now === user) return;
  throw new UsageError(
    `Entry ${number} changed the account of ${user}, and you are signed in as ${now}`,
    "Pass --profile.",
  );
}

/** Throws a `Failure` if what the write left is not there as it was. */
async function refuseIfChanged({ entry, inverse }: Part, http: Http): Promise<void> {
  const reader = readerOf(http, entry.user);
  if (await inverse.isAsLeft(reader)) return;
  if ((await inverse.isAsBefore?.(reader)) === true)
    throw new Failure("changed_since", `Entry ${entry.number} has nothing to undo: all is as it was before`);
  throw new Failure("changed_since", `Entry ${entry.number} cannot be undone: it has changed since`, {
    hint: `See: tongs journal view ${entry.number}`,
  });
}
