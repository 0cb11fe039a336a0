import { describe, expect, it } from "vitest";
import { safe, safeExcept, safeJson } from "../../src/text/safe.ts";
import { compose, Styled } from "../../src/text/styled.ts";
import { hostile, rawCodes } from "../support/raw-codes.ts";

const green = (text: string) => `\u001b[32m${text}\u001b[39m`;

describe("text for a terminal", () => {
  it.each([
    ["C0", "\u0000\b\u001b[2J\u0007", "\u2400\u2408\u241b[2J\u2407"],
    ["vertical tabs and form feeds", "a\vb\fc", "a\u240bb\u240cc"],
    ["DEL", "\u007f", "\u2421"],
    ["C1", "\u009b2J\u0085", "\ufffd2J\ufffd"],
    ["bidirectional marks", "\u061c\u200e\u200f\u202e\u2066\u2069", "\ufffd".repeat(6)],
    ["line and paragraph separators", "\u2028\u2029", "\ufffd\ufffd"],
    ["halves of surrogate pairs", "\ud83da\udea2", "\ufffda\ufffd"],
    ["carriage returns, but for line breaks", "a\rb\r\n", "a\u240db\n"],
  ])("has pictures for %s", (_what, text, shown) => {
    expect(safe(text)).toBe(shown);
  });

  it("keeps tabs, newlines and all other characters", () => {
    const text = "\tThe 霧 signal 🚢 ﷺ\u200d\n";
    expect(safe(text)).toBe(text);
  });

  it("keeps the codes of a library, and only those", () => {
    const text = `\u001b[32mok\u001b[39m\u001b[2K\u001b[1A\u001b[?25l\r${hostile}`;
    expect(rawCodes(safeExcept("style", text).replaceAll("\u001b[45m", "").replaceAll("\u001b[8m", ""))).toEqual([]);
    expect(safeExcept("style", "\u001b[32m\u001b[2K\r")).toBe("\u001b[32m\u241b[2K\u240d");
    expect(safeExcept("drawing", "\u001b[32m\u001b[2K\r\u001b[?25l\u001b[?1049h")).toBe(
      "\u001b[32m\u001b[2K\r\u001b[?25l\u241b[?1049h",
    );
    expect(safeExcept("overwriting", "50%\r\u001b[2K")).toBe("50%\r\u241b[2K");
  });

  it("as JSON is the same value, with escapes", () => {
    const value = { [`key ${hostile}`]: `${hostile}\u2029\ud800` };
    for (const indent of [undefined, 2]) {
      const shown = safeJson(JSON.stringify(value, undefined, indent));
      expect(rawCodes(shown)).toEqual([]);
      expect(JSON.parse(shown)).toEqual(value);
    }
  });
});

describe("styled text", () => {
  it("shows pictures in what is put in it, and passes its own codes", () => {
    const title = Styled.painted(`Tide ${hostile}`, green);
    const line = compose`${title}: ${hostile} ${7}\n`;
    expect(line.shown).toMatch(/^\u001b\[32mTide \u241b.*\u001b\[39m: \u241b.* 7\n$/);
    expect(rawCodes(line.shown)).toEqual([]);
    expect(Styled.join([hostile, title], "\u009b").shown).toBe(`${safe(hostile)}\ufffd${title.shown}`);
  });

  it("is unchanged in a pipe", () => {
    expect(compose`${Styled.painted(hostile, green)} ${hostile}`.piped).toBe(`${green(hostile)} ${hostile}`);
  });

  it("loses its codes when it is made a string by mistake", () => {
    expect(safe(`${Styled.painted("ok", green)}`)).toBe("\u241b[32mok\u241b[39m");
  });

  it("links to http and https only", () => {
    const page = Styled.link("page", "https://forge.example/mara/harbor?q=\u001b\\\u009b\u202e");
    expect(page.shown).toBe(
      "\u001b]8;;https://forge.example/mara/harbor?q=%1B\\%C2%9B%E2%80%AE\u001b\\page\u001b]8;;\u001b\\",
    );
    for (const address of ["file:///etc/passwd", "javascript:alert(1)", "ssh://git@forge.example/", "/path", ""]) {
      expect(Styled.link(`x${hostile}`, address).shown).toBe(`x${safe(hostile)}`);
    }
  });
});
