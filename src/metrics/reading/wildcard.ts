import { setOf } from "../../text/glob.ts";

/** A part of a pattern: any number of characters, or one character of some kind. */
type Part = typeof anything | ((character: string) => boolean);

const anything = "*";

/**
 * Creates a test for a shell wildcard pattern: `*`, `?`, `[a-z]`, `[!a-z]`; a backslash escapes the next character. A
 * pattern with an invalid set, such as `[z-a]`, only matches itself, as in a shell. The rules are those of fnmatch, which
 * collectd uses; those for check names have alternatives in braces. A pattern may come from a peer: the test never
 * backtracks further than to the last `*`, so that it takes at most the product of both lengths in steps.
 */
export function wildcard(pattern: string): (text: string) => boolean {
  const parts = /[*?[\\]/.test(pattern) ? partsOf([...pattern]) : undefined;
  if (parts === undefined) return (text) => text === pattern;
  return (text) => matches(parts, /[\u{10000}-\u{10ffff}]/u.test(text) ? [...text] : text);
}

/** Returns undefined if a set is invalid. */
function partsOf(pattern: readonly string[]): Part[] | undefined {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? "";
    // A bracket that closes right after the one that opens is a member.
    const isNegated = /^[!^]$/.test(pattern[at + 1] ?? "");
    const first = at + (isNegated ? 2 : 1);
    const end = character === "[" ? pattern.indexOf("]", first + 1) : -1;
    if (end > 0) {
      const set = setOf(pattern.slice(first, end), isNegated);
      if (set === undefined) return undefined;
      parts.push(set);
      at = end;
    } else if (character === "*") parts.push(anything);
    else if (character === "?") parts.push(() => true);
    else {
      if (character === "\\" && at + 1 < pattern.length) at += 1;
      const expected = pattern[at];
      parts.push((one) => one === expected);
    }
  }
  return parts;
}

/** With two pointers: after a mismatch, the last `*` takes one character more, and what follows it is tried there. */
function matches(parts: readonly Part[], text: string | readonly string[]): boolean {
  let [at, next, last, from] = [0, 0, -1, 0];
  while (at < text.length) {
    const part = parts[next];
    if (part === anything) [last, from] = [next, at];
    else if (part?.(text[at] ?? "") === true) at += 1;
    else if (last >= 0) {
      from += 1;
      [next, at] = [last, from];
    } else return false;
    next += 1;
  }
  while (parts[next] === anything) next += 1;
  return next === parts.length;
}
