import { describe, expect, it } from "vitest";
import { wrapQuestion } from "../../src/prompts/wrap-question.ts";
import type { OutputStream } from "../../src/system/output-stream.ts";

const on = (columns: number, env: Record<string, string> = {}, isTTY = true) => ({
  stdout: { isTTY, columns } as OutputStream,
  env,
});
const long = "Merge mara/harbor#4 (Add the fog signal) into main with style merge, and delete the branch fog-horn?";

describe("the message of a prompt", () => {
  it.each([40, 50, 60, 80, 100])("is wrapped at words at %i columns, with room for the answer", (columns) => {
    const lines = wrapQuestion(long, "(Y/n) Yes", on(columns)).split("\n");
    expect(
      lines
        .map((line) => line.trim())
        .join(" ")
        .trim(),
    ).toBe(long);
    lines.forEach((line, index) => {
      const mark = index === 0 ? 2 : 0;
      const answer = index === lines.length - 1 ? " (Y/n) Yes".length : 0;
      expect(mark + line.length + answer, line).toBeLessThan(columns);
    });
  });

  it("stays in one line if it fits, on screen readers, and where there is no terminal", () => {
    expect(wrapQuestion("Delete it?", "(Y/n) Yes", on(80))).toBe("Delete it?");
    expect(wrapQuestion(long, "(Y/n) Yes", on(80, { TONGS_ACCESSIBLE: "1" }))).toBe(long);
    expect(wrapQuestion(long, "(Y/n) Yes", on(80, {}, false))).toBe(long);
  });

  it("shows control characters as pictures", () => {
    expect(wrapQuestion("Delete \u001b[2Jit?", "", on(80))).toBe("Delete ␛[2Jit?");
  });
});
