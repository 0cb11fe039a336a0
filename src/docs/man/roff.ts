/** Escapes text for a man page: it contains no requests and no escapes. */
export function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "\\&...")
    .replaceAll("→", "\\->")
    .replace(/^([.'])/gm, "\\&$1");
}

/** Escaped text in bold. */
export function strong(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

/** A paragraph; line breaks are preserved. */
export function paragraph(text: string): string {
  return [
    ".PP",
    ...roff(text)
      .split("\n")
      .flatMap((line, index) => (index === 0 ? [line] : [".br", line])),
  ].join("\n");
}

/** A list of terms with descriptions. */
export function terms(items: readonly (readonly [string, string])[]): string {
  return items.map(([term, meaning]) => `.TP\n${strong(term)}\n${roff(meaning)}`).join("\n");
}

/** Indented lines without filling. */
export function verbatim(lines: readonly string[]): string {
  return [".PP", ".RS 4", ".nf", ...lines.map(roff), ".fi", ".RE"].join("\n");
}
