import { describe, expect, it } from "vitest";
import { wrap, wrapMessage } from "../../src/text/format.ts";

describe("a message on a terminal", () => {
  it("is wrapped at words", () => {
    expect(wrapMessage("The server can be reached again.", 20)).toBe("The server can be\nreached again.");
  });

  it("keeps a command line at its end whole, on a line of its own if it does not fit", () => {
    const note = "Interrupted (12 created). To continue, run: tongs user import people.csv --resume";
    expect(wrapMessage(note, 81)).toBe(note);
    expect(wrapMessage(note, 80)).toBe(
      "Interrupted (12 created). To continue, run:\n  tongs user import people.csv --resume",
    );
    expect(wrapMessage(`Failed.\n${note}`, 30)).toBe(
      "Failed.\nInterrupted (12 created). To\ncontinue, run:\n  tongs user import people.csv --resume",
    );
  });

  it("is wrapped as usual if words follow the command", () => {
    expect(wrapMessage("Run: tongs auth login, or set TONGS_HOST.", 24)).toBe(
      "Run: tongs auth login,\nor set TONGS_HOST.",
    );
  });
});

describe("a text with wide characters", () => {
  it("is wrapped by the columns that they take", () => {
    const wide = (part: string) => part.replace(/[^\x00-\x7f]/g, "xx").length;
    expect(wrap("港 港 港 ab", 5, wide)).toBe("港 港\n港 ab");
    expect(wrap("港 港 港 ab", 5)).toBe("港 港 港\nab");
  });
});
