import { linkSync, lstatSync, readlinkSync, renameSync, type Stats, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Failure } from "../failure/failure.ts";
import { atPath, quoted, someOf } from "./archive-failure.ts";
import type { HeldFolder } from "./held-folder.ts";

/** Something to be moved: its path below the source, its path below the target, and whether it replaces what is there. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly replaces: boolean;
}

/** The folders of a move. */
export interface Folders {
  readonly source: HeldFolder;
  readonly target: HeldFolder;
  /** An empty folder on the same file system: what is replaced is kept there until everything is in place. */
  readonly kept: string;
}

interface Done extends Move {
  /** What was moved, and where it went. */
  readonly moved: Stats;
  readonly there: string;
  /** Whether it replaced a file, and where that is kept. */
  readonly replaced: boolean;
  readonly old: string | undefined;
}

/**
 * Moves everything into place by renaming, then lets `confirm` look at the result. When a move fails, or `confirm` does,
 * what was moved is moved back and what was replaced comes back; the failure names the target.
 */
export async function moveAll(moves: readonly Move[], folders: Folders, confirm: () => Promise<void>): Promise<void> {
  const done: Done[] = [];
  try {
    for (const [index, move] of moves.entries()) {
      if (index % 256 === 255) await nextTurn();
      moveOne(move, folders, done);
    }
    await confirm();
  } catch (error) {
    throw withOutcome(error, undo(done, folders));
  }
}

function moveOne(move: Move, { source, target, kept }: Folders, done: Done[]): void {
  try {
    const from = source.reach(move.from);
    const moved = lstatSync(from);
    const there = target.look(move.to);
    if (there !== undefined && !move.replaces) throw appeared(move.to);
    const to = target.reach(move.to);
    const old = there === undefined ? undefined : keep(there, to, join(kept, String(done.length)));
    renameSync(from, to);
    done.push({ ...move, moved, there: to, replaced: there !== undefined, old });
    target.check(move.to);
  } catch (error) {
    throw atPath(error, move.to);
  }
}

/** Keeps a file that is about to be replaced, by a second name; undefined where the file system has no such names. */
function keep(there: Stats, path: string, second: string): string | undefined {
  try {
    // Some systems would give the second name to what the link points to.
    if (there.isSymbolicLink()) symlinkSync(readlinkSync(path), second);
    else linkSync(path, second);
    return second;
  } catch (error) {
    if (error instanceof Error && "syscall" in error && /^(sym)?link$/.test(String(error.syscall))) return undefined;
    throw error;
  }
}

/** Moves everything back, the last first; returns the paths for which that was not possible. */
function undo(done: readonly Done[], { source, target }: Folders): string[] {
  const left: string[] = [];
  for (const one of [...done].reverse()) {
    try {
      const there = [() => target.reach(one.to), () => one.there].map(attempt).find((path) => holds(path, one.moved));
      if (there === undefined || (one.replaced && one.old === undefined)) left.push(one.to);
      else {
        renameSync(there, source.reach(one.from));
        if (one.old !== undefined) renameSync(one.old, there);
      }
    } catch {
      // Named in the failure that is under way.
      left.push(one.to);
    }
  }
  return left;
}

function attempt(path: () => string): string | undefined {
  try {
    return path();
  } catch {
    // Not reachable this way any more.
    return undefined;
  }
}

function holds(path: string | undefined, { dev, ino }: Stats): boolean {
  const facts = path === undefined ? undefined : lstatSync(path, { throwIfNoEntry: false });
  return facts?.dev === dev && facts.ino === ino;
}

function withOutcome(error: unknown, left: readonly string[]): unknown {
  if (!(error instanceof Failure)) return error;
  const outcome =
    left.length === 0
      ? "Nothing was put in place: what had been moved was moved back."
      : `These are in place already and could not be moved back: ${someOf(left.map(quoted))}`;
  const hint = error.hint === undefined ? outcome : `${outcome}\n${error.hint}`;
  return new Failure(error.code, error.exit, error.message, { hint, cause: error });
}

function appeared(path: string): Failure {
  return new Failure("exists", "failure", `A file is there already: ${quoted(path)}`, {
    hint: "It came while the archive was unpacked. --overwrite replaces, --skip-existing keeps it.",
  });
}
