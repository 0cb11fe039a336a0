import { UsageError } from "../failure/failure.ts";

/**
 * Splits an expansion into words as a shell does: spaces separate, single and double quotes and backslashes quote. Nothing
 * is expanded. Throws a usage error for a quote that is not closed.
 */
export function splitWords(text: string): string[] {
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
  if (quote !== "") throw new UsageError(`The expansion has an unclosed ${quote}`);
  return word === undefined ? words : [...words, word];
}

/**
 * The command line of an alias: `$1` to `$9` stand for its arguments, and those that have no place are added at the end.
 * An argument stays one word. Throws a usage error if an argument is missing.
 */
export function expandAlias(name: string, expansion: string, args: readonly string[]): string[] {
  const used = new Set<number>();
  const words = splitWords(expansion).map((word) =>
    word.replace(/\$([1-9])/g, (_, digit: string) => {
      const value = args[Number(digit) - 1];
      if (value === undefined) {
        throw new UsageError(`Missing argument $${digit} of alias '${name}'`, `It stands for: tongs ${expansion}`);
      }
      used.add(Number(digit) - 1);
      return value;
    }),
  );
  return [...words, ...args.filter((_, index) => !used.has(index))];
}
