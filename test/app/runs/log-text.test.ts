import { describe, expect, it } from "vitest";
import { escapesIn } from "../../../src/app/runs/escapes.ts";
import { type LogLine, logLines } from "../../../src/app/runs/log-lines.ts";
import { displayText, plainText } from "../../../src/app/runs/log-text.ts";
import { noColors } from "../../../src/output/palette.ts";
import { choicesFrom } from "../../support/random.ts";

/** The escape sequences as one pattern, which takes time with the square of some texts. */
const escapes =
  /\u001b\[([0-9;:<=>?]*)[ -/]*([@-~])|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|\u009b[0-9;:<=>?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]?/g;

async function* piecesOf(log: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < log.length; at += size) yield log.subarray(at, at + size);
}

async function linesOf(log: string | Buffer, size = 64 * 1024): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const line of logLines(piecesOf(Buffer.from(log), size))) lines.push(line);
  return lines;
}

describe("the escape sequences of a line", () => {
  it("are those of the pattern", () => {
    const parts = [
      ..."\u001b\u001b\u009b\u009d\u0090\u009c\u0007\\[]PX_;:?m4 /K~a\r\u0001",
      "\u001b[",
      "\u001b\\",
      "é",
    ];
    const random = choicesFrom(11);
    for (let round = 0; round < 20_000; round += 1) {
      const text = random.text(parts, 14);
      const found = [...escapesIn(text)];
      const expected = [...text.matchAll(escapes)].map(({ index, 0: { length: size }, 1: codes, 2: final }) => {
        return { start: index, end: index + size, colors: final === "m" ? codes : undefined };
      });
      expect({ text, found }).toEqual({ text, found: expected });
    }
  });

  it("of 4,000,000 characters are found in linear time", () => {
    // In quadratic time, it would take hours.
    const long = 4_000_000;
    for (const text of [
      `${"\u009d".repeat(long)}\u001bX`,
      `${"\u001b]".repeat(long / 2)}\u001bX`,
      `${"\u0090x".repeat(long / 2)}\u001b[0m`,
      "\u001b[".repeat(long / 2),
      `\u001b[${"0;".repeat(long / 2)}`,
      `\u001b${" ".repeat(long)}`,
      "\u009b0".repeat(long / 2),
      "a\r".repeat(long / 2),
    ]) {
      expect(displayText(text, noColors)).toBeDefined();
      expect(plainText(text).length).toBeLessThanOrEqual(text.length);
    }
  });
});

describe("a workflow command", () => {
  it.each([
    ["::error file=a,line=3::no::more", "error: a:3: no::more"],
    ["::error file=c:/a.go,line=3::no", "error: c:/a.go:3: no"],
    ["::error::no", "error: no"],
    ["::error :::no", "error: :no"],
    ["::error:no", "::error:no"],
    ["::error no", "::error no"],
    ["::Error::no", "::Error::no"],
    ["::::", "::::"],
    ["##[warning]slow%0Aboat", "warning: slow boat"],
    ["##[warning", "##[warning"],
  ])("%s is shown as %s", (text, shown) => {
    expect(displayText(text, noColors)?.piped).toBe(shown);
  });

  it("may be 8 MiB long, with an end or without", () => {
    const long = "a,".repeat(4 << 20);
    expect(displayText(`::error ${long}`, noColors)?.piped).toBe(`::error ${long}`);
    expect(displayText(`::error ${long}::no`, noColors)?.piped).toBe("error: no");
    expect(displayText(`::error ::${long}`, noColors)?.piped).toBe(`error: ${long}`);
  });
});

describe("the lines of a log", () => {
  it("are the same however it is cut into pieces", async () => {
    const log = "2026-11-21T09:53:43.1234567Z é one\n\n2026-11-21T09:53:44Z two\r\nthree €";
    const expected = [
      { time: "2026-11-21T09:53:43.1234567Z", text: "é one" },
      { time: "", text: "" },
      { time: "2026-11-21T09:53:44Z", text: "two\r" },
      { time: "", text: "three €" },
    ];
    for (let size = 1; size < 80; size += 1) expect(await linesOf(log, size), `pieces of ${size}`).toEqual(expected);
    expect(await linesOf("a\n")).toEqual([{ time: "", text: "a" }]);
  });

  it("take time in proportion to their length: one of 40 MB in small pieces", async () => {
    // Joined anew with each piece, it would take hours.
    const [line] = await linesOf(Buffer.alloc(40_000_000, "x"), 64);
    expect(line?.text).toHaveLength(40_000_000);
  });

  it("are cut at 64 Mi characters", async () => {
    const lines = await linesOf(Buffer.alloc(100 << 20, "x"), 1 << 20);
    expect(lines.map(({ text }) => text.length)).toEqual([64 << 20, 36 << 20]);
  });
});
