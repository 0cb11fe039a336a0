import { describe, expect, it } from "vitest";
import { diffPainter } from "../../src/output/diff-colors.ts";
import { Styled } from "../../src/text/styled.ts";

const marks = { strong: "S", dim: "d", good: "+", bad: "-", warn: "w", link: "@", merged: "m", plain: "p" } as const;

/** The style of each line as one character; a space for none. */
function styles(diff: string): string {
  const paint = diffPainter((style) => Styled.plain(marks[style]));
  return diff
    .split("\n")
    .map((line) => {
      const shown = paint(line).shown;
      return shown === line ? " " : shown;
    })
    .join("");
}

describe("the colors of a diff", () => {
  it("distinguish headers, hunks, removed, added and context lines", () => {
    const diff =
      "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ fn\n a\n-b\n+c\ndiff --git a/y b/y";
    expect(styles(diff)).toBe("SSSS@ -+S");
  });

  it("recognize a removed line that starts with two dashes", () => {
    expect(styles("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- low\n+++ high\n z\n--- a/y")).toBe(
      "SSS@-+ S",
    );
  });

  it("support hunks of a single line and the note about a missing newline", () => {
    expect(
      styles("diff --git a/x b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file"),
    ).toBe("S@- + ");
  });

  it("do not affect the mail text around the diffs of a patch", () => {
    const patch = `From ${"a".repeat(40)} Mon\nSubject: x\n---\n x | 1 +\n\ndiff --git a/x b/x\n@@ -0,0 +1 @@\n+x\n-- \n2.39.5\n`;
    expect(styles(patch)).toBe("     S@+   ");
  });
});
