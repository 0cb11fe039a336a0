import { describe, expect, it } from "vitest";
import { firstLines } from "../../../../src/commands/user/import/first-lines.ts";

describe("the first lines of texts", () => {
  it("are those that a map would have, for a hundred thousand texts that look alike", () => {
    const lines = firstLines();
    const count = 100_000;
    for (let line = 1; line <= count; line += 1) lines.note(`person${line}@example.org`, line);
    for (let line = 1; line <= count; line += 1) {
      const text = `Person${line}@Example.org`;
      if (!lines.has(text) || lines.note(text, count + line) !== line) throw new Error(`${text} was on line ${line}`);
      if (lines.has(`person${count + line}@example.org`)) throw new Error(`there is no ${count + line}`);
    }
  });

  it("tell short texts and turned ones apart", () => {
    const lines = firstLines();
    const texts = ["", "a", "b", "ab", "ba", "aab", "aba", "baa", "\u0000", "\u0000\u0000"];
    for (const [index, text] of texts.entries()) expect(lines.note(text, index + 1)).toBeUndefined();
    for (const [index, text] of texts.entries()) expect(lines.note(text, 99)).toBe(index + 1);
  });
});
