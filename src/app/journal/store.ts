import { closeSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import { type Fields, fieldsOf } from "../../forge/undo.ts";
import { stateFolder } from "../../system/base-folders.ts";
import { createFolders, isPrivate, writeAll } from "../../system/files.ts";
import { type Lock, lock } from "../../system/lock.ts";
import { openBeside, readBeside } from "../../system/open-beside.ts";
import type { System } from "../../system/system.ts";
import { quoted } from "../../text/words.ts";

/** A write that a command sent. Secrets are masked. */
export interface SentRequest {
  readonly method: string;
  /** Path and query below the server's address. */
  readonly path: string;
  readonly body?: unknown;
  /** What was there before, as the undo of the write needs it: null if there was nothing. */
  readonly before?: unknown;
  /** The masked fields of the body that were so before. */
  readonly same?: readonly string[];
  /** The status of the response; absent if none arrived. */
  readonly status?: number;
  readonly after?: unknown;
  /** Whether it was undone. */
  readonly undone?: boolean;
}

/** A command that sent writes to a server. */
export interface Command {
  /** When it sent the first one, RFC 3339. */
  readonly at: string;
  /** `label edit` */
  readonly command: string;
  /** The command line; secrets are masked. */
  readonly line: string;
  /** The repository and the arguments: `mara/harbor bug`. */
  readonly about: string;
  readonly host: string;
  readonly profile: string | null;
  /** The username, if it is known. */
  readonly user: string | null;
  /** The administrator who acted as the user (--sudo), null if the name is not known; absent without --sudo. */
  readonly administrator?: string | null;
}

export interface Entry extends Command {
  readonly number: number;
  readonly requests: readonly SentRequest[];
}

/** How long entries are kept, in days. */
const keptDays = 90;

/** The folder of the journal. */
export function journalFolder(env: System["env"]): string {
  return join(stateFolder(env), "journal");
}

type Needs = Pick<System, "env" | "now">;

/**
 * Adds a command to the journal, in a file of its own: `12.jsonl`. The first line is the command; each other one is merged
 * into the request with its `index`, or into the command. Whoever creates the file has its number, so that several processes
 * need no lock. Throws an error of the file system.
 */
export function journalWriter({ env, now }: Needs) {
  const folder = journalFolder(env);
  let number: number | undefined;
  let count = 0;
  let user: string | null;
  return {
    /** Adds a request before it is sent, the first one with the command, and returns its index. */
    begin(command: Command, request: SentRequest): number {
      if (number === undefined) {
        number = create(folder, command, now());
        ({ user } = command);
      } else if (command.user !== user) {
        ({ user } = command);
        append(folder, number, { user });
      }
      append(folder, number, { index: count, ...request });
      count += 1;
      return count - 1;
    },
    /** Adds what became of a request. */
    end(index: number, outcome: Partial<SentRequest>): void {
      if (number !== undefined) append(folder, number, { index, ...outcome });
    },
  };
}

/** Notes that a request was undone. */
export function noteUndone({ number }: Entry, index: number, { env }: Needs): void {
  append(journalFolder(env), number, { index, undone: true });
}

/** Claims an entry until it is released or the process ends; undefined if it is being undone. */
export function claimUndo(number: number, { env }: Needs): Promise<Lock | undefined> {
  return lock(join(journalFolder(env), `undo-${number}`));
}

/** Creates the file of a command, and deletes those that are too old. */
function create(folder: string, command: Command, now: Date): number {
  createFolders(folder, 0o700);
  const numbers = numbersIn(folder);
  let number = (numbers[0] ?? 0) + 1;
  while (!write(fileOf(folder, number), "wx", JSON.stringify(command))) number += 1;
  for (const old of numbers.toReversed()) {
    const entry = readIn(folder, old);
    if (entry !== undefined && !isOld(entry, now)) break;
    if (entry !== undefined) rmSync(fileOf(folder, old), { force: true });
  }
  return number;
}

function fileOf(folder: string, number: number): string {
  return join(folder, `${number}.jsonl`);
}

/** A line begins with its line break: what a full disk cut off stays a line of its own. */
function append(folder: string, number: number, line: object): void {
  write(fileOf(folder, number), "a", `\n${JSON.stringify(line)}`);
}

/** Writes a text with one write; false if a new file is there already. */
function write(path: string, way: "a" | "wx", text: string): boolean {
  try {
    const file = openBeside(path, way, 0o600);
    try {
      writeAll(file, Buffer.from(text));
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    if (way === "wx" && hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function isOld({ at }: Entry, now: Date): boolean {
  return now.getTime() - Date.parse(at) > keptDays * 24 * 60 * 60_000;
}

/** Throws a `config` failure for a folder that others can write to: an undo would send what they wrote. */
function requireOwn(folder: string): void {
  if (!existsSync(folder) || isPrivate(folder)) return;
  const hint = "Move it away, or make it yours alone: chmod 700";
  throw new Failure("config", `Other users can change ${folder}`, { hint: `${hint} ${quoted(folder)}` });
}

/** The numbers of the files, the last one first. Throws as `requireOwn`. */
function numbersIn(folder: string): number[] {
  requireOwn(folder);
  try {
    const names = readdirSync(folder).filter((name) => /^\d{1,15}\.jsonl$/.test(name));
    return names.map((name) => Number.parseInt(name, 10)).sort((one, other) => other - one);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

/** The entry with a number; undefined if there is none, or the file is damaged. */
export function readEntry(number: number, { env }: Needs): Entry | undefined {
  const folder = journalFolder(env);
  requireOwn(folder);
  return readIn(folder, number);
}

/** The entries that are not too old, the last one first, each read when it is asked for; and how many there are. */
export function readEntries({ env, now }: Needs): { readonly total: number; readonly entries: Iterable<Entry> } {
  const folder = journalFolder(env);
  const numbers = numbersIn(folder);
  const entries = function* () {
    for (const number of numbers) {
      const entry = readIn(folder, number);
      if (entry !== undefined && !isOld(entry, now())) yield entry;
    }
  };
  return { total: numbers.length, entries: entries() };
}

/** A damaged line is left out. */
function readIn(folder: string, number: number): Entry | undefined {
  let command: Partial<Command> = {};
  const requests = new Map<unknown, Partial<SentRequest>>();
  for (const text of (readIfThere(fileOf(folder, number)) ?? "").split("\n")) {
    const { index, ...line } = parsed(text);
    if (index === undefined) command = { ...command, ...line };
    else requests.set(index, { ...requests.get(index), ...line });
  }
  if (!isCommand(command)) return undefined;
  return { ...command, number, requests: [...requests.values()].filter(isRequest) };
}

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function isCommand(found: Partial<Command>): found is Command {
  const { at, command, line, about, host } = found;
  return [at, command, line, about, host].every((field) => typeof field === "string");
}

function isRequest(found: Partial<SentRequest>): found is SentRequest {
  return typeof found.method === "string" && typeof found.path === "string";
}

function readIfThere(path: string): string | undefined {
  try {
    return readBeside(path).toString("utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
