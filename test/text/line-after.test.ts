import { describe, expect, it } from "vitest";
import { lineAfter } from "../../src/text/line-after.ts";

const lines = (text: string) => text.split(" ");

describe("lineAfter", () => {
  it.each([
    ["a b c d", "b c d", 2, 1],
    ["a b c d", "x y a b c d", 2, 4],
    ["a b c d", "a b x d", 2, undefined],
    ["a b c", "a c b", 1, undefined],
    // Which of two equal lines was removed is not certain; that of the lines between others is.
    ["a } } b", "a } b", 1, undefined],
    ["a } b } c", "b } c", 3, 1],
    ["a } b } c", "b } c", 1, undefined],
    ["a", "a", 0, 0],
    ["a", "b", 0, undefined],
  ])("%s, then %s: line %i is %s", (before, after, index, found) => {
    expect(lineAfter(lines(before), lines(after), index)).toBe(found);
  });

  it("compares no texts that would take seconds", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `${index}`);
    expect(lineAfter(many, many, 5)).toBeUndefined();
  });
});
