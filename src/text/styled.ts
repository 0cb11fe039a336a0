import { type Kept, safe, safeExcept, safeJson } from "./safe.ts";

/**
 * Text with escape codes that tongs made. It is made only by the functions below: strings that are put in it are shown as
 * text, whatever they contain. Streams write `shown` to a terminal and `piped` elsewhere.
 */
export class Styled {
  readonly #shown: string;

  private constructor(
    /** The text for a pipe or a file: the strings as they are, and the codes. */
    readonly piped: string,
    shown: string,
  ) {
    this.#shown = shown;
  }

  /** The text for a terminal: all that is not text, newline, tab or a code of tongs is shown as a picture. */
  get shown(): string {
    return this.#shown;
  }

  /** Text without codes. */
  static plain(text: string): Styled {
    return new Styled(text, safe(text));
  }

  /** Joins texts; strings are plain. */
  static join(parts: readonly (string | Styled)[], separator = ""): Styled {
    const all = parts.map((part) => (typeof part === "string" ? Styled.plain(part) : part));
    return new Styled(all.map((one) => one.piped).join(separator), all.map((one) => one.shown).join(safe(separator)));
  }

  /** Text painted by a library such as chalk, of whose codes only colors and weights are used. */
  static painted(text: string, paint: (text: string) => string): Styled {
    return new Styled(paint(text), safeExcept("style", paint(safe(text))));
  }

  /** Text that a library or a program composed, with the codes it may use. Untrusted text in it was made safe before. */
  static composed(kept: Kept, text: string): Styled {
    return new Styled(text, safeExcept(kept, text));
  }

  /** JSON, which is escaped for a terminal instead of shown as pictures. */
  static json(json: string): Styled {
    return new Styled(json, safeJson(json));
  }

  /** A text that terminals open as a link (OSC 8). Without a link if the address is not http or https. */
  static link(text: string | Styled, address: string): Styled {
    const label = typeof text === "string" ? Styled.plain(text) : text;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) return label;
    // A parsed address consists of printable ASCII characters.
    const around = (inner: string) => `\u001b]8;;${url.href}\u001b\\${inner}\u001b]8;;\u001b\\`;
    return new Styled(around(label.piped), around(label.shown));
  }

  /** The text for a pipe: codes in it are shown as pictures on a terminal. */
  toString(): string {
    return this.piped;
  }
}

/** Composes styled text: compose`${palette("good", "✓")} ${message}`. */
export function compose(texts: TemplateStringsArray, ...values: readonly (string | number | Styled)[]): Styled {
  return Styled.join(
    texts.flatMap((text, index) => {
      const value = values[index];
      return value === undefined ? [text] : [text, typeof value === "number" ? String(value) : value];
    }),
  );
}

/** The text for a terminal. */
export function shownText(text: string | Styled): string {
  return typeof text === "string" ? safe(text) : text.shown;
}
