import { closeSync, lstatSync, openSync, rmSync } from "node:fs";
import { stringify } from "csv-stringify/sync";
import type { BaseContext, ServerContext } from "../../../app/context.ts";
import { diskFailure } from "../../../failure/disk.ts";
import type { ExitName } from "../../../failure/exit-codes.ts";
import { counter } from "../../../output/progress.ts";
import { accountLabel, addressText } from "../../../profiles/server.ts";
import { inOrder } from "../../../system/concurrency.ts";
import { brokenReason } from "../../../system/output-stream.ts";
import { safe } from "../../../text/safe.ts";
import { writeWhole } from "./append-lines.ts";
import { applyRow } from "./apply-row.ts";
import { type Checked, changed, goodRows } from "./check.ts";
import { lookBefore, nothingBefore } from "./existing-accounts.ts";
import { noJournal, openJournal } from "./journal.ts";
import { columns, type Outcome, summary } from "./outcome.ts";
import { checkPasswordFile, noPasswordFile, openPasswordFile } from "./passwords.ts";
import type { PlanFlags } from "./plan.ts";
import { type ImportFormat, importFields, type Row } from "./rows.ts";
import type { Named } from "./source.ts";

/** The flags of `tongs user import` that applying needs. */
interface ApplyFlags extends PlanFlags {
  readonly generatePasswords: string | undefined;
  readonly resume: boolean;
}

/** Imports each row that the journal does not have yet. */
export async function applyFile(
  checked: Checked,
  named: Named,
  flags: ApplyFlags,
  context: BaseContext & ServerContext,
): Promise<ExitName | undefined> {
  const { forge, out, server, system, options } = context;
  const about = { hash: checked.hash, host: addressText(server.base), resume: flags.resume, now: system.now };
  const passwordPath = flags.generatePasswords;
  if (passwordPath !== undefined && !options.dryRun) checkPasswordFile(passwordPath, flags.resume);
  const journal = options.dryRun ? noJournal : openJournal(named.journal, about);
  const passwords =
    passwordPath === undefined ? undefined : options.dryRun ? noPasswordFile : openPasswordFile(passwordPath);
  const before = options.dryRun ? nothingBefore : lookBefore(forge, checked, checked.rows - journal.done.size);
  const rejects = openRejects(named.failed, named.format, flags.resume);
  const counts = new Map<string, number>();
  const progress = counter("imported", checked.rows - journal.done.size, { system, out, quiet: options.quiet });

  async function* applied(): AsyncGenerator<Outcome, void, undefined> {
    const { onExisting, jobs = 8 } = flags;
    const applying = { forge, journal, passwords, before, onExisting, signal: system.signal };
    const waiting = goodRows(checked, (row) => !journal.done.has(row.line));
    const work = (row: Row) => applyRow(row, applying);
    // Under --dry-run the first write ends everything, so there must be one that is first.
    for await (const { row, outcome, noted } of inOrder(waiting, options.dryRun ? 1 : jobs, work)) {
      await noted;
      progress.step();
      counts.set(outcome.action, (counts.get(outcome.action) ?? 0) + 1);
      if (outcome.action === "failed") rejects.add(row);
      if (outcome.action === "failed" || outcome.action === "unknown") {
        progress.end();
        system.stderr.write(`line ${outcome.line} (${outcome.username}): ${safe(outcome.reason ?? "")}\n`);
      }
      yield outcome;
    }
  }

  // Whoever reads what is printed may stop; the import goes on.
  system.stdout.keepGoing();
  system.stderr.keepGoing();
  let ended = false;
  try {
    if (out.records) await out.list({ take: applied, total: undefined }, columns, { whole: true });
    else for await (const _result of applied());
    // Under --dry-run the first write ended it.
    const came = [...counts.values()].reduce((sum, count) => sum + count, journal.done.size);
    if (came !== checked.rows) throw changed(checked.source);
    if (rejects.count() === 0 && !counts.has("unknown")) await journal.finish();
    ended = true;
  } finally {
    progress.end();
    journal.close();
    rejects.close();
    if (!ended && !options.dryRun) out.note(`Interrupted; go on with ${named.again}. ${summary(counts)} so far.`);
    // It may fail where there is no room.
    passwords?.close();
  }
  const unprinted = await system.stdout.flushed();
  if (unprinted !== undefined) out.warn(`The rest was not printed: ${brokenReason(unprinted)}. See ${named.journal}`);
  const failed = rejects.count();
  const unknown = counts.get("unknown") ?? 0;
  const result = `${summary(counts)} ${accountLabel(server)}`;
  if (failed === 0 && unknown === 0) {
    await out.done(result);
    return unprinted === undefined || unprinted.code === "EPIPE" ? undefined : "failure";
  }
  out.note(result);
  if (failed > 0) out.note(`The ${failed} that failed are in ${rejects.path}; it can be imported again.`);
  if (unknown > 0) out.note(`${unknown} may have been created; import again with ${named.again} to find out.`);
  return "partly";
}

/** The rows that failed, in the form they came in, so that the file can be imported again. Made with the first one. */
interface Rejects {
  readonly path: string;
  readonly count: () => number;
  add(row: Row): void;
  close(): void;
}

/** Opens the file of failed rows. It may hold passwords, so it is 0600. One of the interrupted import is outdated. */
function openRejects(path: string, format: ImportFormat, resumed: boolean): Rejects {
  let file: number | undefined;
  let count = 0;
  return {
    path,
    count: () => count,
    add(row) {
      count += 1;
      const isFirst = file === undefined;
      file ??= openNew(path);
      writeWhole(file, format === "jsonl" ? `${JSON.stringify(row.fields)}\n` : csv(row, isFirst), path);
    },
    close() {
      if (file !== undefined) closeSync(file);
      else if (resumed) rmSync(path, { force: true });
    },
  };
}

/**
 * A new file in the place of an older one: who had that open, or could read it, does not read this one. What is no file
 * stays.
 */
function openNew(path: string): number {
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
