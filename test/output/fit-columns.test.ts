import { describe, expect, it } from "vitest";
import { noColors } from "../../src/output/palette.ts";
import { column, shownRows } from "../../src/output/table.ts";

interface Check {
  readonly name: string;
  readonly state: string;
  readonly text: string;
  readonly url: string;
  readonly html_url?: string;
}

const columns = [
  column<Check>("ID", undefined, () => 7),
  column<Check>("NAME", "name", { flexible: true }),
  column<Check>("STATE", "state"),
  column<Check>("DESCRIPTION", "text", { flexible: true }),
  column<Check>("URL", "url", { style: "link", flexible: true, rank: "optional" }),
];
const check: Check = {
  name: "build and test the harbor",
  state: "success",
  text: "Finished without a problem after a while",
  url: "https://git.example.org/mara/harbor/actions/runs/12",
};
const rows = async (width: number, record = check, links = false) =>
  (await shownRows([record], columns, { width, palette: noColors, now: new Date(), links })).map(({ shown }) => shown);

describe("the columns of a table on a terminal", () => {
  it("never take more than the width, down to a few columns", async () => {
    for (const width of [12, 20, 40, 50, 80, 120]) {
      for (const line of await rows(width)) expect([...line].length, `${width}: ${line}`).toBeLessThanOrEqual(width);
    }
  });

  it("are those of very many records, too", async () => {
    const many = Array.from({ length: 130_000 }, (_, id) => ({ id }));
    const ids = [column<{ readonly id: number }>("ID", "id")];
    const shown = await shownRows(many, ids, { width: 80, palette: noColors, now: new Date(), links: false });
    expect([shown.length, shown.at(-1)?.shown]).toEqual([130_001, "129999"]);
  });

  it("omit optional ones before anything is truncated", async () => {
    const [header, line] = await rows(100);
    expect(header).not.toContain("URL");
    expect(line).toContain(check.name);
    expect(line).toContain(check.text);
    expect((await rows(160))[0]).toContain("URL");
  });

  it("keep the name longest: first others are truncated, then omitted", async () => {
    expect((await rows(70))[1]).toMatch(/^7 {3}build and test the harbor {2}success {2}Finished.*…$/);
    expect((await rows(40))[1]).toMatch(/^7 {3}build and test the harbor {2}success$/);
    expect((await rows(20))[1]).toMatch(/^7 {3}build and test.*…$/);
  });

  it("are links where the record has a page and the terminal can show them", async () => {
    const page = "https://git.example.org/mara/harbor/pulls/7";
    const [, line] = await rows(160, { ...check, html_url: page }, true);
    expect(line).toContain(`\u001b]8;;${page}\u0007build and test the harbor\u001b]8;;\u0007`);
    expect((await rows(160, { ...check, html_url: page })).join()).not.toContain("\u001b");
  });

  it("make no link of an address that is not a web page or has control characters", async () => {
    for (const html_url of ["javascript:alert(1)", "not an address", "file:///etc/passwd"]) {
      expect((await rows(160, { ...check, html_url }, true)).join()).not.toContain("\u001b");
    }
    const hostile = await rows(160, { ...check, html_url: "https://x/\u0007\u001b[2J" }, true);
    expect(hostile.join()).not.toContain("\u001b[2J");
  });
});
