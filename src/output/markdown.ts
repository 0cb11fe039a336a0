import { marked, type Token, type Tokens } from "marked";
import stringWidth from "string-width";
import { Styled } from "../text/styled.ts";
import type { Style } from "./palette.ts";
import type { Look } from "./table.ts";

/** A piece of a paragraph: text in one style. */
interface Span {
  readonly text: string;
  readonly style: Style;
  readonly address?: string | undefined;
}

/** Longer texts are not parsed: the time it takes grows with what a server sends. */
const largest = 256 * 1024;
/** The most that parsing may cost, about a second. */
const mostWork = 1e9;
/** What a cell of a table costs. */
const cellWork = 1e4;
const narrowest = 16;

/**
 * Renders Markdown for a terminal: headings and emphasis in bold, lists, quotes, code and tables; HTML as it is, without
 * comments. Parsed by marked; all codes are those of the palette. What cannot be parsed is shown as text.
 */
export function renderMarkdown(text: string, look: Look): Styled {
  const source = text.replace(/\r\n?/g, "\n").trimEnd();
  const tokens = markdownTokens(source);
  return tokens === undefined ? Styled.plain(source) : Styled.join(blocks(tokens, look), "\n");
}

/** A place that a text points to: of an image or a link. */
export interface Destination {
  readonly href: string;
  readonly isImage: boolean;
}

/** The images and links of a Markdown text, none in code or HTML. Empty if the text cannot be parsed. */
export function destinations(text: string): Destination[] {
  const found: Destination[] = [];
  void marked.walkTokens(markdownTokens(text) ?? [], (token) => {
    if (token.type === "image" || token.type === "link")
      found.push({ href: String(token.href), isImage: token.type === "image" });
  });
  return found;
}

/** The tokens of a Markdown text; undefined if parsing it takes too long. */
function markdownTokens(source: string): Token[] | undefined {
  if (source.length > largest || parsingWork(source) > mostWork) return undefined;
  try {
    return marked.lexer(source, { gfm: true });
  } catch (error) {
    // Thousands of nested quotes.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * How long marked takes for each paragraph: for each mark of emphasis it searches the rest, and it fills each row of a table
 * with as many cells as the line below its header has.
 */
function parsingWork(source: string): number {
  let work = 0;
  for (const paragraph of source.split(/\n[ \t]*\n/)) {
    const marks = paragraph.length - paragraph.replace(/[*_~]/g, "").length;
    const lines = paragraph.split("\n");
    const widths = lines.map((line) => (/^[-:|>*+.\d \t]+$/.test(line) ? line.split("|").length - 1 : 0));
    const columns = widths.reduce((most, width) => Math.max(most, width), 0);
    work += marks * paragraph.length + columns * lines.length * cellWork;
  }
  return work;
}

/** The lines of blocks, with an empty line between two of them. */
function blocks(tokens: readonly Token[], look: Look): Styled[] {
  const lines: Styled[] = [];
  for (const token of tokens) {
    const block = blockLines(token, look);
    if (block.length === 0) continue;
    if (lines.length > 0) lines.push(Styled.plain(""));
    for (const line of block) lines.push(line);
  }
  return lines;
}

function blockLines(token: Token, look: Look): Styled[] {
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return wrapped(inline(token.tokens ?? [], "strong", look), look);
    case "code":
      return String(token.text)
        .split("\n")
        .map((line) => Styled.join(["    ", look.palette("warn", line)]));
    case "blockquote":
      return prefixed(blocks(token.tokens ?? [], narrower(look, 2)), "│ ", "│ ");
    case "hr":
      return [Styled.plain("─".repeat(Math.min(look.width, 40)))];
    case "list":
      return listLines(token as Tokens.List, look);
    case "table":
      return tableLines(token as Tokens.Table, look);
    case "html": {
      const text = withoutComments(String(token.raw)).trim();
      return text === "" ? [] : wrapped([{ text, style: "plain" }], look);
    }
    default:
      return wrapped(inline("tokens" in token && token.tokens ? token.tokens : [token], "plain", look), look);
  }
}

function listLines(list: Tokens.List, look: Look): Styled[] {
  const start = typeof list.start === "number" ? list.start : 1;
  return list.items.flatMap((item, index) => {
    const bullet = list.ordered ? `${start + index}. ` : "• ";
    const box = item.task ? (item.checked === true ? "[x] " : "[ ] ") : "";
    const mark = bullet + box;
    const inner = item.tokens
      .filter(({ type }) => type !== "checkbox")
      .flatMap((token) => blockLines(token, narrower(look, mark.length)));
    return prefixed(inner.length === 0 ? [Styled.plain("")] : inner, mark, " ".repeat(mark.length));
  });
}

/** Rows as lines `one | other`: a table of any width fits any terminal. */
function tableLines(table: Tokens.Table, look: Look): Styled[] {
  const row = (cells: readonly Tokens.TableCell[], style: Style) =>
    wrapped(
      cells.flatMap((cell, index) => [
        ...(index === 0 ? [] : [{ text: " | ", style: "plain" } as const]),
        ...inline(cell.tokens, style, look),
      ]),
      look,
    );
  return [...row(table.header, "strong"), ...table.rows.flatMap((cells) => row(cells, "plain"))];
}

function inline(tokens: readonly Token[], style: Style, look: Look): Span[] {
  return tokens.flatMap((token): Span[] => {
    switch (token.type) {
      case "strong":
        return inline(token.tokens ?? [], "strong", look);
      case "codespan":
        return [{ text: String(token.text), style: "warn" }];
      case "br":
        return [{ text: "\n", style }];
      case "html":
        return [{ text: withoutComments(String(token.raw)), style }];
      case "link":
      case "image":
        return linkSpans(token as Tokens.Link | Tokens.Image, look);
      default: {
        if ("tokens" in token && token.tokens) return inline(token.tokens, style, look);
        return [{ text: "text" in token ? String(token.text) : String(token.raw), style }];
      }
    }
  });
}

/** HTML without its comments, which templates have as notes to the author. */
function withoutComments(html: string): string {
  return html.replace(/<!--.*?(?:-->|$)/gs, "");
}

/** The text of a link, and its address where terminals cannot open it. */
function linkSpans({ text, href }: Tokens.Link | Tokens.Image, look: Look): Span[] {
  const label: Span = { text: text || href, style: "link", address: href };
  const isSame = text === href || `mailto:${text}` === href || text === "";
  return isSame || look.links === true ? [label] : [label, { text: ` (${href})`, style: "plain" }];
}

function narrower(look: Look, columns: number): Look {
  return { ...look, width: Math.max(narrowest, look.width - columns) };
}

function prefixed(lines: readonly Styled[], first: string, others: string): Styled[] {
  return lines.map((line, index) => Styled.join([index === 0 ? first : others, line]));
}

/** Wraps spans at words. */
function wrapped(spans: readonly Span[], look: Look): Styled[] {
  const lines: Styled[][] = [[]];
  let used = 0;
  let pendingSpace = "";
  const put = (text: string, { style, address }: Span): void => {
    const painted = style === "plain" ? Styled.plain(text) : look.palette(style, text);
    const linked = address !== undefined && look.links === true ? Styled.link(painted, address) : painted;
    lines.at(-1)?.push(linked);
  };
  const breakLine = (): void => {
    lines.push([]);
    used = 0;
    pendingSpace = "";
  };
  for (const span of spans) {
    for (const part of span.text.split(/(\n|[ \t]+)/)) {
      if (part === "") continue;
      if (part === "\n") {
        breakLine();
        continue;
      }
      if (/^[ \t]+$/.test(part)) {
        pendingSpace = used === 0 ? "" : " ";
        continue;
      }
      const size = stringWidth(part);
      if (used > 0 && used + pendingSpace.length + size > look.width) breakLine();
      if (pendingSpace !== "") put(pendingSpace, { text: "", style: "plain" });
      used += pendingSpace.length + size;
      pendingSpace = "";
      put(part, span);
    }
  }
  return lines.map((line) => Styled.join(line));
}
