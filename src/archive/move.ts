import { linkSync, lstatSync, readlinkSync, renameSync, type Stats, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Failure } from "../failure/failure.ts";
import { firstFew, quoted, withPath } from "./archive-failure.ts";
import type { HeldFolder } from "./held-folder.ts";

/** A file or folder to move: its path in the source, its path in the target, and whether it may replace a file. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly replaces: boolean;
}

/** The folders that moves work on. */
export interface Folders {
  readonly source: HeldFolder;
  readonly target: HeldFolder;
  /** An empty folder on the same file system for files that are replaced, until everything is in place. */
  readonly backup: string;
}

interface Done extends Move {
  /** What was moved, and to which path. */
  readonly moved: Stats;
  readonly target: string;
  /** Whether it replaced a file, and the path of that file in the backup folder. */
  readonly replaced: boolean;
  readonly backup: string | undefined;
}

/**
 * Moves everything into place by renaming, then calls `confirm` to check the result. When a move or `confirm` throws, it
 * moves everything back and restores the files that were replaced. The error names the path in the target.
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

function moveOne(move: Move, { source, target, backup }: Folders, done: Done[]): void {
  try {
    const from = source.resolve(move.from);
    const moved = lstatSync(from);
    const existing = target.stat(move.to);
    if (existing !== undefined && !move.replaces) throw fileAppeared(move.to);
    const to = target.resolve(move.to);
    const copy = existing === undefined ? undefined : backUp(existing, to, join(backup, String(done.length)));
    renameSync(from, to);
    done.push({ ...move, moved, target: to, replaced: existing !== undefined, backup: copy });
    target.verify(move.to);
  } catch (error) {
    throw withPath(error, move.to);
  }
}

/** Links a file that will be replaced to a path in the backup folder; undefined if the file system has no hard links. */
function backUp(existing: Stats, path: string, copy: string): string | undefined {
  try {
    // Some systems would link the target of a symbolic link.
    if (existing.isSymbolicLink()) symlinkSync(readlinkSync(path), copy);
    else linkSync(path, copy);
    return copy;
  } catch (error) {
    if (error instanceof Error && "syscall" in error && /^(sym)?link$/.test(String(error.syscall))) return undefined;
    throw error;
  }
}

/** Moves everything back, in reverse order. Returns the paths that could not be moved back. */
function undo(done: readonly Done[], { source, target }: Folders): string[] {
  const left: string[] = [];
  for (const one of [...done].reverse()) {
    try {
      const current = [() => target.resolve(one.to), () => one.target]
        .map(attempt)
        .find((path) => isAt(path, one.moved));
      if (current === undefined || (one.replaced && one.backup === undefined)) left.push(one.to);
      else {
        renameSync(current, source.resolve(one.from));
        if (one.backup !== undefined) renameSync(one.backup, current);
      }
    } catch {
      // Reported with the error that caused the undo.
      left.push(one.to);
    }
  }
  return left;
}

function attempt(path: () => string): string | undefined {
  try {
    return path();
  } catch {
    // Not accessible by this path any more.
    return undefined;
  }
}

function isAt(path: string | undefined, { dev, ino }: Stats): boolean {
  const stats = path === undefined ? undefined : lstatSync(path, { throwIfNoEntry: false });
  return stats?.dev === dev && stats.ino === ino;
}

function withOutcome(error: unknown, left: readonly string[]): unknown {
  if (!(error instanceof Failure)) return error;
  const outcome =
    left.length === 0
      ? "Nothing was put in place: files that had been moved were moved back."
      : `These are in place and could not be moved back: ${firstFew(left.map(quoted))}`;
  const hint = error.hint === undefined ? outcome : `${outcome}\n${error.hint}`;
  return new Failure(error.code, error.message, { hint, cause: error });
}

function fileAppeared(path: string): Failure {
  return new Failure("exists", `A file already exists: ${quoted(path)}`, {
    hint: "It was created while the archive was unpacked. Pass --clobber to replace it, or --skip-existing to keep it.",
  });
}
