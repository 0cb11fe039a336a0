/** An escape sequence in a text, from `start` to before `end`. */
export interface Escape {
  readonly start: number;
  readonly end: number;
  /** The parameters of a sequence that sets colors (CSI … m). */
  readonly colors: string | undefined;
}

/** Any character that can begin a sequence: ESC, and the C1 forms of DCS, SOS, CSI, OSC, PM and APC. */
const introducer = /[\u001b\u0090\u0098\u009b\u009d-\u009f]/g;
const csi = /\u001b\[([0-9;:<=>?]*)[ -/]*([@-~])/y;
const shortCsi = /\u009b[0-9;:<=>?]*[ -/]*[@-~]/y;
const twoCharacters = /\u001b[ -/]*[0-~]?/y;
/** Ends the text of an OSC, DCS, SOS, PM or APC string: BEL, ST, or any other ESC, which leaves it unfinished. */
const stringEnd = /[\u0007\u001b\u009c]/g;

/**
 * The escape sequences of a text (ECMA-48), in order: CSI, strings such as OSC, and two-character sequences. A string that
 * another sequence interrupts is none; one that reaches the end of the text is. Takes time in proportion to the length.
 */
export function* escapesIn(text: string): Generator<Escape, void, undefined> {
  // Every string that begins before this index is interrupted there, so that the text is not searched again for each.
  let interrupted = 0;
  for (let from = 0; ; ) {
    introducer.lastIndex = from;
    const start = introducer.exec(text)?.index;
    if (start === undefined) return;
    const color = matchAt(csi, text, start);
    const end = color?.end ?? endOfString(start) ?? matchAt(shortCsi, text, start)?.end;
    const found = end ?? matchAt(twoCharacters, text, start)?.end;
    if (found !== undefined) yield { start, end: found, colors: color?.match[2] === "m" ? color.match[1] : undefined };
    from = found ?? start + 1;
  }

  function endOfString(start: number): number | undefined {
    const isEscape = text[start] === "\u001b";
    if (isEscape ? !/[\]PX^_]/.test(text[start + 1] ?? "") : text[start] === "\u009b") return undefined;
    if (start < interrupted) return undefined;
    stringEnd.lastIndex = start + (isEscape ? 2 : 1);
    const end = stringEnd.exec(text)?.index;
    if (end === undefined) return text.length;
    if (text[end] !== "\u001b") return end + 1;
    if (text[end + 1] === "\\") return end + 2;
    interrupted = end;
    return undefined;
  }
}

/** The text without escape sequences. */
export function withoutEscapes(text: string): string {
  let plain = "";
  let from = 0;
  for (const { start, end } of escapesIn(text)) {
    plain += text.slice(from, start);
    from = end;
  }
  return from === 0 ? text : plain + text.slice(from);
}

function matchAt(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { match, end: at + match[0].length };
}
