/** A part of a pattern: any number of characters, or one character of some kind. */
type Part = typeof anything | ((character: number) => boolean);

const anything = "*";

/**
 * Creates a test for a shell wildcard pattern: `*`, `?`, `[a-z]`, `[!a-z]`; a backslash escapes the next character. A
 * pattern with an invalid set, such as `[z-a]`, only matches itself, as in a shell. The rules are those of fnmatch, which
 * collectd uses; those for check names (text/glob.ts) have alternatives in braces. A pattern may come from a peer: the test
 * never backtracks further than to the last `*`, so that it takes at most the product of both lengths in steps.
 */
export function wildcard(pattern: string): (text: string) => boolean {
  if (!/[*?[\\]/.test(pattern)) return (text) => text === pattern;
  const parts = partsOf([...pattern].map(codeOf));
  return parts === undefined ? (text) => text === pattern : (text) => matches(parts, text);
}

const codeOf = (character: string) => character.codePointAt(0) ?? 0;
const [star, question, open, close, backslash, dash] = [..."*?[]\\-"].map(codeOf);
const negations = [..."!^"].map(codeOf);

/** Returns undefined if a set is invalid. */
function partsOf(pattern: readonly number[]): Part[] | undefined {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? 0;
    // A bracket that closes right after the one that opens is a member.
    const first = at + 1 + (negations.includes(pattern[at + 1] ?? 0) ? 1 : 0);
    const end = character === open ? pattern.indexOf(close ?? 0, first + 1) : -1;
    if (end > 0) {
      const set = setOf(pattern.slice(first, end));
      if (set === undefined) return undefined;
      parts.push(first > at + 1 ? (one) => !set(one) : set);
      at = end;
    } else if (character === star) {
      if (parts.at(-1) !== anything) parts.push(anything);
    } else if (character === question) parts.push(() => true);
    else {
      if (character === backslash && at + 1 < pattern.length) at += 1;
      const expected = pattern[at];
      parts.push((one) => one === expected);
    }
  }
  return parts;
}

/** Whether a character is in a set; undefined if a range in it is invalid. */
function setOf(members: readonly number[]): ((character: number) => boolean) | undefined {
  const ranges: (readonly [number, number])[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const low = members[at] ?? 0;
    const high = members[at + 1] === dash ? members[at + 2] : undefined;
    if (high !== undefined) at += 2;
    if (high !== undefined && high < low) return undefined;
    ranges.push([low, high ?? low]);
  }
  return (character) => ranges.some(([low, high]) => low <= character && character <= high);
}

/** With two pointers: after a mismatch, the last `*` takes one character more, and what follows it is tried there. */
function matches(parts: readonly Part[], text: string): boolean {
  let [at, next] = [0, 0];
  let last: { readonly next: number; at: number } | undefined;
  while (at < text.length) {
    const part = parts[next];
    const character = text.codePointAt(at) ?? 0;
    if (part === anything) {
      next += 1;
      last = { next, at };
    } else if (part?.(character) === true) {
      next += 1;
      at += width(character);
    } else if (last !== undefined) {
      last.at += width(text.codePointAt(last.at) ?? 0);
      ({ next, at } = last);
    } else return false;
  }
  if (parts[next] === anything) next += 1;
  return next === parts.length;
}

/** The number of code units of a character. */
function width(character: number): number {
  return character > 0xffff ? 2 : 1;
}
