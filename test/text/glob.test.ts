import { describe, expect, it } from "vitest";
import { contextPattern } from "../../src/text/glob.ts";
import { choicesFrom } from "../support/random.ts";

/** The regular expression of a glob, which backtracks; undefined for an invalid glob. */
function asRegExp(glob: string): RegExp | undefined {
  let source = "";
  let depth = 0;
  const literal = (character: string) => character.replace(/[.*+?^${}()|[\]\\/]/, "\\$&");
  for (let at = 0; at < glob.length; at += 1) {
    const character = glob[at] ?? "";
    const set = character === "[" ? /^\[(!?)([^\]]+)\]/.exec(glob.slice(at)) : null;
    if (set) {
      source += `[${set[1] === "!" ? "^" : ""}${(set[2] ?? "").replace(/[\\\]^]/g, "\\$&")}]`;
      at += set[0].length - 1;
    } else if (character === "\\" && at + 1 < glob.length) {
      at += 1;
      source += literal(glob[at] ?? "");
    } else if (character === "*") source += "[^]*";
    else if (character === "?") source += "[^]";
    else if (character === "{") {
      depth += 1;
      source += "(?:";
    } else if (character === "}" && depth > 0) {
      depth -= 1;
      source += ")";
    } else if (character === "," && depth > 0) source += "|";
    else source += literal(character);
  }
  try {
    return depth > 0 ? undefined : new RegExp(`^${source}$`, "u");
  } catch {
    return undefined;
  }
}

describe("a glob", () => {
  it.each([
    ["ci/*", "ci/test / build (push)", true],
    ["c?", "c", false],
    ["[!ab]-x", "b-x", false],
    ["{linux,mac} test", "mac test", true],
    ["a.b", "axb", false],
    ["a\\*b", "axb", false],
    ["{open", "{open", true],
  ])("'%s' for '%s' is %s", (glob, context, fits) => {
    expect(contextPattern(glob)(context)).toBe(fits);
  });

  it("matches what its regular expression matches", () => {
    const random = choicesFrom(5);
    const tokens = [..."**??[[]]!-^{{}},,\\/.aabbc", "😀", "[ab]", "[!a]", "[a-c]", "{a,b}", "\n"];
    const counts = { matched: 0, invalid: 0 };
    for (let round = 0; round < 30_000; round += 1) {
      const glob = random.text(tokens, 9);
      const context = random.text([..."aabbc/.{[]\\", "😀", "\n"], 6);
      const expected = asRegExp(glob)?.test(context) ?? glob === context;
      expect({ glob, context, fits: contextPattern(glob)(context) }).toEqual({ glob, context, fits: expected });
      expect({ glob, fits: contextPattern(glob)(glob) }).toEqual({ glob, fits: asRegExp(glob)?.test(glob) ?? true });
      if (expected) counts.matched += 1;
      if (asRegExp(glob) === undefined) counts.invalid += 1;
    }
    expect(counts.matched).toBeGreaterThan(300);
    expect(counts.invalid).toBeGreaterThan(300);
  });

  // With backtracking, or in quadratic time, none of them would end within hours.
  it.each([
    ["*a*a*a*b", "a".repeat(50_000)],
    [`${"*a".repeat(200)}*b`, "a".repeat(5_000)],
    [`${"{a,a*}".repeat(200)}b`, "a".repeat(2_000)],
    [`${"{".repeat(2_000)}${"*}".repeat(2_000)}b`, "a".repeat(100)],
    ["[".repeat(1_000_000), "a"],
  ])("does not take longer for a name that almost fits: case %#", (glob, context) => {
    const fits = contextPattern(glob);
    expect([fits(context), fits(`${context}c`)]).toEqual([false, false]);
  });
});
