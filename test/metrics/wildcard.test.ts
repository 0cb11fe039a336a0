import { describe, expect, test } from "vitest";
import { wildcard } from "../../src/metrics/reading/wildcard.ts";
import { choicesFrom } from "../support/random.ts";

/** The regular expression of a pattern, which backtracks; undefined for an invalid set. */
function asRegExp(pattern: string): RegExp | undefined {
  let source = "";
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? "";
    const set = character === "[" ? /^\[(?:([!^])|(?![!^]))([\s\S][^\]]*)\]/.exec(pattern.slice(at)) : null;
    if (set !== null) {
      source += `[${set[1] === undefined ? "" : "^"}${(set[2] ?? "").replace(/[\\\]^[]/g, "\\$&")}]`;
      at += set[0].length - 1;
    } else if (character === "*") source += ".*";
    else if (character === "?") source += ".";
    else {
      if (character === "\\" && at + 1 < pattern.length) at += 1;
      source += (pattern[at] ?? "").replace(/[.*+?^${}()|[\]\\/]/, "\\$&");
    }
  }
  try {
    return new RegExp(`^${source}$`, "su");
  } catch {
    return undefined;
  }
}

describe("a shell wildcard pattern", () => {
  test("matches what its regular expression matches", () => {
    const random = choicesFrom(7);
    const tokens = [..."***??[]!^-\\{},/.&aabbc", "😀", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "\n"];
    let matched = 0;
    for (let round = 0; round < 30_000; round += 1) {
      const pattern = random.text(tokens, 8);
      const text = random.text([..."aabbc/.&-[]\\", "😀", "\n"], 6);
      const expected = asRegExp(pattern)?.test(text) ?? pattern === text;
      expect({ pattern, text, fits: wildcard(pattern)(text) }).toEqual({ pattern, text, fits: expected });
      if (expected) matched += 1;
    }
    expect(matched).toBeGreaterThan(300);
  });

  test.each([
    ["[a&]", ["a", "&"], ["b", "[a&]"]],
    ["[~!@#$%&]", ["&", "~", "!"], ["a"]],
    ["[!]]", ["a"], ["]", "[!]]"]],
    ["[^]a]", ["b"], ["a", "]"]],
    ["[z-a]*", ["[z-a]*"], ["z", "b"]],
    ["a{b,c}", ["a{b,c}"], ["ab"]],
    ["\\*", ["*"], ["a"]],
    ["caf?", ["café", "caf😀"], ["caf"]],
  ])("%s matches %j, not %j", (pattern, yes, no) => {
    const fits = wildcard(pattern);
    expect([...yes, ...no].map(fits)).toEqual([...yes.map(() => true), ...no.map(() => false)]);
  });

  // With backtracking, none of them would end.
  test.each([
    [`${"*a".repeat(12)}*b`, "a".repeat(120)],
    [`${"*a".repeat(500)}*b`, "a".repeat(20_000)],
    [`${"*?".repeat(500)}*[!a]`, "a".repeat(20_000)],
    [`${"*[a-z]a".repeat(300)}b`, "a".repeat(5000)],
  ])("from a peer does not take longer for a name that almost fits: case %#", (pattern, text) => {
    const fits = wildcard(pattern);
    expect([fits(text), fits(`${text}b`)]).toEqual([false, true]);
  });
});
