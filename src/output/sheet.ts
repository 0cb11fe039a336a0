import { wrap } from "../text/format.ts";
import { safe, safeLine } from "../text/safe.ts";
import { compose, Styled } from "../text/styled.ts";
import { type Cell, paint, plainCell, shownCell } from "./cells.ts";
import type { Look } from "./table.ts";

/** A text with a title. */
export interface Section {
  readonly title: string;
  readonly body?: string;
  /** The lines for a terminal, in place of the body. */
  readonly lines?: readonly (string | Styled)[];
}

/** A record in readable form: a title, named values, a text and sections. */
export interface Sheet {
  readonly title?: string;
  /** What the title is called in a pipe (default: title). */
  readonly titleName?: string;
  /** Empty values are omitted on a terminal. */
  readonly fields: readonly (readonly [name: string, value: Cell])[];
  readonly body?: string | null | undefined;
  readonly sections?: readonly Section[];
  /** Whether the texts are Markdown, which is rendered on a terminal. */
  readonly markdown?: boolean;
}

/** A sheet for a pipe: `name TAB value` lines, then `--` and the text, like gh. */
export function plainSheet(sheet: Sheet): string {
  const lines = sheet.title === undefined ? [] : [`${sheet.titleName ?? "title"}\t${safeLine(sheet.title)}`];
  for (const [name, value] of sheet.fields) lines.push(`${name}\t${plainCell(value)}`);
  if (sheet.body) lines.push("--", safe(sheet.body).trimEnd());
  for (const section of sheet.sections ?? [])
    lines.push("--", safeLine(section.title), safe(section.body ?? "").trimEnd());
  return `${lines.join("\n")}\n`;
}

/** A sheet for a terminal, wrapped at words to its width. */
export async function shownSheet(sheet: Sheet, look: Look): Promise<Styled> {
  const { palette, now, width } = look;
  const filled = sheet.fields
    .map(([name, value]) => ({ name, value, shown: shownCell(value, now) }))
    .filter(({ shown }) => shown !== "");
  const wide = Math.max(0, ...filled.map(({ name }) => name.length));
  const prose = await proseOf(sheet, look);
  const { default: columns } = await import("string-width");
  const parts: (string | Styled)[] = [];
  if (sheet.title !== undefined) {
    parts.push(
      ...wrap(safeLine(sheet.title), width, columns)
        .split("\n")
        .map((line) => palette("strong", line)),
    );
  }
  const indent = " ".repeat(wide + 2);
  for (const { name, value, shown } of filled) {
    const [first = "", ...more] = wrap(shown, Math.max(10, width - wide - 2), columns).split("\n");
    parts.push(compose`${palette("strong", name.padEnd(wide))}  ${paint(value, first, palette)}`);
    for (const line of more) parts.push(compose`${indent}${paint(value, line, palette)}`);
  }
  if (sheet.body) parts.push("", prose(sheet.body));
  for (const section of sheet.sections ?? []) {
    const body = section.lines === undefined ? prose(section.body ?? "") : Styled.join(section.lines, "\n");
    parts.push("", palette("strong", safeLine(section.title)), body);
  }
  return Styled.join([...parts, ""], "\n");
}

/** How the texts of a sheet are shown: as Markdown, or as they are, wrapped at words. */
async function proseOf(sheet: Sheet, look: Look): Promise<(text: string) => string | Styled> {
  if (sheet.markdown !== true) {
    const { default: columns } = await import("string-width");
    return (text) => wrap(safe(text).trimEnd(), look.width, columns);
  }
  const { renderMarkdown } = await import("./markdown.ts");
  return (text) => renderMarkdown(text, look);
}
