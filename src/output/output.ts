import type { Listing } from "../http/pages.ts";
import type { System } from "../system/system.ts";
import { safe } from "../text/safe.ts";
import { bufferedWriter } from "./buffered-writer.ts";
import { type Format, recordWriter } from "./formats.ts";
import type { Palette, Palettes } from "./palette.ts";
import { plainSheet, type Sheet, shownSheet } from "./sheet.ts";
import { type Column, plainRow, shownTable } from "./table.ts";

/** What a write printed in text form is one of: the address or id of what it made, or nothing. */
export interface Done {
  /** What a script wants on stdout: the address, or the id. */
  readonly prints?: string | number | undefined;
  /** The record that JSON output prints, or how to fetch it; only fetched when it is wanted. */
  readonly record?: unknown | (() => Promise<unknown>);
}

/** How a command says what it found or did. stdout carries the result, stderr everything else. */
export interface Output {
  readonly format: Format;
  /** Whether records are printed (JSON, JSON lines, CSV, jq) rather than text. */
  readonly records: boolean;
  /** Whether stdout is a terminal and text is printed. */
  readonly terminal: boolean;
  readonly palette: Palette;
  /** Colours for stderr. */
  readonly notePalette: Palette;
  /** The terminal's width, or 80. */
  readonly width: number;
  /** Prints a list, as many as `--limit` and `--all` say; `whole` ones are not lists to choose from. */
  list<T>(
    listing: Listing<T> | readonly T[],
    columns: readonly Column<T>[],
    options?: { readonly whole?: boolean },
  ): Promise<void>;
  /** Prints records that are at hand, as an array in JSON. */
  items(records: readonly unknown[]): Promise<void>;
  /** Prints one record. */
  record<T>(record: T, sheet: (record: T) => Sheet): Promise<void>;
  /** Says that something was done, on stderr, and prints what it made. */
  done(message: string, done?: Done): Promise<void>;
  /** Prints text or bytes on stdout as they are. */
  raw(content: string | Uint8Array): Promise<void>;
  /** Prints text from elsewhere, made safe for a terminal when stdout is one. */
  text(content: string): Promise<void>;
  /** A remark on stderr; `--quiet` silences it. */
  note(message: string): void;
  /** A warning on stderr, each one once. */
  warn(message: string): void;
  /** Says nothing on stderr while something is drawn over itself: notes are dropped, warnings wait until it is over. */
  hold(held: boolean): void;
  /** While a block is drawn on the terminal, everything else is printed by this function, which puts it above the block. */
  printAbove(above: ((write: () => void) => void) | undefined): void;
}

/** What the output is set up with. */
export interface OutputSettings {
  readonly system: System;
  readonly format: Format;
  readonly fields: readonly string[];
  readonly jq: string | undefined;
  readonly quiet: boolean;
  readonly limit: number;
  readonly palettes: Palettes;
  /** Field names for CSV, when none were asked for. */
  readonly csvFields: readonly string[];
}

/** Makes the output of one command. */
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
    if (!ready) await new Promise<void>((resolve) => stdout.stream().once("drain", resolve));
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
    const of = total === undefined ? "there may be more" : `of ${total}`;
    output.note(`Showing ${shown} ${total === undefined ? `(${of})` : of}; more with --limit N or --all.`);
  }

  const output: Output = {
    format,
    records,
    terminal,
    palette,
    notePalette,
    width: stdout.columns || 80,
    async list(listing, columns, { whole = false } = {}) {
      const limit = whole ? Number.POSITIVE_INFINITY : settings.limit;
      const from = pagesOf(listing, limit);
      let shown = 0;
      if (terminal) {
        const all = [];
        for await (const some of from) for (const record of some) all.push(record);
        shown = all.length;
        if (shown > 0) await raw(await shownTable(all, columns, { width: output.width, palette, now: system.now() }));
        else output.note("Nothing found.");
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
          // What came before an error is printed, too.
          await lines.flush();
        }
      }
      if (!whole) noteTruncated(listing, shown);
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
