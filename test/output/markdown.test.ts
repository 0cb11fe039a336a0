import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../../src/output/markdown.ts";
import { noColors, type Palette } from "../../src/output/palette.ts";
import { Styled } from "../../src/text/styled.ts";

const look = { width: 40, palette: noColors, now: new Date() };
const shown = (text: string, more: Partial<typeof look> = {}) => renderMarkdown(text, { ...look, ...more }).shown;
const bracketed: Palette = (style, text) => Styled.plain(`<${style}>${text}</${style}>`);

describe("Markdown on a terminal", () => {
  it("is wrapped at words, with lists, tasks, quotes, code and tables", () => {
    const text = [
      "# Buoys",
      "The **red** buoys mark the port side of the channel when you come from the sea.",
      "",
      "- [x] paint",
      "- [ ] moor the second one with a chain that is long enough for the tide",
      "  1. measure",
      "",
      "> old words",
      "",
      "```sh",
      "moor --deep   2",
      "```",
      "| a | b |",
      "|---|---|",
      "| 1 | 2 |",
    ].join("\n");
    expect(shown(text)).toBe(
      [
        ...["Buoys", "", "The red buoys mark the port side of the", "channel when you come from the sea.", ""],
        ...["• [x] paint", "• [ ] moor the second one with a chain", "      that is long enough for the tide"],
        ...["      1. measure", "", "│ old words", "", "    moor --deep   2", "", "a | b", "1 | 2"],
      ].join("\n"),
    );
  });

  it("styles headings, emphasis and code by the palette, and shows the address of a link", () => {
    const text = "## Tide\n**high** `low` [chart](https://example.org/c) <https://example.org>";
    const all = shown(text, { palette: bracketed, width: 300 });
    expect(all).toContain("<strong>Tide</strong>");
    expect(all).toContain("<strong>high</strong> <warn>low</warn> <link>chart</link> (https://example.org/c)");
    expect(all.match(/https:\/\/example\.org</g)).toHaveLength(1);
  });

  it("passes no codes of the text, and shows HTML as it is", () => {
    const text = "**\u001b[2J** [x\u001b]0;t\u0007](https://example.org/\u001b[2J) <b>bold</b>\n\n```\n\u009b31m\n```";
    expect(shown(text)).not.toMatch(/[\u001b\u009b\u0007]/);
    expect(shown("<script>x</script>")).toBe("<script>x</script>");
  });

  it("leaves out the comments of HTML, such as the notes of templates", () => {
    const text = "<!-- Say what broke. -->\nAll lamps <!-- which? --> lit\n\n<!--\nsteps\n\nmore\n-->\n\n- end <!-- x";
    expect(shown(text)).toBe("All lamps lit\n\n• end <!-- x");
    expect(shown("<div>\n<!-- x -->\nlit</div>")).toBe("<div>\n\nlit</div>");
  });

  it.each(["", "> "])("shows a table that has more cells than text as it is: '%s|'", (mark) => {
    const rows = Array.from({ length: 40_000 }, () => "|x");
    const text = [`|${"a|".repeat(5000)}`, `|${"-|".repeat(5000)}`, ...rows].map((row) => mark + row).join("\n");
    expect(text.length).toBeLessThan(262_144);
    expect(shown(text)).toBe(text);
  });

  it("shows text that nests too deep, or is too long, as it is", () => {
    const deep = "> ".repeat(20_000) + "end";
    expect(shown(deep)).toContain("end");
    const long = `# ${"x".repeat(300_000)}`;
    expect(shown(long)).toBe(long);
  });

  it("shows text with too many marks of emphasis in a paragraph as it is", () => {
    const marks = `**tide** ${"a__".repeat(20_000)}`;
    expect(shown(marks)).toBe(marks);
    const paragraphs = "**tide** and _ebb_\n\n".repeat(5_000).trimEnd();
    expect(shown(paragraphs)).not.toContain("**");
  });
});
