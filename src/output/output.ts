import { Failure, inWords, withSuccess } from "../failure/failure.ts";
import { changedNothing, nameWork } from "../failure/ignored.ts";
import type { Listing } from "../http/pages.ts";
import { present } from "../shape/shape.ts";
import type { Content } from "../system/output-stream.ts";
import { isLineByLine, showsLinks } from "../system/surface.ts";
import type { System } from "../system/system.ts";
import { wrapMessage } from "../text/format.ts";
import { safe, safeLine } from "../text/safe.ts";
import { compose, Styled } from "../text/styled.ts";
import { bufferedWriter } from "./buffered-writer.ts";
import { type Format, recordWriter } from "./formats.ts";
import { type ListSubject, listHeading } from "./list-heading.ts";
import type { Palette, Palettes } from "./palette.ts";
import { failureJson, failureText, widthOf } from "./report-failure.ts";
import { plainSheet, type Sheet, shownSheet } from "./sheet.ts";
import { openSpinner } from "./spinner.ts";
import { type Column, columnFields, plainRow, shownTable } from "./table.ts";

/** What a command prints besides its message. */
export interface Done {
  /** Printed on stdout: the address or the id of what was created. */
  readonly prints?: string | number | undefined;
  /** The record for JSON output, or a function that fetches it when it is needed. */
  readonly record?: unknown | (() => Promise<unknown>);
  /** Whether it was so already: the message says so, and is no success. */
  readonly unchanged?: boolean | undefined;
  /** What is said instead if all writes found it so already. */
  readonly already?: string | undefined;
  /** What it was done to, for the failure that ends the command if the server did not apply fields: `label 'bug'`. */
  readonly what?: string | undefined;
}

/** What is said of writes that found all so already, which is no success. */
export function alreadyText({
  message,
  already,
  unchanged = false,
}: Pick<Done, "already" | "unchanged"> & { readonly message: string | undefined }): string | undefined {
  if (message === undefined || unchanged) return message;
  return already ?? `Nothing changed, it was so already: ${message}`;
}

/** The target of several, in its place among the names of a result. */
export const each = Symbol("each");

/** What a write is about, by the fields of its JSON. */
export type ResultNames = Readonly<Record<string, string | typeof each>>;

/** Options of a list. */
interface ListOptions extends ListSubject {
  /** Prints all items, whatever `--limit` says. */
  readonly unlimited?: boolean;
  /** The columns of CSV without `--json FIELDS`, if the command's record is not what the list has. */
  readonly csvFields?: readonly string[];
}

/** The output of a command: results on stdout, everything else on stderr. */
export interface Output {
  readonly format: Format;
  /** Whether the format is JSON, JSON lines, CSV or jq, not text. */
  readonly records: boolean;
  /** Whether stdout is a terminal and the format is text. */
  readonly terminal: boolean;
  /** Whether results may be redrawn in place: on a terminal, unless it is line by line (TERM=dumb, TONGS_ACCESSIBLE). */
  readonly redraws: boolean;
  readonly palette: Palette;
  /** The palette of stderr. */
  readonly notePalette: Palette;
  /** The width of the terminal in columns, or 80. */
  readonly width: number;
  /** What lists have unless a command says it: added by the app, part by part. */
  describeLists(subject: ListSubject): void;
  /** What JSON output has of a write that is answered with nothing: added by the app. */
  describeResult(names: ResultNames, result: string): void;
  /** The record of such a write, for one of several targets; undefined for other commands. */
  resultOf(done: Pick<Done, "unchanged">, target?: string): unknown;
  /** Has a repository named as it is now (`acme/mv2`) in what is said from then on, whatever name was given. */
  rename(was: string, now: string): void;
  /** A failure with the present names of repositories. One of the command line keeps what was typed. */
  named(failure: Failure): Failure;
  /** The present name of a repository, for records. */
  nameNow(name: string): string;
  /** Shows on a terminal that a request takes long; returns a function that ends it. */
  waiting(): () => void;
  /** Prints a list, limited by `--limit` unless `unlimited`. */
  list<T>(
    listing: Listing<T> | readonly (T | null)[],
    columns: readonly Column<T>[],
    options?: ListOptions,
  ): Promise<void>;
  /** Prints records; in JSON as an array. */
  items(records: readonly unknown[]): Promise<void>;
  /** Prints one record. */
  record<T>(record: T, sheet: (record: T) => Sheet): Promise<void>;
  /** Prints a success message on stderr, if there is one; what was so already is a note. */
  say(message: string | undefined, done?: Pick<Done, "unchanged">): void;
  /** Prints a success message as `say` does, and the result on stdout. */
  done(message: string | undefined, done?: Done): Promise<void>;
  /** Prints text or bytes on stdout: unchanged, or if it is a terminal with control characters replaced. */
  raw(content: Content): Promise<void>;
  /** Prints a whole text as `raw` does; on a terminal in the pager if it is longer than the screen. */
  text(content: string): Promise<void>;
  /** Prints a note on stderr, unless `--quiet` is given. */
  note(message: string): void;
  /** Prints a warning on stderr; the same one again only after a minute. */
  warn(message: string): void;
  /** Prints on stderr that a record could not be read and was left out; once, if it is in several lists. */
  unreadable(failure: Failure): void;
  /** Whether records were left out, for the exit code. */
  readonly partial: boolean;
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
  /** The columns of CSV without `--json FIELDS`, where the command prints no table. */
  readonly csvFields: readonly string[];
}

/** The columns of the mark before a message. */
const mark = 2;

/** How long a warning is not repeated, in milliseconds. */
const repeatAfter = 60_000;

/** Opens the output of a command. */
export function openOutput(settings: OutputSettings): Output {
  const { system, format } = settings;
  const { stdout, stderr } = system;
  const terminal = stdout.isTTY === true && format === "text";
  const { stdout: palette, stderr: notePalette } = settings.palettes;
  const records = format !== "text";
  /** When a warning was printed last, in milliseconds. */
  const warned = new Map<string, number>();
  const unreadable = new Set<string>();
  let held: Styled[] | undefined;
  let above = (write: () => void): void => write();
  let subject: ListSubject = {};
  let about: { readonly names: ResultNames; readonly result: string } | undefined;
  const renamed = new Map<string, string>();
  const spinner = openSpinner(system, settings.quiet || records);

  const raw = async (content: Content): Promise<void> => {
    if ((content instanceof Styled ? content.piped : content).length === 0) return;
    let ready = true;
    const write = () => {
      spinner.erase();
      ready = stdout.write(content);
    };
    if (stdout.isTTY === true) above(write);
    else write();
    if (!ready) await stdout.flushed();
  };
  const writeNote = (line: string | Styled): void =>
    above(() => {
      spinner.erase();
      stderr.write(line);
    });
  const writeWarning = (line: Styled): void => {
    if (held === undefined) writeNote(line);
    else held.push(line);
  };
  /** Wraps a note to the width of the terminal. */
  const wrapped = (text: string, indent = 0): string =>
    stderr.isTTY === true ? wrapMessage(text, (stderr.columns || 80) - indent) : text;
  /** A message with the present names of repositories. */
  const asNamedNow = (text: string): string =>
    [...renamed].reduce((said, [was, now]) => said.replace(nameIn(was), () => now), text);
  const printed = (result: string | number) => (/^https?:/.test(`${result}`) ? asNamedNow(`${result}`) : result);
  const look = () => ({ width: output.width, palette, now: system.now(), links: showsLinks(system.env) });
  const writer = (write: (content: string | Styled) => Promise<void> = raw, csvFields = settings.csvFields) =>
    recordWriter({ ...settings, csvFields, terminal: stdout.isTTY === true, palette, write });

  /** Styled text is written at once, strings in few writes. */
  const terminalOrLines = (write: (content: string) => Promise<void>) => (content: string | Styled) =>
    content instanceof Styled ? raw(content) : write(content);

  async function* pagesOf<T>(
    listing: Listing<T> | readonly (T | null)[],
    limit: number,
  ): AsyncGenerator<readonly (T | null)[]> {
    if (!isListing(listing)) yield limit === Number.POSITIVE_INFINITY ? listing : listing.slice(0, limit);
    else if (listing.pages !== undefined) yield* listing.pages(limit);
    else for await (const record of listing.take(limit)) yield [record];
  }

  /**
   * Shows a complete result on a terminal, below its heading: in the pager if it is longer than the screen, as gh does. A
   * pager that cannot be started is a warning.
   */
  async function show(content: string | Styled, heading = ""): Promise<void> {
    const lines = (content instanceof Styled ? content.shown : content).split("\n").length;
    const isLong = lines > (stdout.rows || 24) && held === undefined && !isLineByLine(system.env);
    const pager = isLong ? await import("./pager.ts") : undefined;
    if (pager?.pagerCommand(system) !== undefined) {
      spinner.erase();
      const top = heading === "" || settings.quiet ? "" : `${wrapped(safe(heading))}\n`;
      try {
        return await pager.paged(system, async (write) => void ((await write(top)) && (await write(content))));
      } catch (error) {
        if (!(error instanceof Failure && error.code === "pager")) throw error;
        output.warn(`${error.message}. ${error.hint}`);
      }
    }
    if (heading !== "") output.note(heading);
    await raw(content);
  }

  const totalOf = (listing: Listing<unknown> | readonly unknown[]) =>
    isListing(listing) ? listing.total : listing.length;

  function noteTruncated(listing: Listing<unknown> | readonly unknown[], shown: number): void {
    const total = totalOf(listing);
    if (shown < settings.limit || (total !== undefined && total <= shown)) return;
    // On a terminal, the line above the list tells how many are shown.
    const counts =
      terminal && subject.lists !== undefined ? "" : `Showing ${shown}${total === undefined ? "" : ` of ${total}`}. `;
    output.note(`${counts}Use --limit N or --all to list more.`);
  }

  const output: Output = {
    format,
    records,
    terminal,
    redraws: terminal && !isLineByLine(system.env),
    palette,
    notePalette,
    width: stdout.columns || 80,
    describeLists(described) {
      subject = { ...subject, ...described };
    },
    describeResult(names, result) {
      about = { names, result };
    },
    resultOf({ unchanged = false }, target) {
      if (about === undefined) return undefined;
      const names = Object.entries(about.names).map(([name, value]) => {
        return [name, value === each ? target : output.nameNow(value)];
      });
      return { ...Object.fromEntries(names), result: unchanged ? "unchanged" : about.result };
    },
    rename: (was, now) => void renamed.set(was, now),
    named: (failure) => (failure.exit === "usage" ? failure : inWords(failure, asNamedNow)),
    nameNow: (name) => renamed.get(name) ?? name,
    waiting: () => spinner.start(),
    async list(listing, columns, { unlimited = false, csvFields, ...described } = {}) {
      const limit = unlimited ? Number.POSITIVE_INFINITY : settings.limit;
      const from = pagesOf(listing, limit);
      let shown = 0;
      if (terminal) {
        const all = [];
        for await (const some of from) for (const record of present(some)) all.push(record);
        shown = all.length;
        const heading = listHeading({ ...subject, ...described }, shown, totalOf(listing));
        if (shown > 0) await show(await shownTable(all, columns, look()), heading);
        else output.note(heading);
      } else {
        const lines = bufferedWriter(raw);
        try {
          const fields = csvFields ?? columnFields(columns);
          const write = records ? await writer(terminalOrLines(lines.write), fields) : undefined;
          for await (const some of from) {
            for (const record of some) {
              if (write !== undefined) await write.item(record);
              else if (record !== null) await lines.write(plainRow(record, columns));
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
      else if (terminal) await show(await shownSheet(sheet(record), look()));
      else await raw(plainSheet(sheet(record)));
    },
    say(message, { unchanged = false } = {}) {
      if (message === undefined) return;
      if (unchanged) output.note(safeLine(message));
      else if (!settings.quiet)
        writeNote(compose`${notePalette("good", "✓")} ${wrapped(safeLine(asNamedNow(message)), mark)}\n`);
    },
    async done(said, given = {}) {
      nameWork(given.what);
      const so = changedNothing();
      const message = so ? alreadyText({ ...given, message: said }) : said;
      const done = so ? { ...given, unchanged: true } : given;
      const record = records ? ((await recordOf(message, done)) ?? output.resultOf(done)) : undefined;
      if (record !== undefined) await (await writer()).single(record);
      else if (!records && done.prints !== undefined) await raw(`${printed(done.prints)}\n`);
      output.say(message, done);
    },
    raw,
    text: (content) => (terminal ? show(content) : raw(content)),
    note(message) {
      if (!settings.quiet && held === undefined) writeNote(`${wrapped(safe(asNamedNow(message)))}\n`);
    },
    warn(message) {
      const now = settings.system.now().getTime();
      if (now - (warned.get(message) ?? Number.NEGATIVE_INFINITY) < repeatAfter) return;
      warned.set(message, now);
      writeWarning(compose`${notePalette("warn", "!")} ${wrapped(safe(asNamedNow(message)), mark)}\n`);
    },
    unreadable(failure) {
      if (unreadable.has(failure.message)) return;
      unreadable.add(failure.message);
      writeWarning(
        records ? failureJson(failure) : failureText(failure, notePalette, { width: widthOf(settings.system.stderr) }),
      );
    },
    get partial() {
      return unreadable.size > 0;
    },
    hold(on) {
      const waiting = held ?? [];
      held = on ? waiting : undefined;
      if (!on && waiting.length > 0) writeNote(Styled.join(waiting));
    },
    printAbove(wanted) {
      above = wanted ?? ((write) => write());
    },
  };
  return output;
}

/** The full name of a repository in a text, also in the address of its page. */
function nameIn(fullName: string): RegExp {
  const name = fullName.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w.-])${name}(?![\\w-]|\\.\\w)`, "gi");
}

/** The record of what was done. Throws a failure that says that it was, if only its record cannot be fetched. */
async function recordOf(message: string | undefined, { record }: Done): Promise<unknown> {
  if (typeof record !== "function") return record;
  try {
    return await record();
  } catch (error) {
    throw error instanceof Failure && message !== undefined ? withSuccess(error, message) : error;
  }
}

function isListing<T>(listing: Listing<T> | readonly (T | null)[]): listing is Listing<T> {
  return !Array.isArray(listing);
}
