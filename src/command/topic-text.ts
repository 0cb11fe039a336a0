import { shellLines, wrap } from "../text/format.ts";
import { section } from "./help.ts";

/** A part of a help topic, for the terminal, man pages and the reference. */
export type Block =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  /** Names or commands, each with its meaning. */
  | { readonly kind: "rows"; readonly rows: readonly Row[] }
  /** Command lines and other lines that are shown as they are. */
  | { readonly kind: "lines"; readonly lines: readonly string[] };

type Row = readonly [name: string, meaning: string];

/**
 * Reads the text of a topic: lines in capitals are headings, lines that are not indented are paragraphs, and of the lines
 * indented by two spaces those with two columns, two spaces apart, are rows. A row goes on in lines that are indented more.
 */
export function readTopic(source: string): Block[] {
  const blocks: Block[] = [];
  let isNew = true;
  const add = (block: Block): void => {
    const last = blocks.at(-1);
    if (isNew || last === undefined || last.kind !== block.kind || block.kind === "heading") blocks.push(block);
    else blocks[blocks.length - 1] = joined(last, block);
    isNew = false;
  };
  for (const line of source.split("\n")) {
    const last = blocks.at(-1);
    const [, name, meaning] = /^ {2}(\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
    if (line.trim() === "") isNew = true;
    else if (/^[A-Z][A-Z ]+$/.test(line)) add({ kind: "heading", text: line });
    else if (!line.startsWith("  ")) add({ kind: "paragraph", text: line });
    else if (line.startsWith("    ") && last?.kind === "rows" && !isNew) {
      const [term = "", text = ""] = last.rows.at(-1) ?? [];
      blocks[blocks.length - 1] = { kind: "rows", rows: [...last.rows.slice(0, -1), [term, `${text} ${line.trim()}`]] };
    } else if (name !== undefined && meaning !== undefined) add({ kind: "rows", rows: [[name, meaning]] });
    else add({ kind: "lines", lines: [line.slice(2)] });
  }
  return blocks;
}

function joined(last: Block, next: Block): Block {
  if (last.kind === "paragraph" && next.kind === "paragraph")
    return { kind: "paragraph", text: `${last.text} ${next.text}` };
  if (last.kind === "rows" && next.kind === "rows") return { kind: "rows", rows: [...last.rows, ...next.rows] };
  if (last.kind === "lines" && next.kind === "lines") return { kind: "lines", lines: [...last.lines, ...next.lines] };
  return next;
}

/** A topic as text for a terminal of a width. */
export function topicText(blocks: readonly Block[], width: number): string {
  const sections: { readonly title: string; readonly parts: string[] }[] = [{ title: "", parts: [] }];
  blocks.forEach((block, index) => {
    if (block.kind === "heading") sections.push({ title: block.text, parts: [] });
    else sections.at(-1)?.parts.push(shown(block, width, sections.length > 1 ? 2 : 0, isBesideText(blocks, index)));
  });
  return sections
    .flatMap(({ title, parts }) =>
      title === "" ? [...parts.flatMap((part) => [part, ""])] : section(title, [parts.join("\n\n")]),
    )
    .join("\n");
}

/** Whether a section has paragraphs: its command lines are indented more. */
function isBesideText(blocks: readonly Block[], index: number): boolean {
  const start = blocks.findLastIndex(({ kind }, at) => at <= index && kind === "heading");
  const length = blocks.slice(start + 1).findIndex(({ kind }) => kind === "heading");
  const within = blocks.slice(start + 1, length === -1 ? undefined : start + 1 + length);
  return start !== -1 && within.some(({ kind }) => kind === "paragraph");
}

function shown(block: Exclude<Block, { kind: "heading" }>, width: number, indent: number, isBeside: boolean): string {
  if (block.kind === "paragraph") return indentedBy(indent, wrap(block.text, width - indent));
  if (block.kind === "rows") return twoColumns(block.rows, width).join("\n");
  const more = isBeside ? 2 : 0;
  return indentedBy(more, block.lines.flatMap((line) => commandLines(line, width - more)).join("\n"));
}

function indentedBy(columns: number, text: string): string {
  return columns === 0 ? text : text.replace(/^/gm, " ".repeat(columns));
}

/** Two columns, or below each other if the second one would be narrow. */
function twoColumns(rows: readonly Row[], width: number): string[] {
  const left = Math.max(...rows.map(([name]) => name.length));
  const beside = width - left - 4 >= Math.min(36, width / 2);
  const indent = beside ? left + 4 : 6;
  return rows.flatMap(([name, meaning]) => {
    const lines = isCommand(meaning)
      ? commandLines(meaning, width - indent + 2).map((line) => line.slice(2))
      : wrap(meaning, width - indent).split("\n");
    const [first = "", ...more] = lines;
    const rest = more.map((line) => " ".repeat(indent) + line);
    return beside
      ? [`  ${name.padEnd(left)}  ${first}`, ...rest]
      : [...commandLines(name, width), " ".repeat(indent) + first, ...rest];
  });
}

function commandLines(line: string, width: number): string[] {
  return isCommand(line) ? shellLines(line, width) : [`  ${line}`];
}

function isCommand(text: string): boolean {
  // A variable may be set in front of it, or to its output.
  return /^(\w+=(\$\(|\S* ))?(tongs|gh|tea) /.test(text);
}
