/** Text for a man page: nothing in it is taken for a request or an escape. */
export function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "\\&...")
    .replaceAll("→", "\\->")
    .replace(/^([.'])/gm, "\\&$1");
}

/** The same in bold. */
export function strong(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

/** A paragraph; its line ends stay. */
export function paragraph(text: string): string {
  return [
    ".PP",
    ...roff(text)
      .split("\n")
      .flatMap((line, index) => (index === 0 ? [line] : [".br", line])),
  ].join("\n");
}

/** A list of terms and what they mean. */
export function terms(items: readonly (readonly [string, string])[]): string {
  return items.map(([term, meaning]) => `.TP\n${strong(term)}\n${roff(meaning)}`).join("\n");
}

/** Lines that stay as they are, indented. */
export function verbatim(lines: readonly string[]): string {
  return [".PP", ".RS 4", ".nf", ...lines.map(roff), ".fi", ".RE"].join("\n");
}
