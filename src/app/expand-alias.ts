import { UsageError } from "../failure/failure.ts";
import { splitWords } from "../text/words.ts";

/** Throws a usage error for an alias with --sudo, which is for one command line that somebody types. */
export function refuseSudoIn(expansion: string): void {
  if (splitWords(expansion, "The expansion").some((word) => /^--sudo(=|$)/.test(word)))
    throw new UsageError("An alias cannot have --sudo", "Type it with each command.");
}

/**
 * The command line of an alias: `$1` to `$9` stand for its arguments, and those that have no place are added at the end.
 * An argument stays one word. Throws a usage error if an argument is missing.
 */
export function expandAlias(name: string, expansion: string, args: readonly string[]): string[] {
  const used = new Set<number>();
  const words = splitWords(expansion, "The expansion").map((word) =>
    word.replace(/\$([1-9])/g, (_, digit: string) => {
      const value = args[Number(digit) - 1];
      if (value === undefined) {
        throw new UsageError(`Missing argument $${digit} of alias '${name}'`, `It expands to: tongs ${expansion}`);
      }
      used.add(Number(digit) - 1);
      return value;
    }),
  );
  return [...words, ...args.filter((_, index) => !used.has(index))];
}
