import type { Palette, Style } from "../../output/palette.ts";
import { safeLine } from "../../text/safe.ts";
import { Styled } from "../../text/styled.ts";

/**
 * An escape sequence (ECMA-48): CSI with its parameters and its end (`m`: it sets colors), a string such as OSC, or two
 * characters. A string ends with the text; one that another sequence interrupts is none, so that no text takes more than
 * time in proportion to its length.
 */
const escapes =
  /\u001b\[([0-9;:<=>?]*)[ -/]*([@-~])|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c|$)|\u009b[0-9;:<=>?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]?/g;

/**
 * A log line as shown on a terminal: colors are taken from the palette, other escape sequences are removed, text that a
 * carriage return overwrote is left out, and workflow commands (`::error file=a,line=3::…`, `##[group]…`) are shown as
 * text. Undefined if nothing remains to be shown.
 */
export function displayText(text: string, palette: Palette): Styled | undefined {
  const command = workflowCommand(withoutEscapes(text));
  if (command === undefined) return colored(afterOverwriting(text), palette);
  const { word, properties, message } = command;
  if (word === "endgroup" || word === "add-mask") return undefined;
  const shown = safeLine(decode(message));
  if (word === "group" || word === "section") return palette("strong", shown);
  const style = commandStyles[word];
  if (style === undefined) return colored(afterOverwriting(text), palette);
  const location = locationIn(properties);
  return palette(style, `${word === "command" ? "$" : `${word}:`} ${location === "" ? "" : `${location}: `}${shown}`);
}

interface WorkflowCommand {
  readonly word: string;
  readonly properties: string;
  readonly message: string;
}

/** `##[word]message`, or `::word key=value,key=value::message`, whose values may contain single colons. */
function workflowCommand(line: string): WorkflowCommand | undefined {
  const [start, bracketed, word = bracketed] = /^(?:##\[([a-z-]+)\]|::([a-z-]+)(?=::| ))/.exec(line) ?? [];
  if (start === undefined || word === undefined) return undefined;
  const end = bracketed === undefined ? line.indexOf("::", start.length) : start.length;
  if (end < 0) return undefined;
  const message = line.slice(bracketed === undefined ? end + 2 : end);
  if (/[\n\r\u2028\u2029]/.test(message)) return undefined;
  return { word, properties: line.slice(start.length, end).slice(1), message };
}

/** The line without colors and escape sequences, for searching. */
export function plainText(text: string): string {
  return withoutEscapes(afterOverwriting(text));
}

const commandStyles: Readonly<Record<string, Style>> = {
  error: "bad",
  warning: "warn",
  notice: "link",
  debug: "dim",
  command: "link",
};

/** `main.go:3` of `file=main.go,line=3`. */
function locationIn(properties: string): string {
  const values = new Map(
    properties.split(",").map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), pair.slice(at + 1)] as const;
    }),
  );
  const parts = [values.get("file"), values.get("line")].filter((part) => part !== undefined && part !== "");
  return safeLine(decode(parts.join(":")));
}

/** Decodes the escapes of workflow commands. */
function decode(message: string): string {
  return message.replace(/%(0A|0D|3A|2C|25)/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function withoutEscapes(text: string): string {
  return text.replace(escapes, "");
}

/** What a terminal shows of a line with carriage returns: the last part that is not empty. */
function afterOverwriting(text: string): string {
  if (!text.includes("\r")) return text;
  const parts = text.split("\r");
  return parts.findLast((part) => withoutEscapes(part) !== "") ?? "";
}

function colored(text: string, palette: Palette): Styled {
  let style: Style = "plain";
  const shown: Styled[] = [];
  let from = 0;
  const add = (part: string) => {
    if (part !== "") shown.push(palette(style, safeLine(part.replace(/\t/g, "    "))));
  };
  for (const { index, 0: sequence, 1: colors = "", 2: end } of text.matchAll(escapes)) {
    add(text.slice(from, index));
    from = index + sequence.length;
    if (end === "m") style = styleAfter(colors, style);
  }
  add(text.slice(from));
  return Styled.join(shown);
}

const colorStyles: Readonly<Record<string, Style>> = {
  "0": "plain",
  "39": "plain",
  "22": "plain",
  "1": "strong",
  "2": "dim",
  "31": "bad",
  "32": "good",
  "33": "warn",
  "34": "link",
  "35": "merged",
  "36": "link",
  "90": "dim",
  "91": "bad",
  "92": "good",
  "93": "warn",
  "94": "link",
  "95": "merged",
  "96": "link",
};

/** The style after a color sequence. Bold with a color becomes the color; indexed and RGB colors are ignored. */
function styleAfter(codes: string, before: Style): Style {
  let style = before;
  const parts = codes === "" ? ["0"] : codes.split(/[;:]/);
  for (let index = 0; index < parts.length; index += 1) {
    const code = String(Number(parts[index]));
    if (code === "38" || code === "48") {
      index += parts[index + 1] === "5" ? 2 : 4;
      continue;
    }
    const next = colorStyles[code];
    if (next === undefined || (next === "strong" && style !== "plain")) continue;
    style = next;
  }
  return style;
}
