import { createHash } from "node:crypto";
import type { BaseContext, ServerContext } from "../../../app/context.ts";
import type { ExitName } from "../../../failure/exit-codes.ts";
import { Failure } from "../../../failure/failure.ts";
import { counter } from "../../../output/progress.ts";
import { column } from "../../../output/table.ts";
import { accountLabel, addressText } from "../../../profiles/server.ts";
import { inOrder } from "../../../system/concurrency.ts";
import { brokenReason } from "../../../system/output-stream.ts";
import { safe } from "../../../text/safe.ts";
import { applyRow } from "./apply.ts";
import { lookBefore, nothingBefore } from "./before.ts";
import type { Checked } from "./check.ts";
import { noJournal, openJournal } from "./journal.ts";
import { askServer } from "./on-server.ts";
import type { Outcome } from "./outcome.ts";
import { checkPasswordFile, noPasswordFile, openPasswordFile } from "./passwords.ts";
import { type OnExisting, planRow } from "./plan.ts";
import { openRejects } from "./rejects.ts";
import { type Row, readRows } from "./rows.ts";
import type { Source } from "./source.ts";

type Context = BaseContext & ServerContext;

interface Flags {
  readonly onExisting: OnExisting;
  readonly jobs: number | undefined;
}

const columns = [
  column<Outcome>("LINE", (item) => item.line),
  column<Outcome>("NAME", (item) => item.username),
  column<Outcome>("ACTION", (item) => item.action),
  column<Outcome>("DETAILS", details, true),
];

function details({ changes, reason }: Outcome): string {
  const changed = Object.entries(changes ?? {}).map(([name, [before, after]]) => `${name}: ${before} → ${after}`);
  return [...changed, ...(reason === undefined ? [] : [reason])].join(", ");
}

/** Prints what would happen with each row. */
export async function planFile(
  source: Source,
  checked: Checked,
  flags: Flags,
  { forge, out }: Context,
): Promise<ExitName | undefined> {
  const counts = new Map<string, number>();
  const untold = () => out.note("This server does not list mail addresses: one that is in use is not found out here.");
  async function* planned(): AsyncGenerator<Outcome, void, undefined> {
    const server = await askServer(forge, checked, flags.onExisting, untold);
    const rows = inOrder(goodRows(source, checked), flags.jobs ?? 8, (row) => planRow(server, row, flags.onExisting));
    for await (const item of rows) {
      counts.set(item.action, (counts.get(item.action) ?? 0) + 1);
      yield item;
    }
  }
  await out.list({ take: planned, total: undefined }, columns, { whole: true });
  out.note(`${summary(counts)}; nothing was sent.`);
  return counts.has("invalid") ? "usage" : undefined;
}

/** Imports each row that the journal does not have yet. */
export async function applyFile(
  source: Source,
  checked: Checked,
  flags: Flags & {
    readonly generatePasswords: string | undefined;
    readonly journal: string;
    /** The file for rows that failed. */
    readonly failed: string;
    /** The flags that resume it. */
    readonly again: string;
    readonly resume: boolean;
  },
  context: Context,
): Promise<ExitName | undefined> {
  const { forge, out, server, system, options } = context;
  const about = { hash: checked.hash, host: addressText(server.base), resume: flags.resume, now: system.now };
  const named = flags.generatePasswords;
  if (named !== undefined && !options.dryRun) checkPasswordFile(named, flags.resume);
  const journal = options.dryRun ? noJournal : openJournal(flags.journal, about);
  const passwords = named === undefined ? undefined : options.dryRun ? noPasswordFile : openPasswordFile(named);
  const before = options.dryRun ? nothingBefore : lookBefore(forge, checked, checked.rows - journal.done.size);
  const rejects = openRejects(flags.failed, source.format, flags.resume);
  const counts = new Map<string, number>();
  const progress = counter("imported", checked.rows - journal.done.size, { system, out, quiet: options.quiet });

  async function* applied(): AsyncGenerator<Outcome, void, undefined> {
    const { onExisting, jobs = 8 } = flags;
    const applying = { forge, journal, passwords, before, onExisting, signal: system.signal };
    const waiting = goodRows(source, checked, (row) => !journal.done.has(row.line));
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
    if (came !== checked.rows) throw changed(source);
    if (rejects.count() === 0 && !counts.has("unknown")) await journal.finish();
    ended = true;
  } finally {
    progress.end();
    journal.close();
    rejects.close();
    if (!ended && !options.dryRun) out.note(`Interrupted; go on with ${flags.again}. ${summary(counts)} so far.`);
    // It may fail where there is no room.
    passwords?.close();
  }
  const unprinted = await system.stdout.flushed();
  if (unprinted !== undefined) out.warn(`The rest was not printed: ${brokenReason(unprinted)}. See ${flags.journal}`);
  const failed = rejects.count();
  const unknown = counts.get("unknown") ?? 0;
  const result = `${summary(counts)} ${accountLabel(server)}`;
  if (failed === 0 && unknown === 0) {
    await out.done(result);
    return unprinted === undefined || unprinted.code === "EPIPE" ? undefined : "failure";
  }
  out.note(result);
  if (failed > 0) out.note(`The ${failed} that failed are in ${rejects.path}; it can be imported again.`);
  if (unknown > 0) out.note(`${unknown} may have been created; import again with ${flags.again} to find out.`);
  return "partly";
}

/** The rows that the check kept, or those of the file. */
function goodRows(
  source: Source,
  { few, hash }: Checked,
  wanted: (row: Row) => boolean = () => true,
): readonly Row[] | AsyncIterable<Row> {
  return few?.filter(wanted) ?? rowsOfFile(source, hash, wanted);
}

async function* rowsOfFile(source: Source, hash: string, wanted: (row: Row) => boolean): AsyncGenerator<Row> {
  const again = createHash("sha256");
  for await (const reads of readRows(source.path, source.format, (bytes) => again.update(bytes))) {
    for (const read of reads) if ("row" in read && wanted(read.row)) yield read.row;
  }
  if (again.digest("hex") !== hash) throw changed(source);
}

function changed({ path }: Source): Failure {
  const hint = "Some rows may not have been imported. Import the file as it was with --resume.";
  return new Failure("file_changed", "failure", `${path} changed after it was checked`, { hint });
}

function summary(counts: ReadonlyMap<string, number>): string {
  const parts = [...counts].map(([action, count]) => `${count} ${action}`);
  return parts.length === 0 ? "Nothing to do" : parts.join(", ");
}
