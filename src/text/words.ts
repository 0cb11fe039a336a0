import { UsageError } from "../failure/failure.ts";

/**
 * Splits a command line into words as a shell does: spaces separate, single and double quotes and backslashes quote. Nothing
 * is expanded. Throws a usage error for a quote that is not closed; it begins with `what`.
 */
export function splitWords(text: string, what: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== "" && char === quote) quote = "";
    else if (quote === "" && (char === "'" || char === '"')) {
      quote = char;
      word ??= "";
    } else if (char === "\\" && quote !== "'" && at + 1 < text.length) {
      at += 1;
      word = (word ?? "") + text.charAt(at);
    } else if (quote === "" && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + char;
  }
  if (quote !== "") throw new UsageError(`${what} has an unclosed ${quote}`);
  return word === undefined ? words : [...words, word];
}

/** Words as a command line that a POSIX shell splits into the same words. */
export function joinWords(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

/** A text as one word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** `a`, `a and b`, or `a, b and c`. */
export function listed(items: readonly string[]): string {
  // Made here, not for every start: that takes as long as half of a short command.
  return new Intl.ListFormat("en-GB").format(items);
}
