import { closeSync, lstatSync, openSync, rmSync } from "node:fs";
import { stringify } from "csv-stringify/sync";
import type { BaseContext, ServerContext } from "../../../app/context.ts";
import { writeText } from "../../../app/rows/append-lines.ts";
import { diskFailure } from "../../../failure/disk.ts";
import type { ExitName } from "../../../failure/exit-codes.ts";
import { flagOf } from "../../../profiles/choose.ts";
import { accountLabel, addressText } from "../../../profiles/server.ts";
import { runRows } from "../rows/run-rows.ts";
import { importRow } from "./apply-row.ts";
import { type CheckedFile, fileChanged, rowsToImport } from "./check.ts";
import type { ImportCommand } from "./command-line.ts";
import { readServerState, unknownServerState } from "./existing-users.ts";
import { openJournal, refuseUnfinished, unwrittenJournal } from "./journal.ts";
import { type Outcome, outcomeColumns, summary } from "./outcome.ts";
import { checkPasswordFile, openPasswordFile, unsavedPasswords } from "./passwords.ts";
import { type ImportFormat, importFields, type Row } from "./rows.ts";

/** Imports each row that is not finished in the journal, and reports the result. */
export async function applyFile(
  checked: CheckedFile,
  command: ImportCommand,
  context: BaseContext & ServerContext,
): Promise<ExitName | undefined> {
  const { http, out, server, system, options, profiles } = context;
  const { resume, kept, continuing, generatePasswords: passwordPath } = command;
  const flag = (host: string) => flagOf(profiles.read(), host);
  const host = addressText(server.base);
  const about = { hash: checked.hash, host, resume, kept, now: system.now, flagOf: flag };
  if (!options.dryRun && !resume) refuseUnfinished(command.journal, about, continuing);
  if (passwordPath !== undefined && !options.dryRun) checkPasswordFile(passwordPath, resume);
  const journal = options.dryRun ? unwrittenJournal(command.journal, about) : openJournal(command.journal, about);
  const passwords =
    passwordPath === undefined ? undefined : options.dryRun ? unsavedPasswords : openPasswordFile(passwordPath);
  const serverState = options.dryRun
    ? unknownServerState
    : readServerState(http, checked, checked.rows - journal.done.size);
  const failedRows = options.dryRun ? countFailedRows(command.failed) : openFailedRows(command.failed, command.format);
  const counts = new Map<string, number>();
  const { onExisting } = command;
  const shared = { http, server, journal, passwords, serverState, onExisting, continuing, signal: system.signal };
  let isPrinted: boolean;
  try {
    isPrinted = await runRows<Row, Outcome>(
      {
        rows: rowsToImport(checked, (row) => !journal.done.has(row.line)),
        count: checked.rows - journal.done.size,
        did: "imported",
        jobs: command.jobs,
        async work(row) {
          const { outcome, recorded } = await importRow(row, shared);
          return { outcomes: [outcome], recorded };
        },
        columns: outcomeColumns,
        onOutcome({ action, line, username, reason = "" }, row) {
          counts.set(action, (counts.get(action) ?? 0) + 1);
          if (action === "failed") failedRows.add(row);
          return action === "failed" || action === "unknown" ? `line ${line} (${username}): ${reason}` : undefined;
        },
        async complete() {
          // With --dry-run the first write has ended the import.
          const processed = [...counts.values()].reduce((sum, count) => sum + count, journal.done.size);
          if (processed !== checked.rows) throw fileChanged(checked.source);
          if (failedRows.count() === 0 && !counts.has("unknown")) await journal.finish();
        },
        close(completed) {
          journal.close();
          failedRows.close(resume && completed);
        },
        soFar: () => (counts.size === 0 ? "" : summary(counts)),
        journal: command.journal,
        continuing,
      },
      context,
    );
  } finally {
    // Last, as it fails if the disk is full.
    passwords?.close();
  }
  const failed = failedRows.count();
  const unknown = counts.get("unknown") ?? 0;
  const ended = [...counts.values()].reduce((sum, count) => sum + count, journal.done.size);
  const all = journal.done.size === 0 ? "" : `, with earlier runs ${ended} of ${checked.rows} rows`;
  const result = `${summary(counts)}${all} ${accountLabel(server)}`;
  if (failed === 0 && unknown === 0) {
    await out.done(result);
    return isPrinted ? undefined : "failure";
  }
  out.note(result);
  if (failed > 0 && !options.dryRun) {
    out.note(
      `Wrote ${failed} failed ${failed === 1 ? "row" : "rows"} to ${failedRows.path}; fix and import that file.`,
    );
  }
  if (unknown > 0) {
    const users = unknown === 1 ? "user" : "users";
    out.note(`${unknown} ${users} may have been created. To find out, run: ${continuing}`);
  }
  return "partly";
}

/** A file of failed rows, in the format of the import, that can be imported again. Created for the first row. */
interface FailedRows {
  readonly path: string;
  readonly count: () => number;
  add(row: Row): void;
  /** `replaces`: if no row failed, removes the file of an earlier run. */
  close(replaces: boolean): void;
}

/** Counts the failed rows and writes nothing, for `--dry-run`. */
function countFailedRows(path: string): FailedRows {
  let count = 0;
  return {
    path,
    count: () => count,
    add() {
      count += 1;
    },
    close() {},
  };
}

/** Opens the file of failed rows, with mode 0600 as it may contain passwords. */
function openFailedRows(path: string, format: ImportFormat): FailedRows {
  let file: number | undefined;
  let count = 0;
  return {
    path,
    count: () => count,
    add(row) {
      count += 1;
      const isFirst = file === undefined;
      file ??= createFailedFile(path);
      writeText(file, format === "jsonl" ? `${JSON.stringify(row.fields)}\n` : csv(row, isFirst), path);
    },
    close(replaces) {
      if (file !== undefined) closeSync(file);
      else if (replaces) rmSync(path, { force: true });
    },
  };
}

/**
 * Replaces an older file by a new one, so that nobody who has the older one open can read the rows. Fails for anything
 * that is not a file or a symbolic link.
 */
function createFailedFile(path: string): number {
  try {
    const older = lstatSync(path, { throwIfNoEntry: false });
    if (older?.isFile() || older?.isSymbolicLink()) rmSync(path);
    return openSync(path, "wx", 0o600);
  } catch (error) {
    throw diskFailure(error, path) ?? error;
  }
}

function csv(row: Row, isFirst: boolean): string {
  const columns = Object.keys(importFields);
  return stringify([...(isFirst ? [columns] : []), columns.map((name) => String(row.fields[name] ?? ""))]);
}
