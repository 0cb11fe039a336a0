import { describe, expect, it } from "vitest";
import { type LogLine, logLines } from "../../../src/app/runs/log-lines.ts";
import { displayText, plainText } from "../../../src/app/runs/log-text.ts";
import { noColors } from "../../../src/output/palette.ts";

async function* piecesOf(log: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < log.length; at += size) yield log.subarray(at, at + size);
}

async function linesOf(log: string | Buffer, size = 64 * 1024): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const line of logLines(piecesOf(Buffer.from(log), size))) lines.push(line);
  return lines;
}

describe("the escape sequences of a line", () => {
  it.each([
    ["a\u001b[1;31mb\u001b[0mc\u001b[38:5:1md\u009b2Je", "abcde"],
    ["a\u001b]0;title\u0007b\u001b]8;;x\u001b\\c\u0090x\u009cd", "abcd"],
    ["a\u001bP no end", "a"],
    ["a\u001b]no string\u001bcb\u001b(Bc", "ano stringbc"],
  ])("are removed from %j", (text, plain) => {
    expect(plainText(text)).toBe(plain);
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
