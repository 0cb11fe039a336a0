import type { Palette, Style } from "../../output/palette.ts";
import { safeLine } from "../../text/safe.ts";

/** Escape sequences: CSI (colours are the ones that end in m), OSC and its kin up to their end, and two-letter ones. */
const escapes =
  /\u001b\[([0-9;:<=>?]*)[ -/]*([@-~])|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|\u009b[0-9;:<=>?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]?/g;

/**
 * A line of a log for reading: colours are said again by the palette, every other escape sequence is dropped, what a
 * carriage return wrote over is left out, and commands to the runner (`::error file=a,line=3::…`, `##[group]…`) become
 * words. Undefined when nothing is left to show.
 */
export function shownText(text: string, palette: Palette): string | undefined {
  const plain = text.replace(escapes, "");
  const command = /^##\[(?<word>[a-z-]+)\](?<said>.*)$/.exec(plain) ?? workflowCommand.exec(plain);
  const { word, said: message = "", properties = "" } = command?.groups ?? {};
  if (word === undefined) return colored(overwritten(text), palette);
  if (word === "endgroup" || word === "add-mask") return undefined;
  const said = safeLine(decoded(message));
  if (word === "group" || word === "section") return palette("strong", said);
  const style = commandStyles[word];
  if (style === undefined) return colored(overwritten(text), palette);
  const place = placeIn(properties);
  return palette(style, `${word === "command" ? "$" : `${word}:`} ${place === "" ? "" : `${place}: `}${said}`);
}

/** `::word key=value,key=value::message`; the values may hold single colons. */
const workflowCommand = /^::(?<word>[a-z-]+)(?: (?<properties>(?:[^:]|:(?!:))*))?::(?<said>.*)$/;

/** The line without colours and escape sequences, to search in. */
export function plainText(text: string): string {
  return overwritten(text).replace(escapes, "");
}

const commandStyles: Readonly<Record<string, Style>> = {
  error: "bad",
  warning: "warn",
  notice: "link",
  debug: "dim",
  command: "link",
};

/** `main.go:3` of `file=main.go,line=3`. */
function placeIn(properties: string): string {
  const values = new Map(
    properties.split(",").map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), pair.slice(at + 1)] as const;
    }),
  );
  const parts = [values.get("file"), values.get("line")].filter((part) => part !== undefined && part !== "");
  return safeLine(decoded(parts.join(":")));
}

/** Undoes the escapes of workflow commands. */
function decoded(message: string): string {
  return message.replace(/%(0A|0D|3A|2C|25)/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** What a terminal would show of a line with carriage returns: the last piece that has something in it. */
function overwritten(text: string): string {
  if (!text.includes("\r")) return text;
  const pieces = text.split("\r");
  return pieces.findLast((piece) => piece.replace(escapes, "") !== "") ?? "";
}

function colored(text: string, palette: Palette): string {
  let style: Style = "plain";
  let shown = "";
  let from = 0;
  const add = (piece: string) => {
    if (piece !== "") shown += palette(style, safeLine(piece.replace(/\t/g, "    ")));
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

/** The style after a colour sequence. Bold and a colour together are the colour; colours by number are not kept. */
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
