import { safe, safeLine } from "../text/safe.ts";
import { type Cell, paint, plainCell, shownCell } from "./cells.ts";
import type { Palette } from "./palette.ts";

/** A record in readable form: a title, named values, a text and sections. */
export interface Sheet {
  readonly title?: string;
  /** Empty values are omitted on a terminal. */
  readonly fields: readonly (readonly [name: string, value: Cell])[];
  readonly body?: string | null | undefined;
  readonly sections?: readonly { readonly title: string; readonly body: string }[];
}

/** A sheet for a pipe: `name TAB value` lines, then `--` and the text, like gh. */
export function plainSheet(sheet: Sheet): string {
  const lines = sheet.title === undefined ? [] : [`title\t${safeLine(sheet.title)}`];
  for (const [name, value] of sheet.fields) lines.push(`${name}\t${plainCell(value)}`);
  if (sheet.body) lines.push("--", safe(sheet.body).trimEnd());
  for (const section of sheet.sections ?? []) lines.push("--", safeLine(section.title), safe(section.body).trimEnd());
  return `${lines.join("\n")}\n`;
}

/** A sheet for a terminal. */
export function shownSheet(sheet: Sheet, palette: Palette, now: Date): string {
  const filled = sheet.fields
    .map(([name, value]) => ({ name, value, shown: shownCell(value, now) }))
    .filter(({ shown }) => shown !== "");
  const wide = Math.max(0, ...filled.map(({ name }) => name.length));
  const parts: string[] = [];
  if (sheet.title !== undefined) parts.push(palette("strong", safeLine(sheet.title)));
  for (const { name, value, shown } of filled) {
    parts.push(`${palette("dim", name.padEnd(wide))}  ${paint(value, shown, palette)}`);
  }
  if (sheet.body) parts.push("", safe(sheet.body).trimEnd());
  for (const section of sheet.sections ?? []) {
    parts.push("", palette("strong", safeLine(section.title)), safe(section.body).trimEnd());
  }
  return `${parts.join("\n")}\n`;
}
