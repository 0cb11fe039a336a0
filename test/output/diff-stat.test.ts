import { describe, expect, it } from "vitest";
import { countChanges, statLines } from "../../src/output/diff-stat.ts";
import { noColors } from "../../src/output/palette.ts";
import { shownText } from "../../src/text/styled.ts";

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

const file = (name: string) => ({ name, additions: 1, deletions: 0 });

describe("the changes of a diff", () => {
  it("are counted by line, however long a line is", async () => {
    const long = "-".repeat(9 * 1024 * 1024);
    const hunk = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n";
    const counted = await countChanges(pieces(hunk, long, long, long, "\n+one\n+two\n"));
    expect(counted).toEqual([{ name: "x", additions: 2, deletions: 1 }]);
  });

  it("are shown for 200,000 files, and beside a name of a million characters", async () => {
    const out = { width: 80, palette: noColors };
    expect(
      await statLines(
        Array.from({ length: 200_000 }, () => file("a")),
        out,
      ),
    ).toHaveLength(200_001);
    const lines = await statLines([file("x".repeat(1_000_000)), file("short")], out);
    expect(shownText(lines[1] ?? "").length).toBeLessThan(1_000);
  });
});
