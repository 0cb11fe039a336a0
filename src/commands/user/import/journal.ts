import { existsSync, ftruncateSync, openSync, readFileSync } from "node:fs";
import { Failure, UsageError } from "../../../failure/failure.ts";
import { gatherLines, writeWhole } from "./append-lines.ts";
import { type Begun, begunAgain } from "./existing-accounts.ts";
import type { Outcome } from "./outcome.ts";

/** The journal of an import: what was begun and what became of it, a JSON object a line. It holds no password. */
export interface Journal {
  /** The lines that need nothing more. */
  readonly done: ReadonlySet<number>;
  /** The lines that were begun before and are not ended, with what is known of their POSTs. */
  readonly begun: ReadonlyMap<number, Begun>;
  /**
   * Fulfilled when it is noted, and the row may be sent. `at` is the server's time, in milliseconds since 1970;
   * `absent`: the server had no such account.
   */
  begin(row: {
    readonly line: number;
    readonly username: string;
    readonly at: number | undefined;
    readonly absent: boolean;
  }): Promise<void>;
  /** Fulfilled when it is noted that the server created the account of a line, and what is left may be sent. */
  made(line: number, id: number): Promise<void>;
  /** Fulfilled when it is noted. `open`: the row failed, and the account may be there nevertheless. */
  end(outcome: Outcome, open: boolean): Promise<void>;
  finish(): Promise<void>;
  close(): void;
}

/** A journal that notes nothing, for `--dry-run`. */
export const noJournal: Journal = {
  done: new Set(),
  begun: new Map(),
  async begin() {},
  async made() {},
  async end() {},
  async finish() {},
  close() {},
};

const mark = "tongs user import";

interface Head {
  readonly journal: typeof mark;
  readonly file: string;
  readonly host: string;
}

/**
 * Opens the journal beside a file. An unfinished one is continued with `resume` and refused without it; it belongs to
 * one file (by its hash) and one server.
 */
export function openJournal(
  path: string,
  about: { readonly hash: string; readonly host: string; readonly resume: boolean; readonly now: () => Date },
): Journal {
  const state = { done: new Set<number>(), begun: new Map<number, Begun>() };
  const lines = existsSync(path) ? wholeLines(path) : [];
  const finished = lines.some((line) => "finished" in line);
  const fresh = lines.length === 0 || (finished && !about.resume);
  if (!fresh && !about.resume) {
    const hint = `Continue with --resume, or begin anew after removing ${path}.`;
    throw new UsageError(`${path} is the journal of an import that has not ended`, hint);
  }
  if (!fresh) readBack(path, lines, about, state);
  const file = openSync(path, "a", 0o600);
  ftruncateSync(file, fresh ? 0 : readFileSync(path).lastIndexOf(0x0a) + 1);
  const head: Head = { journal: mark, file: about.hash, host: about.host };
  if (fresh) writeWhole(file, `${JSON.stringify(head)}\n`, path);
  const gathered = gatherLines(file, path);
  const write = (entry: unknown) => gathered.add(`${JSON.stringify(entry)}\n`);
  return {
    ...state,
    begin: ({ line, username, at, absent }) => write({ begin: line, username, server: at, absent }),
    made: (line, id) => write({ made: line, id }),
    end: ({ changes: _changes, ...outcome }, open) => write(open ? { ...outcome, open } : outcome),
    finish: () => write({ finished: about.now().toISOString() }),
    // After an interruption answers may still come in; their rows stay open.
    close: gathered.close,
  };
}

function readBack(
  path: string,
  [head, ...lines]: readonly Readonly<Record<string, unknown>>[],
  about: { readonly hash: string; readonly host: string },
  { done, begun }: { readonly done: Set<number>; readonly begun: Map<number, Begun> },
): void {
  if (head?.["journal"] !== mark) throw notAJournal(path);
  if (head["file"] !== about.hash) {
    throw new UsageError(
      `The file has changed since ${path} was begun`,
      "Import the same file, or begin anew with another --journal.",
    );
  }
  if (head["host"] !== about.host) {
    throw new UsageError(`${path} is of an import into ${String(head["host"])}, not ${about.host}`);
  }
  for (const entry of lines) {
    const { begin, server, absent, made, id, line } = entry;
    if (typeof begin === "number") {
      const at = typeof server === "number" ? server : undefined;
      begun.set(begin, begunAgain(begun.get(begin), { at, absent: absent === true }));
    }
    const before = typeof made === "number" ? begun.get(made) : undefined;
    if (typeof made === "number" && typeof id === "number" && before !== undefined) begun.set(made, { ...before, id });
    if (typeof line !== "number" || entry["open"] === true) continue;
    begun.delete(line);
    if (entry["action"] !== "failed") done.add(line);
  }
}

function notAJournal(path: string): UsageError {
  return new UsageError(`${path} is there and is no journal of an import`, "Name another file with --journal.");
}

/** The lines of a journal; one that was cut off by a crash is left out. Anything else than a journal is not touched. */
function wholeLines(path: string): Readonly<Record<string, unknown>>[] {
  const text = readFileSync(path, "utf8");
  const start = JSON.stringify({ journal: mark }).slice(0, -1);
  if (!text.startsWith(start.slice(0, text.length))) throw notAJournal(path);
  const whole = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .slice(0, -1);
  return whole.map((line, index) => {
    try {
      return JSON.parse(line) as Record<string, unknown>;
    } catch (cause) {
      throw new Failure("journal", "failure", `Line ${index + 1} of ${path} is not JSON`, { cause });
    }
  });
}
