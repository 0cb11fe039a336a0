import { describe, expect, it } from "vitest";
import { dueDay, plainCell, shownCell } from "../../src/output/cells.ts";
import { noColors } from "../../src/output/palette.ts";
import { shownSheet } from "../../src/output/sheet.ts";

describe("a due date", () => {
  it("is the day that the server has on a terminal, and the whole time in a pipe", () => {
    const due = dueDay("2026-12-24T23:59:59-08:00");
    const now = new Date("2026-11-22T12:00:00Z");
    expect([shownCell(due, now), plainCell(due)]).toEqual(["2026-12-24", "2026-12-24T23:59:59-08:00"]);
    expect([shownCell(dueDay(null), now), plainCell(dueDay("0001-01-01T00:00:00Z"))]).toEqual(["", ""]);
  });
});

describe("true and false", () => {
  it("are yes and no, on a terminal and in a pipe", () => {
    const now = new Date();
    expect([true, false, undefined].map((cell) => shownCell(cell, now))).toEqual(["yes", "no", ""]);
    expect([true, false, undefined].map(plainCell)).toEqual(["yes", "no", ""]);
  });
});

describe("a sheet on a terminal", () => {
  it("wraps lines with wide characters before the terminal does", async () => {
    const look = { width: 20, palette: noColors, now: new Date(), links: false };
    const text = "港港港港 港港港港 abc";
    const shown = await shownSheet({ title: text, fields: [], body: text }, look);
    const wrapped = "港港港港 港港港港\nabc";
    expect(String(shown)).toBe(`${wrapped}\n\n${wrapped}\n`);
  });
});
