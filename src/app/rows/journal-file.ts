import { existsSync, ftruncateSync } from "node:fs";
import { Failure, UsageError } from "../../failure/failure.ts";
import { openBeside, readBeside } from "../../system/open-beside.ts";
import { lineWriter, writeText } from "./append-lines.ts";

/** A line of a journal. */
export type Entry = Readonly<Record<string, unknown>>;

/** What a journal belongs to. */
export interface About {
  /** What writes it: `tongs user import`. */
  readonly by: string;
  /** The same in messages: `import`. */
  readonly noun: string;
  /** The hash of the file. */
  readonly hash: string;
  readonly host: string;
  readonly resume: boolean;
  /** The flag that selects another server: `--profile work`. */
  readonly flagOf?: (host: string) => string;
  /** What the first command said, without secrets. */
  readonly kept: unknown;
  readonly now: () => Date;
}

/** The file of a journal: one JSON object per line, without passwords. */
export interface JournalFile {
  /** The entries of the run that is continued. */
  readonly entries: readonly Entry[];
  /** Resolves when the entry is in the file, where it survives if the process is killed. */
  add(entry: Entry): Promise<void>;
  finish(): Promise<void>;
  close(): void;
}

/**
 * Throws a usage error for the journal of an unfinished run, with the command that continues it, and with what happens
 * `withoutIt`. That of another server is continued there.
 */
export function refuseUnfinished(
  path: string,
  about: Pick<About, "by" | "noun" | "host" | "flagOf"> & { readonly withoutIt?: string },
  continuing: string,
): void {
  const lines = existsSync(path) ? completeLines(path, about) : [];
  if (lines.length === 0 || lines.some((line) => "finished" in line)) return;
  if (lines[0]?.["host"] !== about.host) throw ofAnotherServer(path, String(lines[0]?.["host"]), about);
  const hint = `To continue it, run: ${continuing}\nTo start over, remove ${path}${about.withoutIt === undefined ? "" : `: ${about.withoutIt}`}`;
  throw new UsageError(`${path} is the journal of an unfinished ${about.noun}`, hint);
}

/**
 * Opens a journal. It belongs to one file (by its hash) and one server. Throws a usage error for another file or server.
 * Without `resume`, `refuseUnfinished` has to be called before.
 */
export function openJournalFile(path: string, about: About): JournalFile {
  const lines = existsSync(path) ? completeLines(path, about) : [];
  const finished = lines.some((line) => "finished" in line);
  const isNew = lines.length === 0 || (finished && !about.resume);
  const entries = isNew ? [] : entriesOf(path, lines, about);
  const file = openBeside(path, "a", 0o600);
  ftruncateSync(file, isNew ? 0 : Buffer.from(readBeside(path)).lastIndexOf(0x0a) + 1);
  const header = { journal: about.by, file: about.hash, host: about.host, command: about.kept };
  if (isNew) writeText(file, `${JSON.stringify(header)}\n`, path);
  const writer = lineWriter(file, path);
  const add = (entry: Entry) => writer.add(`${JSON.stringify(entry)}\n`);
  return {
    entries,
    add,
    finish: () => add({ finished: about.now().toISOString() }),
    // Responses that arrive after an interruption are not recorded; --resume handles their rows.
    close: writer.close,
  };
}

/** The entries of the run that `resume` continues. Throws as `requireJournal` and `openJournalFile`. */
export function resumedEntries(path: string, about: Omit<About, "kept" | "now">, other?: string): readonly Entry[] {
  if (!about.resume) return [];
  requireJournal(path, about, other);
  const lines = completeLines(path, about);
  return lines.length === 0 ? [] : entriesOf(path, lines, about);
}

/** Throws a usage error if there is no journal that `--resume` could continue; `other` says that there is the journal of another server. */
export function requireJournal(path: string, { host }: Pick<About, "host">, other?: string): void {
  if (existsSync(path)) return;
  const hint =
    other === undefined ? "Each server has its own journal. To start, run the command without --resume." : other;
  throw new UsageError(`Journal ${path} not found: there is nothing to resume on ${host}`, hint);
}

/** A journal that is read for `resume` and records nothing, for `--dry-run`. Throws as `openJournalFile`. */
export function unwrittenJournalFile(path: string, about: About): JournalFile {
  const lines = about.resume && existsSync(path) ? completeLines(path, about) : [];
  return {
    entries: lines.length === 0 ? [] : entriesOf(path, lines, about),
    async add() {},
    async finish() {},
    close() {},
  };
}

/** The entries of an interrupted run. Throws a usage error for a journal of another file or server. */
function entriesOf(
  path: string,
  [header, ...lines]: readonly Entry[],
  about: Omit<About, "kept" | "now">,
): readonly Entry[] {
  if (header?.["journal"] !== about.by) throw notAJournal(path, about);
  if (header["file"] !== about.hash) {
    throw new UsageError(
      `The file has changed since the ${about.noun} in ${path} was started`,
      "Pass the original file, or start over with another --journal.",
    );
  }
  if (header["host"] !== about.host) throw ofAnotherServer(path, String(header["host"]), about);
  return lines;
}

function ofAnotherServer(path: string, host: string, about: Pick<About, "noun" | "host" | "flagOf">): UsageError {
  const flag = about.flagOf?.(host) ?? "--profile or --host";
  return new UsageError(
    `${path} belongs to an ${about.noun} on ${host}, not ${about.host}`,
    `To continue it there, pass --resume ${flag}. For another one here, pass another --journal.`,
  );
}

function notAJournal(path: string, { noun }: Pick<About, "noun">): UsageError {
  return new UsageError(`${path} is not an ${noun} journal`, "Pass another file to --journal.");
}

/** The complete lines of a journal; a crash may leave an incomplete one. Throws for a file that is not a journal. */
export function completeLines(path: string, about: Pick<About, "by" | "noun">): readonly Entry[] {
  const text = readBeside(path);
  const start = JSON.stringify({ journal: about.by }).slice(0, -1);
  if (!text.startsWith(start.slice(0, text.length))) throw notAJournal(path, about);
  const complete = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .slice(0, -1);
  return complete.map((line, index) => {
    try {
      return JSON.parse(line) as Entry;
    } catch (cause) {
      throw new Failure("invalid_journal", `Line ${index + 1} of ${path} is not valid JSON`, { cause });
    }
  });
}
