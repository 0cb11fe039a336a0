import type { Listing } from "../http/pages.ts";
import type { System } from "../system/system.ts";
import { safe } from "../text/safe.ts";
import { bufferedWriter } from "./buffered-writer.ts";
import { type Format, recordWriter } from "./formats.ts";
import type { Palette, Palettes } from "./palette.ts";
import { plainSheet, type Sheet, shownSheet } from "./sheet.ts";
import { type Column, plainRow, shownTable } from "./table.ts";

/** What a command prints besides its message. */
export interface Done {
  /** Printed on stdout: the address or the id of what was created. */
  readonly prints?: string | number | undefined;
  /** The record for JSON output, or a function that fetches it when it is needed. */
  readonly record?: unknown | (() => Promise<unknown>);
}

/** The output of a command: results on stdout, everything else on stderr. */
export interface Output {
  readonly format: Format;
  /** Whether the format is JSON, JSON lines, CSV or jq, not text. */
  readonly records: boolean;
  /** Whether stdout is a terminal and the format is text. */
  readonly terminal: boolean;
  readonly palette: Palette;
  /** The palette of stderr. */
  readonly notePalette: Palette;
  /** The width of the terminal in columns, or 80. */
  readonly width: number;
  /** Prints a list, limited by `--limit` unless `unlimited`. */
  list<T>(
    listing: Listing<T> | readonly T[],
    columns: readonly Column<T>[],
    options?: { readonly unlimited?: boolean },
  ): Promise<void>;
  /** Prints records; in JSON as an array. */
  items(records: readonly unknown[]): Promise<void>;
  /** Prints one record. */
  record<T>(record: T, sheet: (record: T) => Sheet): Promise<void>;
  /** Prints a success message on stderr, and the result on stdout. */
  done(message: string, done?: Done): Promise<void>;
  /** Prints text or bytes on stdout, unchanged. */
  raw(content: string | Uint8Array): Promise<void>;
  /** Prints untrusted text on stdout; control characters are replaced if stdout is a terminal. */
  text(content: string): Promise<void>;
  /** Prints a note on stderr, unless `--quiet` is given. */
  note(message: string): void;
  /** Prints a warning on stderr; repeated warnings are printed once. */
  warn(message: string): void;
  /** While on, notes are dropped and warnings are delayed: for a screen that is redrawn in place. */
  hold(held: boolean): void;
  /** While a live block is shown, all other output is printed by this function, above the block. */
  printAbove(above: ((write: () => void) => void) | undefined): void;
}

/** The settings of the output. */
export interface OutputSettings {
  readonly system: System;
  readonly format: Format;
  readonly fields: readonly string[];
  readonly jq: string | undefined;
  readonly quiet: boolean;
  readonly limit: number;
  readonly palettes: Palettes;
  /** The columns of CSV without `--json FIELDS`. */
  readonly csvFields: readonly string[];
}

/** Opens the output of a command. */
export function openOutput(settings: OutputSettings): Output {
  const { system, format } = settings;
  const { stdout, stderr } = system;
  const terminal = stdout.isTTY === true && format === "text";
  const { stdout: palette, stderr: notePalette } = settings.palettes;
  const records = format !== "text";
  const warned = new Set<string>();
  let held: string[] | undefined;
  let above = (write: () => void): void => write();

  const raw = async (content: string | Uint8Array): Promise<void> => {
    if (content.length === 0) return;
    let ready = true;
    const write = () => {
      ready = stdout.write(content);
    };
    if (stdout.isTTY === true) above(write);
    else write();
    if (!ready) await stdout.flushed();
  };
  const writeNote = (line: string): void => above(() => void stderr.write(line));
  const writer = (write = stdout.isTTY === true ? text : raw) =>
    recordWriter({ ...settings, pretty: stdout.isTTY === true, write });

  const text = (content: string) => raw(stdout.isTTY === true ? safe(content) : content);

  async function* pagesOf<T>(listing: Listing<T> | readonly T[], limit: number): AsyncGenerator<readonly T[]> {
    if (!isListing(listing)) yield limit === Number.POSITIVE_INFINITY ? listing : listing.slice(0, limit);
    else if (listing.pages !== undefined) yield* listing.pages(limit);
    else for await (const record of listing.take(limit)) yield [record];
  }

  function noteTruncated(listing: Listing<unknown> | readonly unknown[], shown: number): void {
    const total = isListing(listing) ? listing.total : listing.length;
    if (shown < settings.limit || (total !== undefined && total <= shown)) return;
    const of = total === undefined ? "" : ` of ${total}`;
    output.note(`Showing ${shown}${of}. Use --limit N or --all to list more.`);
  }

  const output: Output = {
    format,
    records,
    terminal,
    palette,
    notePalette,
    width: stdout.columns || 80,
    async list(listing, columns, { unlimited = false } = {}) {
      const limit = unlimited ? Number.POSITIVE_INFINITY : settings.limit;
      const from = pagesOf(listing, limit);
      let shown = 0;
      if (terminal) {
        const all = [];
        for await (const some of from) for (const record of some) all.push(record);
        shown = all.length;
        if (shown > 0) await raw(await shownTable(all, columns, { width: output.width, palette, now: system.now() }));
        else output.note("No results.");
      } else {
        const lines = bufferedWriter(stdout.isTTY === true ? text : raw);
        try {
          const write = records ? await writer(lines.write) : undefined;
          for await (const some of from) {
            for (const record of some) {
              await (write === undefined ? lines.write(plainRow(record, columns)) : write.item(record));
            }
            shown += some.length;
          }
          await write?.end();
        } finally {
          // Prints the rows before an error, too.
          await lines.flush();
        }
      }
      if (!unlimited) noteTruncated(listing, shown);
    },
    async items(all) {
      const write = await writer();
      for (const record of all) await write.item(record);
      await write.end();
    },
    async record(record, sheet) {
      if (records) await (await writer()).single(record);
      else if (terminal) await raw(shownSheet(sheet(record), palette, system.now()));
      else await raw(plainSheet(sheet(record)));
    },
    async done(message, done = {}) {
      if (records && done.record !== undefined) {
        const record = typeof done.record === "function" ? await done.record() : done.record;
        await (await writer()).single(record);
      } else if (!records && done.prints !== undefined) await raw(`${done.prints}\n`);
      if (!settings.quiet) writeNote(`${notePalette("good", "✓")} ${safe(message)}\n`);
    },
    raw,
    text,
    note(message) {
      if (!settings.quiet && held === undefined) writeNote(`${safe(message)}\n`);
    },
    warn(message) {
      if (warned.has(message)) return;
      warned.add(message);
      const line = `${notePalette("warn", "!")} ${safe(message)}\n`;
      if (held === undefined) writeNote(line);
      else held.push(line);
    },
    hold(on) {
      const waiting = held ?? [];
      held = on ? waiting : undefined;
      if (!on && waiting.length > 0) writeNote(waiting.join(""));
    },
    printAbove(wanted) {
      above = wanted ?? ((write) => write());
    },
  };
  return output;
}

function isListing<T>(listing: Listing<T> | readonly T[]): listing is Listing<T> {
  return !Array.isArray(listing);
}
