import type { BaseContext, ServerContext } from "../../../app/context.ts";
import type { ExitName } from "../../../failure/exit-codes.ts";
import { column } from "../../../output/table.ts";
import { accountLabel, addressText } from "../../../profiles/server.ts";
import { inOrder } from "../../../system/concurrency.ts";
import { safe } from "../../../text/safe.ts";
import { applyRow } from "./apply.ts";
import type { Checked } from "./check.ts";
import { type Journal, noJournal, openJournal } from "./journal.ts";
import { askServer } from "./on-server.ts";
import type { Outcome } from "./outcome.ts";
import { checkPasswordFile, noPasswordFile, openPasswordFile, type PasswordFile } from "./passwords.ts";
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
    readonly journal: string | undefined;
    readonly resume: boolean;
  },
  context: Context,
): Promise<ExitName | undefined> {
  const { forge, out, server, system, options } = context;
  const about = { hash: checked.hash, host: addressText(server.base), resume: flags.resume, now: system.now };
  const named = flags.generatePasswords;
  if (named !== undefined && !options.dryRun) checkPasswordFile(named, flags.resume);
  const journal = options.dryRun ? noJournal : openJournal(flags.journal ?? `${source.path}.journal`, about);
  const passwords = named === undefined ? undefined : openPasswords(named, journal, options.dryRun);
  const rejects = openRejects(
    `${source.journal?.replace(/\.journal$/, "") ?? flags.journal ?? "stdin"}.failed`,
    source.format,
    flags.resume,
  );
  const counts = new Map<string, number>();
  const { counter } = await import("../../../output/progress.ts");
  const progress = counter("imported", checked.rows - journal.done.size, { system, out, quiet: options.quiet });

  async function* applied(): AsyncGenerator<Outcome, void, undefined> {
    const { onExisting, jobs = 8 } = flags;
    const applying = { forge, journal, passwords, onExisting, signal: system.signal };
    const waiting = goodRows(source, checked, (row) => !journal.done.has(row.line));
    const work = (row: Row) => applyRow(row, applying);
    // Under --dry-run the first write ends everything, so there must be one that is first.
    for await (const { row, outcome, noted } of inOrder(waiting, options.dryRun ? 1 : jobs, work)) {
      await noted;
      progress.step();
      counts.set(outcome.action, (counts.get(outcome.action) ?? 0) + 1);
      if (outcome.action === "failed") {
        rejects.add(row);
        progress.end();
        system.stderr.write(`line ${outcome.line} (${outcome.username}): ${safe(outcome.reason ?? "")}\n`);
      }
      yield outcome;
    }
  }

  let ended = false;
  try {
    if (out.records) await out.list({ take: applied, total: undefined }, columns, { whole: true });
    else for await (const _result of applied());
    if (rejects.count() === 0) await journal.finish();
    ended = true;
  } finally {
    progress.end();
    journal.close();
    passwords?.close();
    rejects.close();
    if (!ended && !options.dryRun) out.note(`Interrupted; go on with --resume. ${summary(counts)} so far.`);
  }
  const failed = rejects.count();
  const result = `${summary(counts)} ${accountLabel(server)}`;
  if (failed === 0) {
    await out.done(result);
    return undefined;
  }
  out.note(result);
  out.note(`The ${failed} that failed are in ${rejects.path}; it can be imported again.`);
  return "partly";
}

function openPasswords(path: string, { unmade }: Journal, dry: boolean): PasswordFile {
  return dry ? noPasswordFile : openPasswordFile(path, unmade);
}

/** The rows that the check kept, or those of the file. */
function goodRows(
  source: Source,
  { few }: Checked,
  wanted: (row: Row) => boolean = () => true,
): readonly Row[] | AsyncIterable<Row> {
  return few?.filter(wanted) ?? rowsOfFile(source, wanted);
}

async function* rowsOfFile({ path, format }: Source, wanted: (row: Row) => boolean): AsyncGenerator<Row> {
  for await (const reads of readRows(path, format)) {
    for (const read of reads) if ("row" in read && wanted(read.row)) yield read.row;
  }
}

function summary(counts: ReadonlyMap<string, number>): string {
  const parts = [...counts].map(([action, count]) => `${count} ${action}`);
  return parts.length === 0 ? "Nothing to do" : parts.join(", ");
}
