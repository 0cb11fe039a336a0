import type { Palette, Style } from "../../output/palette.ts";
import { safeLine } from "../../text/safe.ts";

/** Escape sequences: CSI (those that end in m set colors), OSC and similar strings, and two-character sequences. */
const escapes =
  /\u001b\[([0-9;:<=>?]*)[ -/]*([@-~])|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|\u009b[0-9;:<=>?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]?/g;

/**
 * A log line as shown on a terminal: colors are taken from the palette, other escape sequences are removed, text that a
 * carriage return overwrote is left out, and workflow commands (`::error file=a,line=3::…`, `##[group]…`) are shown as
 * text. Undefined if nothing remains to be shown.
 */
export function displayText(text: string, palette: Palette): string | undefined {
  const plain = text.replace(escapes, "");
  const command = /^##\[(?<word>[a-z-]+)\](?<text>.*)$/.exec(plain) ?? workflowCommand.exec(plain);
  const { word, text: message = "", properties = "" } = command?.groups ?? {};
  if (word === undefined) return colored(afterOverwriting(text), palette);
  if (word === "endgroup" || word === "add-mask") return undefined;
  const shown = safeLine(decode(message));
  if (word === "group" || word === "section") return palette("strong", shown);
  const style = commandStyles[word];
  if (style === undefined) return colored(afterOverwriting(text), palette);
  const location = locationIn(properties);
  return palette(style, `${word === "command" ? "$" : `${word}:`} ${location === "" ? "" : `${location}: `}${shown}`);
}

/** `::word key=value,key=value::message`; the values may contain single colons. */
const workflowCommand = /^::(?<word>[a-z-]+)(?: (?<properties>(?:[^:]|:(?!:))*))?::(?<text>.*)$/;

/** The line without colors and escape sequences, for searching. */
export function plainText(text: string): string {
  return afterOverwriting(text).replace(escapes, "");
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

/** What a terminal shows of a line with carriage returns: the last part that is not empty. */
function afterOverwriting(text: string): string {
  if (!text.includes("\r")) return text;
  const parts = text.split("\r");
  return parts.findLast((part) => part.replace(escapes, "") !== "") ?? "";
}

function colored(text: string, palette: Palette): string {
  let style: Style = "plain";
  let shown = "";
  let from = 0;
  const add = (part: string) => {
    if (part !== "") shown += palette(style, safeLine(part.replace(/\t/g, "    ")));
  };
  for (const match of text.matchAll(escapes)) {
    add(text.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] === "m") style = styleAfter(match[1] ?? "", style);
  }
  add(text.slice(from));
  return shown;
}

const colorStyles: Readonly<Record<string, Style>> = {
  ...{ "0": "plain", "39": "plain", "22": "plain", "1": "strong", "2": "dim" },
  ...{ "31": "bad", "32": "good", "33": "warn", "34": "link", "35": "merged", "36": "link", "90": "dim" },
  ...{ "91": "bad", "92": "good", "93": "warn", "94": "link", "95": "merged", "96": "link" },
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
