import { existsSync, ftruncateSync, openSync, readFileSync } from "node:fs";
import { Failure, UsageError } from "../../../failure/failure.ts";
import { lineWriter, writeText } from "./append-lines.ts";
import type { KeptCommand } from "./command-line.ts";
import { type Attempt, addAttempt } from "./existing-users.ts";
import type { Outcome } from "./outcome.ts";

/** The journal of an import: when each row was started and its outcome, one JSON object per line, without passwords. */
export interface Journal {
  /** The lines of the file that are finished. */
  readonly done: ReadonlySet<number>;
  /** The requests of earlier runs for lines that are not finished. */
  readonly attempts: ReadonlyMap<number, Attempt>;
  /**
   * Records the start of a row; when it resolves the request may be sent. `at` is the server's time, in milliseconds
   * since 1970; `absent` is whether the user did not exist.
   */
  begin(row: {
    readonly line: number;
    readonly username: string;
    readonly at: number | undefined;
    readonly absent: boolean;
  }): Promise<void>;
  /** Records that the server created the user of a line; when it resolves the remaining fields may be sent. */
  created(line: number, id: number): Promise<void>;
  /** Records the outcome of a row. `unsettled`: the user may have been created although the row failed. */
  end(outcome: Outcome, unsettled: boolean): Promise<void>;
  finish(): Promise<void>;
  close(): void;
}

const marker = "tongs user import";

interface Header {
  readonly journal: typeof marker;
  readonly file: string;
  readonly host: string;
  /** What the first command said; absent in journals of older versions. */
  readonly command: KeptCommand;
}

/** An import, for its journal. */
interface About {
  /** The hash of the file. */
  readonly hash: string;
  readonly host: string;
  readonly resume: boolean;
  readonly kept: KeptCommand;
  readonly now: () => Date;
}

/** Throws a usage error for the journal of an unfinished import, with the command that continues it. */
export function refuseUnfinished(path: string, continuing: string): void {
  const lines = existsSync(path) ? completeLines(path) : [];
  if (lines.length === 0 || lines.some((line) => "finished" in line)) return;
  const hint = `To continue it, run: ${continuing}\nTo start over, remove ${path}`;
  throw new UsageError(`${path} is the journal of an unfinished import`, hint);
}

/**
 * Opens the journal of an import. A journal belongs to one file (by its hash) and one server. Throws a usage error for
 * another file or server. Without `resume`, `refuseUnfinished` has to be called before.
 */
export function openJournal(path: string, about: About): Journal {
  const state = { done: new Set<number>(), attempts: new Map<number, Attempt>() };
  const lines = existsSync(path) ? completeLines(path) : [];
  const finished = lines.some((line) => "finished" in line);
  const isNew = lines.length === 0 || (finished && !about.resume);
  if (!isNew) restore(path, lines, about, state);
  const file = openSync(path, "a", 0o600);
  ftruncateSync(file, isNew ? 0 : readFileSync(path).lastIndexOf(0x0a) + 1);
  const header: Header = { journal: marker, file: about.hash, host: about.host, command: about.kept };
  if (isNew) writeText(file, `${JSON.stringify(header)}\n`, path);
  const writer = lineWriter(file, path);
  const write = (entry: unknown) => writer.add(`${JSON.stringify(entry)}\n`);
  return {
    ...state,
    begin: ({ line, username, at, absent }) => write({ begin: line, username, server: at, absent }),
    created: (line, id) => write({ made: line, id }),
    end: ({ changes: _changes, ...outcome }, unsettled) => write(unsettled ? { ...outcome, open: true } : outcome),
    finish: () => write({ finished: about.now().toISOString() }),
    // Responses that arrive after an interruption are not recorded; --resume handles their rows.
    close: writer.close,
  };
}

/** A journal that is read for `resume` and records nothing, for `--dry-run`. Throws as `openJournal`. */
export function unwrittenJournal(path: string, about: About): Journal {
  const state = { done: new Set<number>(), attempts: new Map<number, Attempt>() };
  const lines = about.resume && existsSync(path) ? completeLines(path) : [];
  if (lines.length > 0) restore(path, lines, about, state);
  return {
    ...state,
    async begin() {},
    async created() {},
    async end() {},
    async finish() {},
    close() {},
  };
}

/** Reads the state of an interrupted import. Throws a usage error for a journal of another file or server. */
function restore(
  path: string,
  [header, ...lines]: readonly Readonly<Record<string, unknown>>[],
  about: { readonly hash: string; readonly host: string },
  { done, attempts }: { readonly done: Set<number>; readonly attempts: Map<number, Attempt> },
): void {
  if (header?.["journal"] !== marker) throw notAJournal(path);
  if (header["file"] !== about.hash) {
    throw new UsageError(
      `The file has changed since the import in ${path} was started`,
      "Import the original file, or start over with another --journal.",
    );
  }
  if (header["host"] !== about.host) {
    throw new UsageError(`${path} belongs to an import into ${String(header["host"])}, not ${about.host}`);
  }
  for (const entry of lines) {
    const { begin, server, absent, made, id, line } = entry;
    if (typeof begin === "number") {
      const at = typeof server === "number" ? server : undefined;
      attempts.set(begin, addAttempt(attempts.get(begin), { at, absent: absent === true }));
    }
    const attempt = typeof made === "number" ? attempts.get(made) : undefined;
    if (typeof made === "number" && typeof id === "number" && attempt !== undefined)
      attempts.set(made, { ...attempt, id });
    if (typeof line !== "number" || entry["open"] === true) continue;
    attempts.delete(line);
    if (entry["action"] !== "failed") done.add(line);
  }
}

function notAJournal(path: string): UsageError {
  return new UsageError(`${path} is not an import journal`, "Pass another file to --journal.");
}

/** The complete lines of a journal; a crash may leave an incomplete one. Throws for a file that is not a journal. */
function completeLines(path: string): Readonly<Record<string, unknown>>[] {
  const text = readFileSync(path, "utf8");
  const start = JSON.stringify({ journal: marker }).slice(0, -1);
  if (!text.startsWith(start.slice(0, text.length))) throw notAJournal(path);
  const complete = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .slice(0, -1);
  return complete.map((line, index) => {
    try {
      return JSON.parse(line) as Record<string, unknown>;
    } catch (cause) {
      throw new Failure("invalid_journal", `Line ${index + 1} of ${path} is not valid JSON`, { cause });
    }
  });
}
